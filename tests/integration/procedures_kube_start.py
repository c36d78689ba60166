"""Procedures of tests/cases/kube.yaml about starting: limits, foreign users, slow starts."""

import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest.mock
from pathlib import Path

from harness import Deployment, binary
from procedure_case import MIB, ProcedureCase, attempt, expect_code, make_box
from target import SUFFIX

_READ_ONLY_ROOT = Path(__file__).with_name("read_only_root.sh")
_UNSHARE = ["unshare", "--mount", "--propagation", "private"]
_USER, _GROUP = 12345, 0
_ENTRIES = 50000


def _limit_files(number):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))


class KubeStartProcedures(ProcedureCase):
    def setUp(self):
        self.not_slapd("about starting the programs of this project")

    def test_K8S_03_memory_does_not_follow_the_descriptor_limit(self):
        most = min(1048576, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        self.assertGreater(most, 1024, "nothing to compare")
        seconds, deployments = [], []
        for number in (1024, most):
            start = time.monotonic()
            deployments.append(self.deploy(preexec=_limit_files(number)))
            seconds.append(time.monotonic() - start)
        self.assert_quick(abs(seconds[0] - seconds[1]), 1, "difference of the start-up times")
        time.sleep(10)
        for few, many in zip(*(deployment.processes() for deployment in deployments)):
            small, large = few.resident_bytes(), many.resident_bytes()
            self.assert_grew_less(small, large, 10 * MIB, few.name)
            self.assert_grew_less(0, large, 128 * MIB, few.name)

    def become_able_to_serve_as_another_user(self):
        """Another user may not reach a build below /root, so the program is copied."""
        if os.geteuid() != 0:
            self.skipTest("needs root to become another user")
        folder = Path(tempfile.mkdtemp(prefix="twintree-test-"))
        self.addCleanup(shutil.rmtree, folder)
        folder.chmod(0o755)
        shutil.copy(binary(), folder)
        patch = unittest.mock.patch.dict(os.environ, TWINTREE_BIN_DIR=str(folder))
        patch.start()
        self.addCleanup(patch.stop)

    def test_K8S_05_foreign_user_and_read_only_root(self):
        self.become_able_to_serve_as_another_user()
        if subprocess.run([*_UNSHARE, "true"], check=False, capture_output=True).returncode:
            self.skipTest("needs the right to make a mount namespace")

        def wrapper(deployment):
            folders = [deployment.data, deployment.run_folder]
            return [*_UNSHARE, "sh", _READ_ONLY_ROOT, _USER, _GROUP, *folders, "--"]

        deployment = Deployment(self.wiring, wrapper=wrapper)
        self.addCleanup(deployment.close)
        self.addCleanup(self.show_logs_of_failure, deployment)
        deployment.data.chmod(0o770)
        start = time.monotonic()
        deployment.start()
        self.assert_quick(time.monotonic() - start, 10, "ready")
        box = make_box(deployment, "k8s05")
        with deployment.connect() as connection:
            self.assertEqual(len(connection.search(box, "base").entries), 1)
        for process in deployment.processes():
            self.assertEqual(os.stat(f"/proc/{process.pid}").st_uid, _USER)
        deployment.stop()

    def test_K8S_05_unwritable_data_directory(self):
        self.become_able_to_serve_as_another_user()
        deployment = Deployment(self.wiring, user=_USER, group=_GROUP)
        self.addCleanup(deployment.close)
        self.addCleanup(self.show_logs_of_failure, deployment)
        deployment.data.chmod(0o555)
        deployment.directory.start()
        code = deployment.directory.wait(10)
        self.assertGreater(code, 0, "exit code, or the signal that ended the process")
        naming = [line for line in deployment.directory.log().splitlines()
                  if str(deployment.data) in line]
        self.assertEqual(len(naming), 1, deployment.directory.log())

    def test_K8S_05_ready_only_with_complete_answers(self):
        deployment = Deployment(self.wiring)
        self.addCleanup(deployment.close)
        self.addCleanup(self.show_logs_of_failure, deployment)
        ldif = deployment.folder / "people.ldif"
        subprocess.run([binary("twintree-load"), "generate", f"--entries={_ENTRIES}",
                        f"--output={ldif}"], check=True)
        done = deployment.run("import", "--data", deployment.data, "--suffix", SUFFIX, ldif,
                              timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        remove_indexes(deployment.data)

        deployment.start(ready=False)
        start = time.monotonic()
        while not all(process.ready() for process in deployment.processes()):
            early = attempt(lambda: self.numbered(deployment))
            if early is not None and early.code == 0:
                self.assertEqual(len(early.entries), 111, "incomplete answer")
            if time.monotonic() - start > 2:
                for process in deployment.processes():
                    self.assertTrue(process.live(), f"{process.name} not alive")
            self.assert_quick(time.monotonic() - start, 120, "ready")
        self.assertEqual(len(expect_code(self.numbered(deployment), 0).entries), 111)
        deployment.stop()
        deployment.check()

    @staticmethod
    def numbered(deployment):
        """The users whose number starts with 123: 1, 10 and 100 of them."""
        with deployment.connect() as connection:
            return connection.search(SUFFIX, "sub", "(cn=user 123*)", ["1.1"])


def remove_indexes(data):
    """Drops the index tables of a store and everything that says they were ever built."""
    for path in data.rglob("*.db"):
        database = sqlite3.connect(path)
        names = [name for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('term', 'substring')")]
        for name in names:
            database.execute(f'DROP TABLE IF EXISTS "{name}"')
        database.commit()
        database.close()
        if not names:
            raise AssertionError(f"no index tables in {path}")
