#!/usr/bin/env python3
"""script/lint --quick finds what it is there for, in a repository of its own."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GIT = ("git", "-c", "user.name=Lint Test", "-c", "user.email=lint@example.com")
TIDY_CODE = "int One() { return 1; }\n"
UNTIDY_CODE = "int  One( ) {return 1;}\n"


class LintTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "script").mkdir()
        shutil.copy(ROOT / "script/lint", self.root / "script/lint")
        shutil.copy(ROOT / ".clang-format", self.root / ".clang-format")
        self.run_in_root(*GIT, "init", "-q", "-b", "main")

    def run_in_root(self, *command):
        return subprocess.run(
            command,
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def commit(self):
        self.run_in_root(*GIT, "add", "-A")
        self.run_in_root(*GIT, "commit", "-q", "-m", "State")

    def lint(self, *arguments):
        return self.run_in_root("script/lint", "--quick", *arguments)

    def assert_fails(self, check):
        result = self.lint()
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn(f"FAILED  {check}", result.stdout)

    def test_clean_tree_passes(self):
        (self.root / "one.cc").write_text(TIDY_CODE)
        result = self.lint()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("clang-format, 1 files", result.stdout)

    def test_format(self):
        (self.root / "one.cc").write_text(UNTIDY_CODE)
        self.assert_fails("clang-format")

    def test_fix_formats(self):
        (self.root / "one.cc").write_text(UNTIDY_CODE)
        self.assertEqual(self.lint("--fix").returncode, 0)
        self.assertEqual((self.root / "one.cc").read_text(), TIDY_CODE)

    def test_shell_script_without_extension(self):
        (self.root / "script/broken").write_text("#!/usr/bin/env bash\nif true; then\n")
        self.assert_fails("shell scripts")

    def test_python_syntax(self):
        (self.root / "one.py").write_text("def one(:\n")
        self.assert_fails("Python syntax")

    def test_json(self):
        (self.root / "one.json").write_text("{,}\n")
        self.assert_fails("JSON")

    def test_changed_leaves_committed_files_alone(self):
        (self.root / "one.cc").write_text(UNTIDY_CODE)
        self.commit()
        self.assertEqual(self.lint("--changed").returncode, 0)
        (self.root / "two.cc").write_text(UNTIDY_CODE)
        self.assertEqual(self.lint("--changed").returncode, 1)

    def test_changed_without_main_says_so(self):
        result = self.lint("--changed")
        self.assertEqual(result.returncode, 1)
        self.assertIn("needs the branch main", result.stdout)


if __name__ == "__main__":
    unittest.main()
