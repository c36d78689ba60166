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
        (self.root / "cmake").mkdir()
        shutil.copy(ROOT / "cmake/check_layers.py", self.root / "cmake/check_layers.py")
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

    def add_library(self, name, include="", deps=""):
        folder = self.root / "services" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.h").write_text("int One();\n")
        (folder / f"{name}.cc").write_text(include)
        (folder / "CMakeLists.txt").write_text(
            f"twintree_add_library({name} SOURCES {name}.cc HEADERS {name}.h {deps})\n")

    def test_include_of_a_dependency(self):
        self.add_library("below")
        self.add_library("above", '#include "services/below/below.h"\n', "DEPS twintree::below")
        self.assertEqual(self.lint().returncode, 0)

    def test_include_of_what_is_no_dependency(self):
        self.add_library("below", '#include "services/above/above.h"\n')
        self.add_library("above", deps="DEPS twintree::below")
        self.assert_fails("layers")

    def test_libraries_in_a_circle(self):
        self.add_library("one", deps="DEPS twintree::two")
        self.add_library("two", deps="PRIVATE_DEPS twintree::one")
        self.assert_fails("layers")

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
