#!/usr/bin/env python3
"""The systemd unit is one that systemd takes, and fits the documented configuration."""

import configparser
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNIT = ROOT / "deploy/systemd/twintree.service"
# What follows the draining, docs/operations.md.
GRACE_SECONDS = 6


class SystemdTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str
        unit.read_string(UNIT.read_text(encoding="utf-8"))
        cls.service = unit["Service"]
        cls.operations = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
        cls.config = yaml.safe_load(re.search(r"```yaml\n(.*?)```", cls.operations, re.DOTALL)[1])

    def test_systemd_finds_nothing_wrong(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        executable = os.environ.get("TWINTREE_EXECUTABLE", "/bin/true")
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / UNIT.name
            copy.write_text(UNIT.read_text(encoding="utf-8").replace(
                "/usr/local/bin/twintree", executable), encoding="utf-8")
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", copy],
                                  capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_it_writes_where_the_documented_configuration_says(self):
        self.assertEqual(f"/var/lib/{self.service['StateDirectory']}", self.config["data"])

    def test_it_waits_for_the_draining(self):
        self.assertGreaterEqual(int(self.service["TimeoutStopSec"]),
                                self.config["drain-timeout"] + GRACE_SECONDS)

    def test_it_serves_the_configuration_that_the_documentation_installs(self):
        command, _, config = self.service["ExecStart"].rpartition(" ")
        self.assertEqual(command, "/usr/local/bin/twintree serve --config")
        for path in (config, "/usr/local/bin", "/etc/systemd/system"):
            self.assertTrue(path in self.operations, path)


if __name__ == "__main__":
    unittest.main()
