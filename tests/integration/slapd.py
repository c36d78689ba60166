"""Debian's slapd as a target: shows that the tests themselves are right.

Runs on a temporary configuration and database of its own; the system's slapd is not touched. Tests
of what slapd has not (metrics, gRPC, health) skip themselves when they ask for it.
"""

import subprocess
import unittest

from processes import Process, wait_until
from target import ADMIN, PASSWORD, SUFFIX, Target, free_port, percent_escaped

_CONFIGURATION = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include /etc/ldap/schema/nis.schema
modulepath /usr/lib/ldap
moduleload back_mdb.la
moduleload memberof.la
moduleload refint.la
moduleload pw-sha2.la
pidfile {folder}/slapd.pid
sizelimit unlimited
conn_max_pending 2000
TLSCACertificateFile {certificates.ca}
TLSCertificateFile {certificates.certificate}
TLSCertificateKeyFile {certificates.key}
access to attrs=userPassword by self =wx by anonymous auth by * none
access to * by * read
database mdb
suffix "{suffix}"
rootdn "{admin}"
rootpw {password}
directory {folder}/data
maxsize 4294967296
dbnosync
index objectClass,uid,member,entryUUID eq
index cn,sn eq,sub
overlay memberof
memberof-refint TRUE
overlay refint
refint_attributes member owner
"""


_SETTINGS = {"--idle-timeout": "idletimeout", "--read-timeout": "idletimeout",
             "--write-timeout": "writetimeout"}


class SlapdProcess(Process):
    """slapd as the one process of a deployment."""

    def __init__(self, command, log_path, ports):
        super().__init__("slapd", command, log_path)
        self._ports = ports

    def port(self, protocol):
        return self._ports[protocol]

    def __getattr__(self, name):
        if name in ("http", "ready", "live", "metrics", "addresses"):
            raise unittest.SkipTest(f"slapd has no {name}")
        raise AttributeError(name)


class Slapd(Target):
    """Takes the flags of a Deployment that slapd has a setting for, and skips the test else."""

    def __init__(self, *, gateways=1, gateway_flags=(), tls=True):
        super().__init__("slapd")
        if gateways != 1 or not tls:
            self.close()
            raise unittest.SkipTest("slapd is one process with TLS")
        self.data = self.folder / "data"
        self.data.mkdir()
        self._configuration = self.folder / "slapd.conf"
        self._configuration.write_text(self._settings(gateway_flags), encoding="ascii")
        ports = {"ldap": free_port(), "ldaps": free_port()}
        self.ldap_port, self.ldaps_port = ports["ldap"], ports["ldaps"]
        self.ldapi_path = str(self.folder / "ldapi")
        urls = (f"ldap://127.0.0.1:{self.ldap_port} ldaps://127.0.0.1:{self.ldaps_port} "
                f"ldapi://{percent_escaped(self.ldapi_path)}")
        self.directory = SlapdProcess(
            ["/usr/sbin/slapd", "-h", urls, "-f", self._configuration, "-d", "0"],
            self.folder / "slapd.log", ports)
        self.gateways = [self.directory]
        self.gateway = self.directory

    def _settings(self, flags):
        configuration = _CONFIGURATION.format(
            folder=self.folder, certificates=self.certificates, suffix=SUFFIX, admin=ADMIN,
            password=PASSWORD)
        for flag in flags:
            name, _, value = flag.partition("=")
            if name not in _SETTINGS:
                self.close()
                raise unittest.SkipTest(f"slapd has no {name}")
            configuration = f"{_SETTINGS[name]} {value}\n" + configuration
        return configuration

    def processes(self):
        return [self.directory]

    def start(self, *, suffix=True):
        if not self.directory.alive():
            self.directory.start()
        wait_until(lambda: self.serves() or not self.directory.alive(), 10, "slapd ready")
        if suffix:
            self.add_suffix()

    def stop(self):
        self.directory.terminate()

    def close(self):
        if hasattr(self, "directory"):
            self.directory.kill()
        super().close()

    def resident_bytes(self):
        return self.directory.resident_bytes()

    def open_connections(self):
        return self.directory.open_files()

    def check(self):
        """Reads the whole database of the stopped server."""
        subprocess.run(["/usr/sbin/slapcat", "-f", self._configuration, "-l", "/dev/null"],
                       check=True, capture_output=True)

    def show_logs(self):
        """slapd logs nothing here."""

    def assert_clean_log(self):
        """slapd's log is not structured."""

    def import_ldif(self, path):
        done = subprocess.run(
            ["ldapadd", "-x", "-H", f"ldap://127.0.0.1:{self.ldap_port}", "-D", ADMIN,
             "-w", PASSWORD, "-f", str(path)], capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stdout + done.stderr
