#!/usr/bin/python3
"""Every scenario of twintree-load against a real server, for a moment each.

    run_test.py --wiring serve|split|slapd [-k PATTERN ...]
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.dom import minidom

from harness import Deployment, binary
from processes import PATIENCE
from target import ADMIN, PASSWORD, SUFFIX

SKIPPED = 77
PEOPLE = 1200
WRONG_ANSWERS = 3
SCENARIOS = ("search-base", "search-eq", "search-one", "search-sub", "search-infix",
             "search-suffix", "search-all", "messaging", "messaging+add", "addressing",
             "mix-29-71", "bind", "auth", "modify", "add", "delete", "rename", "compare", "empty")


def make_target(wiring):
    if wiring == "slapd":
        from slapd import Slapd
        return Slapd()
    return Deployment(wiring)


class LoadTest(unittest.TestCase):
    wiring = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="twintree-load-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.password_file = cls.folder / "password"
        cls.password_file.write_text(PASSWORD + "\n", encoding="ascii")
        ldif = cls.folder / "people.ldif"
        subprocess.run([binary("twintree-load"), "generate", "--entries", str(PEOPLE), "--output",
                        ldif], check=True)
        cls.target = make_target(cls.wiring)
        cls.addClassCleanup(cls.target.close)
        cls.target.start(suffix=False)
        imported, output = cls.target.import_ldif(ldif)
        if not imported:
            raise AssertionError(f"import: {output}")

    def url(self, protocol):
        if protocol == "ldapi":
            return f"ldapi://{self.target.ldapi_path}"
        if protocol == "grpc":
            if self.wiring == "slapd":
                self.skipTest("slapd has no gRPC")
            return f"grpc://{self.target.directory.addresses['grpc']}"
        return f"ldap://127.0.0.1:{self.target.ldap_port}"

    def load(self, command, scenario, *flags, protocol="ldap", code=0):
        """Runs twintree-load; what it wrote as JSON and printed. `flags` are pairs."""
        path = self.folder / "figures.json"
        path.unlink(missing_ok=True)
        settings = {"--target": self.url(protocol), "--duration": str(0.3 * PATIENCE),
                    "--warmup": str(0.1 * PATIENCE),
                    "--entries": str(PEOPLE), "--bind-dn": ADMIN,
                    "--password-file": self.password_file, "--json": path,
                    **dict(zip(flags[::2], flags[1::2]))}
        done = subprocess.run(
            [binary("twintree-load"), command, scenario,
             *(part for pair in settings.items() for part in pair)],
            capture_output=True, text=True, timeout=60 * PATIENCE, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(path.read_text(encoding="utf-8")), done.stdout

    def containers(self):
        """Entries below the suffix, but for the population's."""
        with self.target.admin() as connection:
            found = connection.search(SUFFIX, "one", attributes=["1.1"])
        return [entry.dn for entry in found.entries
                if not entry.dn.lower().startswith(("ou=people", "ou=groups"))]

    def check_every_scenario(self, protocol):
        for scenario in SCENARIOS:
            with self.subTest(scenario=scenario):
                # Enough connections to overlap, too few for a slow machine to choke on.
                flags = ["--connections", "4", "--prepare", "60"]
                if scenario == "delete":
                    flags += ["--warmup", "0"]  # which would use up what was prepared
                figures, _ = self.load("run", scenario, *flags, protocol=protocol)
                self.assertEqual(figures["wrong_answers"], {})
                self.assertGreater(figures["total"]["operations"], 0)
                self.assertGreater(figures["total"]["latency_us"]["p50"], 0)
                self.assertEqual(self.containers(), [])

    def test_every_scenario_over_ldap(self):
        self.check_every_scenario("ldap")

    def test_every_scenario_over_grpc(self):
        self.check_every_scenario("grpc")

    def test_socket_file(self):
        figures, _ = self.load("run", "search-eq", "--depth", "4", protocol="ldapi")
        self.assertEqual(figures["wrong_answers"], {})

    def test_finds_entries(self):
        figures, _ = self.load("run", "search-all", "--duration", str(PATIENCE))
        self.assertEqual(figures["operations"]["search"]["operations"],
                         figures["total"]["operations"])
        self.assertGreaterEqual(figures["total"]["entries"], PEOPLE)

    def test_notices_missing_people(self):
        figures, text = self.load("run", "search-eq", "--entries", str(2 * PEOPLE),
                                  code=WRONG_ANSWERS)
        self.assertEqual(list(figures["wrong_answers"]), ["search: too few entries"])
        self.assertIn("WRONG ANSWERS", text)

    def test_notices_missing_permission(self):
        path = self.folder / "user-password"
        path.write_text("password1\n", encoding="ascii")
        user = f"uid=user.1,ou=People,{SUFFIX}"
        figures, _ = self.load("run", "modify", "--bind-dn", user, "--password-file", path,
                               code=WRONG_ANSWERS)
        self.assertEqual(list(figures["wrong_answers"]),
                         ["modify: result 50 insufficientAccessRights"])

    def test_keeps_a_rate(self):
        figures, _ = self.load("run", "search-eq", "--rate", "200", "--duration", "1",
                               "--connections", "8")
        self.assertAlmostEqual(figures["total"]["operations_per_second"], 200, delta=40)

    def test_ends_after_operations(self):
        figures, _ = self.load("run", "compare", "--operations", "50", "--duration", "60",
                               "--warmup", "0")
        self.assertEqual(figures["total"]["operations"], 50)
        self.assertLess(figures["seconds_measured"], 60)

    def test_tidies_up_when_interrupted(self):
        child = subprocess.Popen(
            [binary("twintree-load"), "run", "add", "--target", self.url("ldap"), "--duration", "60",
             "--warmup", "0", "--connections", "2", "--bind-dn", ADMIN,
             "--password-file", self.password_file],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        for line in child.stderr:
            if "p50" in line:  # the first second is over
                break
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=60 * PATIENCE)
        self.assertEqual(child.returncode, WRONG_ANSWERS)
        self.assertIn("Interrupted before its end.", output)
        self.assertEqual(self.containers(), [])

    def test_counts_the_servers_cpu(self):
        pids = ",".join(str(process.pid) for process in self.target.processes())
        figures, _ = self.load("run", "search-eq", "--server-pids", pids, "--duration",
                               str(PATIENCE))
        self.assertGreater(figures["cpu"]["server_us_per_operation"], 0)
        self.assertEqual(len(figures["cpu"]["servers"]), len(self.target.processes()))

    def test_writes_a_report(self):
        page = self.folder / "report.html"
        self.load("run", "mix-29-71", "--html", page)
        text = page.read_text(encoding="utf-8")
        minidom.parseString(text.removeprefix("<!DOCTYPE html>"))
        self.assertIn("<svg", text)

    def test_raises_the_connections(self):
        page = self.folder / "optimum.html"
        figures, text = self.load("optimize", "search-eq", "--max-connections", "4", "--html", page)
        self.assertEqual([step["connections"] for step in figures["steps"]][:2], [1, 2])
        self.assertIn(f"Best: {figures['best_connections']} connections", text)
        minidom.parseString(page.read_text(encoding="utf-8").removeprefix("<!DOCTYPE html>"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wiring", choices=["serve", "split", "slapd"], required=True)
    parser.add_argument("-k", nargs="+", metavar="PATTERN", help="only tests with such names")
    arguments = parser.parse_args()
    if arguments.wiring == "slapd" and not os.path.exists("/usr/sbin/slapd"):
        print("slapd is not installed")
        return SKIPPED
    LoadTest.wiring = arguments.wiring
    loader = unittest.TestLoader()
    if arguments.k:
        loader.testNamePatterns = [f"*{pattern}*" for pattern in arguments.k]
    suite = loader.loadTestsFromTestCase(LoadTest)
    if suite.countTestCases() == 0:
        parser.error("no such test")
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
