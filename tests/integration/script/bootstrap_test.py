#!/usr/bin/env python3
"""script/bootstrap installs exactly what is missing, and says so when it cannot.

The commands that would change the machine are replaced by ones that only note their arguments.
"""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Answers as dpkg-query does: a line for each package known, status 1 if one is not.
DPKG_QUERY = """#!/bin/bash
status=0
for package in "${@:3}"; do
  if grep -qxF -- "$package" "$INSTALLED"; then
    echo "ii |$package"
  else
    echo "dpkg-query: no packages found matching $package" >&2
    status=1
  fi
done
exit $status
"""
SUDO = """#!/bin/bash
cat >/dev/null
printf '%s\\n' "$*" >>"$CALLS"
exit "$SUDO_STATUS"
"""


class BootstrapTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.installed = self.folder / "installed"
        self.installed.touch()
        for name in ("bash", "env", "grep", "sed", "tr", "cat", "rm"):
            (self.bin / name).symlink_to(f"/bin/{name}")
        self.command("dpkg-query", DPKG_QUERY)
        self.command("apt-get", "#!/bin/bash\nexit 1\n")
        self.command("id", "#!/bin/bash\necho 1000\n")

    def command(self, name, text):
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def bootstrap(self, *arguments, sudo_status=0):
        environment = {
            "PATH": str(self.bin),
            "CALLS": str(self.calls),
            "INSTALLED": str(self.installed),
            "SUDO_STATUS": str(sudo_status),
        }
        return subprocess.run(
            [str(ROOT / "script/bootstrap"), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def packages(self, *arguments):
        """The packages it wants on a machine that has none."""
        message = self.bootstrap(*arguments).stderr.splitlines()[-1]
        return message.split("--no-install-recommends ")[1].split()

    def install_calls(self):
        return [call for call in self.calls.read_text().splitlines() if " install " in call]

    def test_without_root_or_sudo_it_names_the_command(self):
        result = self.bootstrap("--build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("neither root nor sudo", result.stderr)
        self.assertIn("libgrpc++-dev", self.packages("--build"))

    def test_nothing_missing_is_quiet(self):
        self.installed.write_text("\n".join(self.packages()) + "\n")
        result = self.bootstrap()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_installs_only_what_is_missing(self):
        wanted = self.packages("--build")
        self.installed.write_text("\n".join(set(wanted) - {"cmake", "libfmt-dev"}) + "\n")
        self.command("sudo", SUDO)
        self.assertEqual(self.bootstrap("--build").returncode, 0)
        (call,) = self.install_calls()
        self.assertEqual(call.split("--no-remove ")[1].split(), ["cmake", "libfmt-dev"])

    def test_updates_lists_before_installing(self):
        self.command("sudo", SUDO)
        self.bootstrap("--build")
        words = self.calls.read_text().split()
        self.assertLess(words.index("update"), words.index("install"))

    def test_failure_of_apt_is_a_failure(self):
        self.command("sudo", SUDO)
        result = self.bootstrap("--build", sudo_status=100)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "could not write|apt-get update failed")

    def test_kubectl_of_another_package_is_kept(self):
        self.assertIn("kubernetes-client", self.packages())
        self.command("kubectl", "#!/bin/bash\n")
        self.assertNotIn("kubernetes-client", self.packages())

    def test_unknown_argument_is_wrong_usage(self):
        result = self.bootstrap("--everything")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--everything", result.stderr)


if __name__ == "__main__":
    unittest.main()
