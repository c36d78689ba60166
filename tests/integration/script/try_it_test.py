#!/usr/bin/env python3
"""What script/server prints as examples works as printed, one after the other."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from running_server import RunningServer, free_port_offset

ROOT = pathlib.Path(__file__).resolve().parents[3]


def commands_in(output):
    """The commands between the lines 'In another terminal' and 'Ctrl-C', by first word."""
    text = output.split("In another terminal:")[1].split("Ctrl-C ends it")[0]
    blocks = [block.strip() for block in text.split("\n\n")]
    return ["\n".join(line for line in block.splitlines() if "# " not in line) for block in blocks if block]


class TryItTest(unittest.TestCase):
    def run_command(self, command):
        result = subprocess.run(
            ["bash", "-c", "set -o pipefail\n" + command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}{result.stderr}")
        return result.stdout

    def test_examples_work_as_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ("--port-offset", str(free_port_offset()))
            environment = dict(os.environ, TMPDIR=folder)
            with RunningServer(ROOT / "script/server", arguments, environment) as server:
                server.wait_until_ready()
                search, modify, who, grpc, metrics = commands_in(server.output)
                self.assertIn("mail: alice@example.com", self.run_command(search))
                self.run_command(modify)
                self.assertIn("uid=alice,ou=People", self.run_command(who))
                self.assertIn("title: Architect", self.run_command(grpc))
                self.assertIn("twintree_", self.run_command(metrics))
                self.assertEqual(server.stop(), 0)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
