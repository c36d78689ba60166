#!/usr/bin/env python3
"""The commands of README.md and the examples of docs/grpc.md work as printed, one after the other.

Only ports, and the folders outside the tree, are others than those printed.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from running_server import DEFAULT_PORTS, RunningServer, free_port_offset

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIMIT_SECONDS = 60
# The tool tells the answer TRUE by its status.
COMPARE = 'ldapcompare() { command ldapcompare "$@" || [[ $? == 6 ]]; }\n'


def blocks(file, heading, language=""):
    """The fenced blocks below a heading."""
    section = (ROOT / file).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [text for found, text in re.findall(r"```(\w*)\n(.*?)```", section, re.DOTALL)
            if found == language]


def move_ports(text, offset):
    for port in DEFAULT_PORTS:
        text = text.replace(f":{port}", f":{port + offset}")
    return text


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.offset = free_port_offset()
        (self.folder / "tmp").mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.folder / "tmp"),
                            "HOME": str(self.folder)}

    def run_command(self, command, **variables):
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", COMPARE + command], cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            env={**self.environment, **variables})
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def readme(self, heading):
        return move_ports("".join(blocks("README.md", heading)), self.offset)

    def test_the_sample(self):
        before = sorted(os.listdir(ROOT))
        arguments = ("--port-offset", str(self.offset))
        with RunningServer(ROOT / "script/server", arguments, self.environment) as server:
            server.wait_until_ready()
            for _ in range(2):  # nothing stays that would be in the way
                ldap = self.run_command(self.readme("Five minutes through the LDAP door"))
                self.assertIn("mail: alice@example.com", ldap)
                self.assertIn("TRUE", ldap)
                grpc = self.run_command(self.readme("Five minutes through the gRPC door"))
                self.assertIn("cn: Bob Baker", grpc)
                self.assertIn("twintree_operations_total", grpc)
            self.check_the_example_in_python()
            self.assertEqual(server.stop(), 0)
        self.assertEqual(sorted(os.listdir(ROOT)), before)
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def check_the_example_in_python(self):
        (make,) = blocks("docs/grpc.md", "An example in Python")
        program = "".join(blocks("docs/grpc.md", "An example in Python", "python"))
        messages = self.folder / "python"
        self.run_command(make.replace("build/python", str(messages)))
        done = subprocess.run(
            [sys.executable, "-c", move_ports(program, self.offset)], check=True, text=True,
            stdout=subprocess.PIPE, env={**self.environment, "PYTHONPATH": str(messages)})
        answer = "uid=bob,ou=People,dc=example,dc=com {'cn': [b'Bob Baker']"
        self.assertIn(answer, done.stdout)
        self.assertIn("uid=alice,ou=People,dc=example,dc=com until 2", done.stdout)
        self.assertIn("NOT_FOUND", done.stdout)

    def test_a_directory_of_your_own(self):
        (self.folder / "twintree").symlink_to(ROOT)
        (text,) = blocks("README.md", "A directory of your own")
        text = text.replace("/tmp/my-directory", str(self.folder / "own"))
        command = text.replace("$twintree serve", "exec $twintree serve")
        self.assertNotEqual(command, text)
        listeners = {f"TWINTREE_{name}_LISTEN": f"127.0.0.1:{port + self.offset}"
                     for name, port in zip(("LDAP", "GRPC", "HTTP"), DEFAULT_PORTS)}
        log = open(self.folder / "log", "w+", encoding="utf-8")
        self.addCleanup(log.close)
        server = subprocess.Popen(["bash", "-e", "-c", command], stdout=log, stderr=log,
                                  env={**self.environment, **listeners})
        self.addCleanup(server.wait)
        self.addCleanup(server.send_signal, signal.SIGTERM)
        end = time.monotonic() + LIMIT_SECONDS
        while not answers(1389 + self.offset):
            text = (self.folder / "log").read_text()
            self.assertIsNone(server.poll(), text)
            self.assertLess(time.monotonic(), end, text)
            time.sleep(0.05)
        found = self.run_command(
            f"ldapsearch -x -LLL -H ldap://127.0.0.1:{1389 + self.offset}"
            f" -D cn=admin,dc=example,dc=com -y {self.folder}/own/root.pw"
            " -b dc=example,dc=com '(uid=alice)' cn")
        self.assertIn("cn: Alice Adams", found)


if __name__ == "__main__":
    unittest.main()
