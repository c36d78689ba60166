"""What the procedures share: the wiring under test, data to work on, and clients in threads."""

import threading
import unittest

from ber_client import Closed, TimedOut
from harness import Deployment
from processes import PATIENCE, SANITIZE
from slapd import Slapd
from target import SUFFIX

MIB = 1024 * 1024


class ProcedureCase(unittest.TestCase):
    """Base of all procedures. `wiring` is set by procedures_test.py."""

    wiring = "serve"

    def deploy(self, **options):
        """A running deployment that ends with the test; if that fails, its logs are printed."""
        target = Slapd(**options) if self.wiring == "slapd" else Deployment(self.wiring, **options)
        self.enterContext(target)
        self.addCleanup(self.show_logs_of_failure, target)
        return target

    def show_logs_of_failure(self, target):
        if not self._outcome.success:
            target.show_logs()

    def split_only(self):
        if self.wiring != "split":
            self.skipTest("about two processes; runs in the wiring split")

    def not_slapd(self, reason):
        if self.wiring == "slapd":
            self.skipTest(reason)

    def assert_grew_less(self, before, after, limit, what):
        """Memory limits hold for programs without a sanitizer."""
        if not SANITIZE:
            self.assertLess(after - before, limit, f"{what} grew from {before} to {after}")

    def assert_quick(self, seconds, limit, what):
        self.assertLess(seconds, limit * PATIENCE, what)


def make_box(deployment, name):
    """Creates `ou=<name>` below the suffix and returns its DN."""
    dn = f"ou={name},{SUFFIX}"
    with deployment.admin() as admin:
        expect_code(admin.add(dn, {"objectClass": ["organizationalUnit"], "ou": [name]}), 0)
    return dn


def expect_code(result, *codes):
    """The result, if its code is one of `codes`. Errors: AssertionError."""
    if result.code not in codes:
        raise AssertionError(f"result {result.code} ({result.text}) instead of {codes}")
    return result


def add_wide_entries(deployment, box, count=300, size=20000):
    """inetOrgPerson entries cn=w0000... with sn wide and a description of `size` letters d."""
    with deployment.admin() as admin:
        for number in range(count):
            name = f"w{number:04d}"
            expect_code(admin.add(f"cn={name},{box}", {
                "objectClass": ["inetOrgPerson"], "cn": [name], "sn": ["wide"],
                "description": ["d" * size]}), 0)


def counter_entry(box):
    """DN and attributes of a posixAccount whose uidNumber is 0."""
    return f"uid=c,{box}", {
        "objectClass": ["account", "posixAccount"], "uid": ["c"], "cn": ["c"], "uidNumber": ["0"],
        "gidNumber": ["1"], "homeDirectory": ["/x"]}


class Clients:
    """Functions in threads; leaving the block waits for all and raises the first error.

    A client that loops asks `stopping` whether to go on; `stop` makes it true.
    """

    def __init__(self):
        self._threads = []
        self._errors = []
        self._stop = threading.Event()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self._stop.set()
        self.join()
        if kind is None and self._errors:
            raise self._errors[0]

    def start(self, function, *arguments):
        def run():
            try:
                function(*arguments)
            except BaseException as error:
                self._errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    @property
    def stopping(self):
        return self._stop.is_set()

    def stop(self):
        self._stop.set()

    def join(self, timeout=120):
        for thread in self._threads:
            thread.join(timeout * PATIENCE)
            if thread.is_alive():
                raise AssertionError("a client still waits")


def is_closed_within(connection, timeout):
    """Whether the server ends the session in time; what it sends before does not matter."""
    try:
        connection.read_until_closed(timeout)
    except TimedOut:
        return False
    return True


def attempt(operation):
    """The Result of a call, or None if the server closed the session meanwhile."""
    try:
        return operation()
    except (Closed, OSError):
        return None
