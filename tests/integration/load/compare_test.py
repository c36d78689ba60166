#!/usr/bin/python3
"""load/compare from end to end, with a small directory and short measurements."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import binary
from processes import PATIENCE

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[3]


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="twintree-compare-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compare(self, *flags):
        return subprocess.run(
            [ROOT / "load" / "compare", "--bin", binary().parent, "--folder", self.folder, *flags],
            capture_output=True, text=True, timeout=200 * PATIENCE, check=False)

    def test_compares_both_wirings(self):
        done = self.compare(
            "--entries", "500", "--rounds", "2", "--duration", str(0.3 * PATIENCE), "--warmup",
            str(0.1 * PATIENCE), "--works", "search-eq,modify,messaging,messaging+add",
            "--json", self.folder / "figures.json", "--markdown", self.folder / "table.md")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        figures = json.loads((self.folder / "figures.json").read_text(encoding="utf-8"))
        self.assertEqual(len(figures["runs"]), 4 * 2 * 3)
        self.assertEqual({run["server"] for run in figures["runs"]}, {"slapd", "serve", "split"})
        rates = [row for row in figures["rows"]
                 if row["work"] == "search-eq" and row["figure"] == "rate"]
        self.assertEqual([row["wiring"] for row in rates], ["serve", "split"])
        self.assertTrue(all(len(row["ratios"]) == 2 and row["ratio"] > 0 for row in rates))
        self.assertIn("| search-eq | 32 | operations/s |", done.stdout)
        self.assertEqual((self.folder / "table.md").read_text(encoding="utf-8"), done.stdout)

    def test_leaves_nothing_behind(self):
        done = self.compare("--entries", "20", "--rounds", "1", "--duration", str(0.1 * PATIENCE),
                            "--warmup", "0", "--works", "compare", "--wirings", "serve")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_names_wrong_arguments(self):
        for flags, named in ((["--works", "search"], "search"), (["--wirings", "x"], "--wirings"),
                             (["--rounds", "0"], "--rounds"), (["--bin", "/none"], "/none")):
            done = self.compare(*flags)
            self.assertEqual(done.returncode, 2)
            self.assertIn(named, done.stderr)


if __name__ == "__main__":
    if not os.path.exists("/usr/sbin/slapd"):
        print("slapd is not installed")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
