"""Debian's slapd as a target: shows that the tests themselves are right.

Runs on a temporary configuration and database of its own; the system's slapd is not touched.
"""

import subprocess

from processes import Process, wait_until
from target import ADMIN, PASSWORD, SUFFIX, Target, free_port

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
TLSCACertificateFile {certificates.ca}
TLSCertificateFile {certificates.certificate}
TLSCertificateKeyFile {certificates.key}
access to attrs=userPassword by anonymous auth by * none
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


class Slapd(Target):
    def __init__(self):
        super().__init__("slapd")
        (self.folder / "data").mkdir()
        configuration = self.folder / "slapd.conf"
        configuration.write_text(_CONFIGURATION.format(
            folder=self.folder, certificates=self.certificates, suffix=SUFFIX, admin=ADMIN,
            password=PASSWORD), encoding="ascii")
        self.ldap_port = free_port()
        self.ldaps_port = free_port()
        self.ldapi_path = str(self.folder / "ldapi")
        urls = (f"ldap://127.0.0.1:{self.ldap_port} ldaps://127.0.0.1:{self.ldaps_port} "
                f"ldapi://{self.ldapi_path.replace('/', '%2F')}")
        self.directory = Process(
            "slapd", ["/usr/sbin/slapd", "-h", urls, "-f", configuration, "-d", "0"],
            self.folder / "slapd.log")
        self.gateways = [self.directory]

    def start(self):
        self.directory.start()
        wait_until(lambda: self.serves() or not self.directory.alive(), 10, "slapd ready")
        self.add_suffix()

    def stop(self):
        self.directory.terminate()

    def kill(self):
        self.directory.kill()

    def processes(self):
        return [self.directory]

    def close(self):
        self.directory.kill()
        super().close()

    def import_ldif(self, path):
        done = subprocess.run(
            ["ldapadd", "-x", "-H", f"ldap://127.0.0.1:{self.ldap_port}", "-D", ADMIN,
             "-w", PASSWORD, "-f", str(path)], capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stdout + done.stderr
