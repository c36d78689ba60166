"""What every server under test offers to a test, whoever wrote it."""

import socket
import tempfile
from pathlib import Path

from ber_client import Closed, Connection, TimedOut
from certificates import Certificates
from processes import PATIENCE

SUFFIX = "dc=example,dc=com"
ADMIN = "cn=admin,dc=example,dc=com"
PASSWORD = "secret"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def percent_escaped(path):
    """A path as the host of an ldapi URL."""
    return path.replace("/", "%2F")


class Target:
    """A directory server with suffix SUFFIX and administrator ADMIN, in a temporary folder.

    Subclasses set `ldap_port`, `ldaps_port` and `ldapi_path` and implement start, stop and
    `import_ldif(path)`, which returns (succeeded, output).
    """

    ldap_port = None
    ldaps_port = None
    ldapi_path = None

    def __init__(self, name):
        self.name = name
        self._folder = tempfile.TemporaryDirectory(prefix="twintree-test-")
        self.folder = Path(self._folder.name)
        self.folder.chmod(0o755)
        self.certificates = Certificates(self.folder)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends every process and removes the folder."""
        self._folder.cleanup()

    def connect(self, **options):
        return Connection(self.ldap_port, **options)

    def admin(self, **options):
        """A connection bound as administrator."""
        connection = self.connect(**options)
        result = connection.bind(ADMIN, PASSWORD)
        if result.code != 0:
            connection.close()
            raise AssertionError(f"administrator's bind: {result}")
        return connection

    def serves(self, timeout=5.0 * PATIENCE):
        """Whether a new connection gets the root DSE."""
        try:
            with self.connect(timeout=timeout) as connection:
                return connection.search("", "base", attributes=["1.1"]).code == 0
        except (OSError, Closed, TimedOut):
            return False

    def add_suffix(self):
        """Creates the suffix entry unless it exists."""
        with self.admin() as connection:
            result = connection.add(SUFFIX, {"objectClass": ["top", "dcObject", "organization"],
                                             "dc": ["example"], "o": ["Example"]})
        if result.code not in (0, 68):
            raise AssertionError(f"suffix entry: {result}")
