"""Procedures of tests/cases/tls.yaml, and those of bind.yaml that need time to be measured."""

import time

import ldap_message as ldap
from ber_client import Connection
from harness import elapsed
from procedure_case import ProcedureCase, expect_code, is_closed_within, make_box
from processes import PATIENCE, wait_until


def _root_dse(port, **options):
    with Connection(port, **options) as connection:
        return connection.search("", "base", attributes=["supportedExtension"])


class TlsProcedures(ProcedureCase):
    def test_TLS_01_start_tls_on_ldaps(self):
        deployment = self.deploy()
        tls = deployment.certificates.client()
        with Connection(deployment.ldaps_port, tls=tls) as connection:
            expect_code(connection.extended(ldap.START_TLS), 1, 2)
            expect_code(connection.search("", "base"), 0)

    def test_TLS_01_start_tls_without_certificate(self):
        deployment = self.deploy(tls=False)
        with deployment.connect() as connection:
            expect_code(connection.extended(ldap.START_TLS), 2, 52)
            result = connection.search("", "base", attributes=["supportedExtension"])
        listed = [value for _, values in result.entries[0].attributes for value in values]
        self.assertNotIn(ldap.START_TLS.encode(), listed)
        self.assertIn(ldap.WHO_AM_I.encode(), listed)

    def test_TLS_01_bind_before_start_tls_does_not_grow(self):
        deployment = self.deploy()
        box = make_box(deployment, "tls01")
        dn, entry = f"cn=u,{box}", {"objectClass": ["person"], "cn": ["u"], "sn": ["x"]}
        with deployment.admin() as admin:
            expect_code(admin.add(dn, {**entry, "userPassword": ["pw-tls01"]}), 0)
        tls = deployment.certificates.client()
        for name, password, before in (("", "", b""), (dn, "pw-tls01", f"dn:{dn}".encode())):
            with deployment.connect() as connection:
                expect_code(connection.bind(name, password), 0)
                self.assertEqual(connection.extended(ldap.WHO_AM_I).value or b"", before)
                expect_code(connection.start_tls(tls), 0)
                after = connection.extended(ldap.WHO_AM_I).value or b""
                # slapd drops the identity, ours stays as it was.
                self.assertIn(after, {b"", before} if self.wiring == "slapd" else {before})
                refused = connection.add(f"cn=v,{box}", {**entry, "cn": ["v"]})
                self.assertNotEqual(refused.code, 0)
                expect_code(connection.bind(), 0)
                self.assertEqual(connection.extended(ldap.WHO_AM_I).value or b"", b"")

    def test_TLS_03_unfinished_handshakes(self):
        limit = 3 * PATIENCE
        deployment = self.deploy(gateway_flags=[f"--handshake-timeout={limit}"])
        tls = deployment.certificates.client()
        _root_dse(deployment.ldaps_port, tls=tls)
        sockets_before = deployment.gateway.open_sockets()
        silent = [self.enterContext(Connection(deployment.ldaps_port)) for _ in range(51)]
        silent[-1].send_raw(bytes.fromhex("160301020001"))
        seconds, result = elapsed(lambda: _root_dse(deployment.ldaps_port, tls=tls))
        expect_code(result, 0)
        self.assert_quick(seconds, 1, "search over LDAPS")
        seconds, result = elapsed(lambda: _root_dse(deployment.ldap_port))
        expect_code(result, 0)
        self.assert_quick(seconds, 1, "search on the plain port")

        for connection in silent:
            self.assertTrue(is_closed_within(connection, limit + 10), "handshake has no limit")
        wait_until(lambda: deployment.gateway.open_sockets() <= sockets_before, 5,
                   "open sockets back at the start value")

    def test_TLS_03_clear_bind_on_ldaps(self):
        deployment = self.deploy()
        with Connection(deployment.ldaps_port) as connection:
            connection.send_raw(ldap.request(1, ldap.bind("", "")))
            data = connection.read_until_closed(5)
        # A TLS alert (content type 21) is fine; an LDAP message would start with 0x30.
        self.assertIn(data[:1], (b"", b"\x15"))
        self.assertTrue(deployment.serves())


class BindProcedures(ProcedureCase):
    def test_BND_03_failed_binds_look_the_same(self):
        deployment = self.deploy()
        box = make_box(deployment, "bnd03")
        with deployment.admin() as admin:
            for name, password in (("u", ["pw-bnd03"]), ("nopw", [])):
                attributes = {"objectClass": ["person"], "cn": [name], "sn": ["x"]}
                attributes.update({"userPassword": password} if password else {})
                expect_code(admin.add(f"cn={name},{box}", attributes), 0)
        names = (f"cn=u,{box}", f"cn=missing,{box}", f"cn=nopw,{box}", "dc=elsewhere,dc=test")
        answers, quickest = set(), dict.fromkeys(names, 1e9)
        with deployment.connect() as connection:
            for _ in range(9):
                for dn in names:
                    start = time.monotonic()
                    result = connection.bind(dn, "wrong")
                    quickest[dn] = min(quickest[dn], time.monotonic() - start)
                    answers.add((result.code, result.matched, result.text))
        self.assertEqual(len(answers), 1, answers)
        self.assertEqual({answer[:2] for answer in answers}, {(49, "")})
        # A hash takes many times longer than a look-up: skipping it would show as a factor.
        self.assertLess(max(quickest.values()), 3 * min(quickest.values()) + 0.005, quickest)
