"""The servers under comparison: started on loopback, ended by process ID."""

import atexit
import ctypes
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import time
import urllib.request

SLAPD = "/usr/sbin/slapd"
SLAPADD = "/usr/sbin/slapadd"
SUFFIX = "dc=example,dc=com"
ADMIN = "cn=admin,dc=example,dc=com"
PASSWORD = "secret"

_START_SECONDS = 60
_STOP_SECONDS = 60
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)

# The indexes that Twintree keeps by default, as far as slapd's schema has the attributes.
_SLAPD_CONFIGURATION = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include /etc/ldap/schema/nis.schema
modulepath /usr/lib/ldap
moduleload back_mdb.la
pidfile {folder}/slapd.pid
sizelimit unlimited
timelimit unlimited
access to attrs=userPassword by self =xw by anonymous auth by * none
access to * by * read
database mdb
suffix "{suffix}"
rootdn "{admin}"
rootpw {password}
directory {folder}/slapd-data
maxsize {maxsize}
checkpoint 1024 5
index objectClass eq
index uid,cn,sn,givenName,mail,displayName pres,eq,sub
index uidNumber,gidNumber,entryCSN,createTimestamp,modifyTimestamp eq
index entryUUID,memberUid,member,uniqueMember,manager,ou,dc,o,telephoneNumber,employeeNumber eq
"""


def _end_with_parent():
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class StartError(Exception):
    """A server that is not ready in time, or a command that failed."""


class _Process:
    """A child with its log in a file."""

    def __init__(self, command, log):
        self.log = log
        with open(log, "ab") as out:
            self._child = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                preexec_fn=_end_with_parent)
        atexit.register(self.kill)

    @property
    def pid(self):
        return self._child.pid

    def wait_for(self, condition, what):
        end = time.monotonic() + _START_SECONDS
        while not (answer := condition()):
            if self._child.poll() is not None or time.monotonic() > end:
                raise StartError(f"{what}: not ready\n{self.text()[-2000:]}")
            time.sleep(0.02)
        return answer

    def text(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def terminate(self):
        if self._child.poll() is not None:
            return
        self._child.send_signal(signal.SIGTERM)
        try:
            self._child.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()


def _run(command, log):
    with open(log, "ab") as out:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out,
                              stderr=out, check=False)
    if done.returncode != 0:
        raise StartError(f"{command[0]} ended with {done.returncode}; see {log}:\n"
                         + log.read_text(encoding="utf-8", errors="replace")[-2000:])


def _size(folder):
    """Bytes on disk: files with holes count as what they take."""
    return sum(os.lstat(os.path.join(path, name)).st_blocks * 512
               for path, _, names in os.walk(folder) for name in names)


class Server:
    """One deployment. After load() `load_seconds` and `size_bytes`, after start() `ldap_port`."""

    name = None

    def __init__(self, folder, chosen):
        self._folder = folder
        self._bin = chosen.bin
        self._entries = chosen.entries
        self._flags = chosen.twintree_flag
        self._processes = []
        self.ldap_port = None
        self.load_seconds = None
        self.size_bytes = None
        self.password_file = folder / "password"
        self.password_file.write_text(PASSWORD + "\n", encoding="ascii")
        self.password_file.chmod(0o600)

    @property
    def pids(self):
        return [process.pid for process in self._processes]

    def _timed_load(self, command, data):
        begin = time.monotonic()
        _run(command, self._folder / f"{self.name}-load.log")
        self.load_seconds = time.monotonic() - begin
        self.size_bytes = _size(data)

    def close(self):
        """Ends the processes: SIGTERM, the last one first."""
        for process in reversed(self._processes):
            process.terminate()


class Slapd(Server):
    """OpenLDAP's slapd with LMDB, durable."""

    name = "slapd"

    def load(self, ldif):
        data = self._folder / "slapd-data"
        data.mkdir()
        self._configuration = self._folder / "slapd.conf"
        self._configuration.write_text(_SLAPD_CONFIGURATION.format(
            folder=self._folder, suffix=SUFFIX, admin=ADMIN, password=PASSWORD,
            maxsize=max(1 << 30, self._entries * 20_000)), encoding="ascii")
        self._timed_load([SLAPADD, "-q", "-f", self._configuration, "-l", ldif], data)

    def start(self):
        self.ldap_port = _free_port()
        process = _Process([SLAPD, "-h", f"ldap://127.0.0.1:{self.ldap_port}", "-f",
                            self._configuration, "-d", "0"], self._folder / "slapd.log")
        self._processes = [process]
        process.wait_for(lambda: _accepts(self.ldap_port), "slapd")


class _Twintree(Server):
    """Ours, whatever the wiring."""

    def __init__(self, folder, chosen):
        super().__init__(folder, chosen)
        self._data = folder / f"{self.name}-data"

    def load(self, ldif):
        self._timed_load([self._bin / "twintree", "import", "--data", self._data, "--suffix",
                          SUFFIX, ldif], self._data)

    def _start(self, command, listeners, flags):
        """Starts a process on free ports; its addresses by protocol, when it is ready."""
        process = _Process([self._bin / "twintree", command, *flags,
                            *(f"--{protocol}-listen=127.0.0.1:0" for protocol in listeners)],
                           self._folder / f"{self.name}-{command}.log")
        self._processes.append(process)

        def addresses():
            found = dict(_listening(process.text()))
            return found if set(listeners) <= set(found) else None

        found = process.wait_for(addresses, f"twintree {command}")
        process.wait_for(lambda: _answers(f"http://{found['http']}/readyz"), f"twintree {command}")
        return found

    def _directory_flags(self):
        return ["--data", self._data, "--suffix", SUFFIX, "--root-dn", ADMIN,
                "--root-password-file", self.password_file, "--access", "open", *self._flags]


class Serve(_Twintree):
    """`twintree serve`."""

    name = "serve"

    def start(self):
        found = self._start("serve", ("ldap", "grpc", "http"), self._directory_flags())
        self.ldap_port = int(found["ldap"].rpartition(":")[2])


class Split(_Twintree):
    """`twintree directory` and `twintree gateway`."""

    name = "split"

    def start(self):
        token = self._folder / "gateway-token"
        token.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
        token.chmod(0o600)
        directory = self._start("directory", ("grpc", "http"), [
            *self._directory_flags(), "--gateway-token-file", token])
        gateway = self._start("gateway", ("ldap", "http"), [
            "--directory", directory["grpc"], "--gateway-token-file", token])
        self.ldap_port = int(gateway["ldap"].rpartition(":")[2])


WIRINGS = {"serve": Serve, "split": Split}


def _listening(log):
    """Pairs of protocol and address from the log's events `listening`."""
    for line in log.splitlines():
        if line.startswith("{"):
            event = json.loads(line)
            if event.get("msg") == "listening":
                yield event["protocol"], event["address"]
        elif re.match(r"\S+ \w+ listening ", line):
            pairs = dict(re.findall(r"(\w+)=\"?([^\s\"]+)", line))
            yield pairs["protocol"], pairs["address"]


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return response.status == 200
    except OSError:
        return False
