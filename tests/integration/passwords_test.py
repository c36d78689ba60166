#!/usr/bin/python3
"""What a server stores of a clear-text password that arrives through either door, and what it takes
for right afterwards; hashes that other servers made, imported and added.

    passwords_test.py --wiring serve|split
"""

import argparse
import sys
import unittest

import ber
import ldap_message as ldap
from case_files import load
from grpc_door import ROOT, Client, basic, pb, person
from harness import Deployment
from procedure_case import expect_code
from target import SUFFIX

MODIFY_PASSWORD = "1.3.6.1.4.1.4203.1.11.1"
CLEAR = "correct horse"
# Made with the password secret-1 by OpenLDAP's slappasswd, Perl's crypt and Argon2's reference.
OF_OTHERS = {
    "md5": "{MD5}WSbtEEk+YTE3II4dU2DY8w==",
    "smd5": "{SMD5}F8IXrk3THkQD1/GZBMdJEPwkBTs=",
    "sha256": "{SHA256}9+fDbkWOgOa2osZ9Cp7Am9cY2t17+o1r9uetUm5Gwvc=",
    "ssha384": "{SSHA384}mF5n7GfMMjYq+wJqbfSTHkVlLFPHt1mMpskJEQnLuoI53RKD1wPqwsUoCcttZ6EcmNOEyCxsYUw=",
    "yescrypt": "{CRYPT}$y$j9T$abcdefghijklmnop$HtjaPolyNJZXlIwY/hqMllM3/wYBvO4UBU2kNlPE/q5",
    "bcrypt": "{CRYPT}$2b$08$abcdefghijklmnopqrstuu4dijOCoJQt32A7rSrHGMqbeGrn0Z1xi",
    "argon2id": "{ARGON2}$argon2id$v=19$m=4096,t=2,p=1$dHdpbnRyZWUtc2FsdC0xNg$"
                "58aTalNUnX3HfR/Qa9cC4VVIef6sqTzoQJOTobZCXYA",
    "argon2i": "{ARGON2}$argon2i$v=19$m=4096,t=3,p=1$izCyKsiaqndItEKm9f2Mkw$"
               "SlVUPuJuA8+xkxWFPCE4MQX+W8v04n9TPjx0M9dT6ts",
}


def hashes_of_the_case():
    """cn to stored value of the entries of PWH-01."""
    (case,) = [case for case in load() if case["id"] == "PWH-01"]
    lines = [line.partition(": ") for line in case["setup"].splitlines()]
    names = [value for name, _, value in lines if name == "cn"]
    return dict(zip(names, (value for name, _, value in lines if name == "userPassword"),
                    strict=True))


def stored(deployment, dn):
    """The values of userPassword as the root name reads them."""
    with deployment.admin() as admin:
        (entry,) = expect_code(admin.search(dn, "base", attributes=["userPassword"]), 0).entries
    return [value.decode() for values in dict(entry.attributes).values() for value in values]


class Ways:
    """Every way by which a clear-text password gets into an entry that is there or is made."""

    def __init__(self, deployment):
        self._deployment = deployment
        self._grpc = Client(deployment.directory.addresses["grpc"])

    def all(self):
        return [self.add, self.modify_replace, self.modify_add, self.password_modify,
                self.create_entry, self.modify_entry, self.change_password]

    def _entry(self, name, *passwords):
        dn = f"cn={name},{SUFFIX}"
        with self._deployment.admin() as admin:
            expect_code(admin.add(dn, {"objectClass": ["person"], "cn": [name], "sn": ["x"],
                                       **({"userPassword": passwords} if passwords else {})}), 0)
        return dn

    def add(self):
        return self._entry("add", CLEAR)

    def _modify(self, operation):
        dn = self._entry(f"to {operation}")
        with self._deployment.admin() as admin:
            expect_code(admin.modify(dn, [(operation, "userPassword", [CLEAR])]), 0)
        return dn

    def modify_replace(self):
        return self._modify("replace")

    def modify_add(self):
        return self._modify("add")

    def password_modify(self):
        dn = self._entry("exop", "first")
        value = ber.sequence(ber.octets("first", 0x81), ber.octets(CLEAR, 0x82))
        with self._deployment.connect() as connection:
            expect_code(connection.bind(dn, "first"), 0)
            expect_code(connection.extended(MODIFY_PASSWORD, value), 0)
        return dn

    def create_entry(self):
        dn = f"cn=create,{SUFFIX}"
        self._grpc.call("CreateEntry", ROOT, entry=person(dn, userPassword=[CLEAR]))
        return dn

    def modify_entry(self):
        dn = self._entry("modify entry")
        self._grpc.call("ModifyEntry", ROOT, dn=dn, modifications=[pb.Modification(
            operation="OPERATION_ADD", attribute="userPassword", values=[CLEAR.encode()])])
        return dn

    def change_password(self):
        dn = self._entry("change", "first")
        self._grpc.call("ChangePassword", basic(dn, "first"), old_password="first",
                        new_password=CLEAR)
        return dn


class PasswordsTest(unittest.TestCase):
    wiring = "serve"

    def deploy(self, *directory_flags):
        return self.enterContext(
            Deployment(self.wiring, tls=False, directory_flags=directory_flags))

    def assert_binds(self, deployment, dn, right, *wrong):
        with deployment.connect() as connection:
            expect_code(connection.bind(dn, right), 0)
            for password in wrong:
                expect_code(connection.bind(dn, password), 49)

    def assert_stored_as(self, deployment, prefix):
        for way in Ways(deployment).all():
            with self.subTest(way=way.__name__):
                dn = way()
                (value,) = stored(deployment, dn)
                self.assertTrue(value.startswith(prefix), value)
                self.assertNotIn(CLEAR, value.removeprefix(prefix))
                self.assert_binds(deployment, dn, CLEAR, value)
        deployment.stop()

    def test_argon2id_unless_configured_otherwise(self):
        self.assert_stored_as(self.deploy(), "{ARGON2}$argon2id$v=19$m=")

    def test_the_scheme_is_configurable(self):
        self.assert_stored_as(self.deploy("--password-scheme=ssha512"), "{SSHA512}")

    def test_clear_text_if_that_is_wanted(self):
        deployment = self.deploy("--password-scheme=clear")
        for way in Ways(deployment).all():
            dn = way()
            self.assertEqual(stored(deployment, dn), [CLEAR], way.__name__)
            self.assert_binds(deployment, dn, CLEAR, "x")

    def test_hashes_of_other_servers_added_and_imported(self):
        deployment = self.deploy()
        hashes = {**hashes_of_the_case(), **OF_OTHERS}
        self.assertGreater(len(hashes), 13)
        with deployment.admin() as admin:
            for name, value in hashes.items():
                expect_code(admin.add(f"cn=added {name},{SUFFIX}", {
                    "objectClass": ["person"], "sn": ["x"], "userPassword": [value]}), 0)
        ldif = deployment.folder / "hashes.ldif"
        ldif.write_text("\n".join(
            f"dn: cn=imported {name},{SUFFIX}\nobjectClass: person\ncn: imported {name}\nsn: x\n"
            f"userPassword: {value}\n" for name, value in hashes.items()), encoding="ascii")
        succeeded, output = deployment.import_ldif(ldif)
        self.assertTrue(succeeded, output)
        for name, value in hashes.items():
            for how in ("added", "imported"):
                with self.subTest(name=name, how=how):
                    dn = f"cn={how} {name},{SUFFIX}"
                    self.assertEqual(stored(deployment, dn), [value])
                    self.assert_binds(deployment, dn, "secret-1", "secret-2", value,
                                      value.partition("}")[2])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--wiring", choices=["serve", "split"], default="serve")
    arguments, rest = parser.parse_known_args()
    PasswordsTest.wiring = arguments.wiring
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
