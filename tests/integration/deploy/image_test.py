#!/usr/bin/env python3
"""The container image gets every library that the executable needs, and only files that exist."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")

# In every Debian image that can run a C++ program at all.
ALWAYS_THERE = {"libc6", "libgcc-s1", "libstdc++6"}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def runtime_packages():
    """The packages that the last stage of the Dockerfile installs."""
    stage = DOCKERFILE.split("\nFROM ")[-1]
    listed = re.search(r"--no-install-recommends \\\n(.*?)\n *&&", stage, re.DOTALL)[1]
    return set(listed.replace("\\", " ").split())


def with_dependencies(packages):
    """The packages and, of those installed here, all they depend on."""
    found, waiting = set(), set(packages)
    while waiting:
        package = waiting.pop()
        found.add(package)
        answer = subprocess.run(
            ["dpkg-query", "-W", "-f=${Pre-Depends}, ${Depends}\n", package],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        ).stdout
        needed = {re.split(r"[ :]", item)[0] for item in re.findall(r"[^,|\s][^,|]*", answer)}
        waiting |= needed - found
    return found


class ImageTest(unittest.TestCase):
    def test_runtime_stage_has_every_library(self):
        executable = os.environ.get("TWINTREE_EXECUTABLE")
        if not executable:
            self.skipTest("the executable is not part of this build")
        available = with_dependencies(runtime_packages()) | ALWAYS_THERE
        needed = re.findall(r"^ *NEEDED +(\S+)$", output("objdump", "-p", executable), re.MULTILINE)
        sanitizers = ("libasan.", "libubsan.", "libtsan.")
        for library in needed:
            if library.startswith(sanitizers):
                continue
            owners = output("dpkg-query", "-S", f"*/{library}")
            packages = {re.split(r"[:,]", line)[0] for line in owners.splitlines()}
            self.assertTrue(packages & available, f"{library} is in {packages}")

    def test_build_context_holds_what_the_build_reads(self):
        lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "*")
        kept = {line[1:].split("/")[0] for line in lines[1:]}
        cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        folders = re.search(r"set\(twintree_folders\n(.*?)\)", cmake, re.DOTALL)[1].split()
        wanted = {folder.split("/")[0] for folder in folders}
        wanted |= {"CMakeLists.txt", "CMakePresets.json", "cmake"}
        self.assertEqual(wanted - kept, set())

    def test_runs_without_root_by_number(self):
        self.assertRegex(DOCKERFILE, r"(?m)^USER [1-9]\d*:\d+$")

    def test_entry_point_gets_signals_itself(self):
        self.assertRegex(DOCKERFILE, r'(?m)^ENTRYPOINT \["/usr/bin/twintree"\]$')


if __name__ == "__main__":
    unittest.main()
