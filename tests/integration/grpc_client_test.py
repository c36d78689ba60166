#!/usr/bin/python3
"""The gRPC door as a client in another language sees it: public API, errors, health, reflection."""

import argparse
import sys
import unittest

import grpc

from grpc_door import MIB, SERVICE, TIMEOUT, Client, basic, pb, person, reason_of, values_of
from grpc_health import SERVING, HealthClient, HealthError
from harness import Deployment
from processes import wait_until
from target import SUFFIX


class GrpcClientTest(unittest.TestCase):
    wiring = "serve"

    @classmethod
    def setUpClass(cls):
        cls.deployment = cls.enterClassContext(Deployment(cls.wiring, tls=False))
        cls.client = Client(cls.deployment.directory.addresses["grpc"])

    def create(self, name, **attributes):
        dn = f"cn={name},{SUFFIX}"
        self.client.call("CreateEntry", entry=person(dn, **attributes))
        return dn

    def assert_fails(self, code, reason, ldap_code, function, *arguments, **fields):
        with self.assertRaises(grpc.RpcError) as caught:
            function(*arguments, **fields)
        self.assertEqual(caught.exception.code().name, code)
        info = reason_of(caught.exception)
        self.assertEqual(info.reason, reason)
        self.assertEqual(info.metadata["ldap_result_code"], str(ldap_code))
        return info

    def test_an_entry_from_creation_to_deletion(self):
        dn = f"cn=life,{SUFFIX}"
        created = self.client.call("CreateEntry", entry=person(dn, description=["a", "b"]),
                                   return_attributes=["cn", "description"])
        self.assertEqual(values_of(created.entry),
                         {"cn": [b"life"], "description": [b"a", b"b"]})
        self.assertTrue(created.entry.etag)

        got = self.client.call("GetEntry", dn=dn.upper(), attributes=["description"]).entry
        self.assertEqual(values_of(got), {"description": [b"a", b"b"]})
        self.assertEqual(got.etag, created.entry.etag)

        modified = self.client.call("ModifyEntry", dn=dn, etag=got.etag, modifications=[
            pb.Modification(operation="OPERATION_DELETE", attribute="description", values=[b"a"]),
            pb.Modification(operation="OPERATION_ADD", attribute="mail", values=[b"a@b"])])
        self.assertGreater(modified.change_number, created.change_number)
        self.assertNotEqual(modified.entry.etag, got.etag)

        self.assertTrue(self.client.call("CompareEntry", dn=dn, attribute="mail",
                                         value=b"A@B").matches)
        self.assertFalse(self.client.call("CompareEntry", dn=dn, attribute="mail",
                                          value=b"c@d").matches)

        renamed = self.client.call("RenameEntry", dn=dn, new_rdn="cn=after life")
        self.assertEqual(renamed.dn, f"cn=after life,{SUFFIX}")
        self.client.call("DeleteEntry", dn=renamed.dn)
        self.assert_fails("NOT_FOUND", "NO_SUCH_OBJECT", 32, self.client.call, "GetEntry",
                          dn=renamed.dn)

    def test_a_stale_etag_aborts(self):
        dn = self.create("etag")
        etag = self.client.call("GetEntry", dn=dn).entry.etag
        change = [pb.Modification(operation="OPERATION_REPLACE", attribute="sn", values=[b"y"])]
        self.client.call("ModifyEntry", dn=dn, etag=etag, modifications=change)
        self.assert_fails("ABORTED", "ETAG_MISMATCH", 122, self.client.call, "ModifyEntry", dn=dn,
                          etag=etag, modifications=change)
        self.assert_fails("ABORTED", "ETAG_MISMATCH", 122, self.client.call, "DeleteEntry", dn=dn,
                          etag=etag)

    def test_search_streams_and_ends_with_a_result(self):
        for number in range(30):
            self.create(f"found{number}", description=["search"])
        entries, result = self.client.search(base_dn=SUFFIX, filter="(description=search)",
                                             attributes=["cn"])
        self.assertEqual(len(entries), 30)
        self.assertEqual(result.completion, pb.SearchResult.COMPLETION_COMPLETE)
        self.assertEqual(result.entry_count, 30)
        self.assertEqual({name for entry in entries for name in values_of(entry)}, {"cn"})

        entries, result = self.client.search(base_dn=SUFFIX, filter="(description=search)",
                                             size_limit=7)
        self.assertEqual(len(entries), 7)
        self.assertEqual(result.completion, pb.SearchResult.COMPLETION_SIZE_LIMIT)
        self.assertEqual(result.ldap_result_code, 4)

    def test_errors_have_codes_reasons_and_the_nearest_ancestor(self):
        info = self.assert_fails("NOT_FOUND", "NO_SUCH_OBJECT", 32, self.client.call, "GetEntry",
                                 dn=f"cn=nobody,ou=nowhere,{SUFFIX}")
        self.assertEqual(info.metadata["matched_dn"], SUFFIX)
        self.assert_fails("INVALID_ARGUMENT", "INVALID_SYNTAX", 34, self.client.call, "GetEntry",
                          dn="no name")
        self.assert_fails("INVALID_ARGUMENT", "INVALID_SYNTAX", 2, self.client.search,
                          base_dn=SUFFIX, filter="(cn=")
        self.assert_fails("INVALID_ARGUMENT", "SCHEMA_VIOLATION", 65, self.client.call,
                          "CreateEntry", entry=pb.Entry(dn=f"cn=bad,{SUFFIX}", attributes=[
                              pb.Attribute(name="objectClass", values=[b"person"])]))
        dn = self.create("twice")
        self.assert_fails("ALREADY_EXISTS", "ALREADY_EXISTS", 68, self.client.call, "CreateEntry",
                          entry=person(dn))
        self.assert_fails("FAILED_PRECONDITION", "UNWILLING", 66, self.client.call, "DeleteEntry",
                          dn=SUFFIX)

    def test_callers_are_who_their_metadata_says(self):
        dn = self.create("caller", userPassword=["first"])
        self.assert_fails("PERMISSION_DENIED", "ACCESS_DENIED", 50, self.client.call,
                          "CreateEntry", metadata=(), entry=person(f"cn=anonymous,{SUFFIX}"))
        self.assert_fails("UNAUTHENTICATED", "INVALID_CREDENTIALS", 49, self.client.call,
                          "GetEntry", metadata=basic(dn, "wrong"), dn=dn)
        self.assert_fails("UNAUTHENTICATED", "INVALID_CREDENTIALS", 49, self.client.call,
                          "GetEntry", metadata=(("authorization", "Bearer x.y"),), dn=dn)
        self.assert_fails("UNAUTHENTICATED", "INVALID_CREDENTIALS", 49, self.client.call,
                          "Authenticate", metadata=(), dn=dn, password="wrong")

        session = self.client.call("Authenticate", metadata=(), dn=dn, password="first")
        self.assertEqual(session.dn, dn)
        bearer = (("authorization", f"Bearer {session.token}"),)
        self.client.call("ChangePassword", metadata=bearer, old_password="first",
                         new_password="second")
        self.client.call("GetEntry", metadata=basic(dn, "second"), dn=dn)
        self.assert_fails("UNAUTHENTICATED", "INVALID_CREDENTIALS", 49, self.client.call,
                          "GetEntry", metadata=basic(dn, "first"), dn=dn)
        made_up = self.client.call("ChangePassword", dn=dn).generated_password
        self.client.call("Authenticate", metadata=(), dn=dn, password=made_up)

    def test_a_changed_password_is_not_remembered(self):
        dn = self.create("memory", userPassword=["first"])
        self.client.call("GetEntry", metadata=basic(dn, "first"), dn=dn)
        self.client.call("ModifyEntry", dn=dn, modifications=[pb.Modification(
            operation="OPERATION_REPLACE", attribute="userPassword", values=[b"second"])])
        self.assert_fails("UNAUTHENTICATED", "INVALID_CREDENTIALS", 49, self.client.call,
                          "GetEntry", metadata=basic(dn, "first"), dn=dn)

    def test_a_password_changed_over_ldap_ends_what_it_had_opened(self):
        dn = self.create("elsewhere", userPassword=["first"])
        token = self.client.call("Authenticate", metadata=(), dn=dn, password="first").token
        bearer = (("authorization", f"Bearer {token}"),)
        for metadata in (bearer, basic(dn, "first")):
            self.client.call("GetEntry", metadata=metadata, dn=dn)
        with self.deployment.admin() as admin:
            changed = admin.modify(dn, [("replace", "userPassword", ["second"])])
            self.assertEqual(changed.code, 0, changed)
        for metadata in (bearer, basic(dn, "first")):
            self.assert_fails("UNAUTHENTICATED", "INVALID_CREDENTIALS", 49, self.client.call,
                              "GetEntry", metadata=metadata, dn=dn)
        self.client.call("GetEntry", metadata=basic(dn, "second"), dn=dn)

    def test_values_of_megabytes(self):
        photo = bytes(range(256)) * (5 * MIB // 256)
        dn = self.create("photo", jpegPhoto=[photo])
        got = self.client.call("GetEntry", dn=dn, attributes=["jpegPhoto"]).entry
        self.assertEqual(values_of(got), {"jpegPhoto": [photo]})
        entries, _ = self.client.search(base_dn=dn, attributes=["jpegPhoto"])
        self.assertEqual(values_of(entries[0]), {"jpegPhoto": [photo]})

    def test_both_doors_show_one_directory(self):
        dn = self.create("doors", description=["Gr\u00fc\u00dfe"])
        with self.deployment.admin() as admin:
            found = admin.search(dn, "base", attributes=["description"])
        self.assertEqual(dict(found.entries[0].attributes)["description"],
                         ["Gr\u00fc\u00dfe".encode()])

    def test_the_root_dse_is_an_entry(self):
        entry = self.client.call("GetEntry", metadata=(), dn="",
                                 attributes=["namingContexts"]).entry
        self.assertEqual(values_of(entry), {"namingContexts": [SUFFIX.encode()]})

    def test_health(self):
        with HealthClient(self.deployment.directory.addresses["grpc"]) as health:
            self.assertEqual(health.check(""), SERVING)
            self.assertEqual(health.check(SERVICE), SERVING)
            with self.assertRaises(HealthError) as caught:
                health.check("no.such.Service")
            self.assertEqual(caught.exception.code, "NOT_FOUND")
            self.assertEqual(health.watch("").next(TIMEOUT), SERVING)

    def test_reflection_lists_and_describes(self):
        ask = self.client.channel.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
        # Fields of ServerReflectionRequest: 4 file_containing_symbol, 7 list_services.
        health = b"grpc.health.v1.Health"
        requests = [b"\x3a\x01*", b"\x22" + bytes([len(health)]) + health]
        services, description = ask(iter(requests), timeout=TIMEOUT)
        for name in (SERVICE.encode(), health):
            self.assertIn(name, services)
        self.assertIn(b"HealthCheckRequest", description)
        self.assertEqual(b"twintree.gateway.v1.GatewayService" in services, self.wiring == "split")

    def test_calls_are_counted(self):
        self.client.search(base_dn=SUFFIX)
        labels = {"grpc_service": SERVICE, "grpc_method": "SearchEntries",
                  "grpc_type": "server_stream"}

        def counted(name, **more):
            return self.deployment.directory.metrics().value(name, **labels, **more) >= 1

        self.assertTrue(counted("grpc_server_started_total"))
        # The server is done with a call a moment after the client.
        wait_until(lambda: counted("grpc_server_handled_total", grpc_code="OK"), 5,
                   "counter of handled calls")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wiring", choices=["serve", "split"], default="serve")
    arguments, rest = parser.parse_known_args()
    GrpcClientTest.wiring = arguments.wiring
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
