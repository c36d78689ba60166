"""python3-ldap3 (an LDAP client in Python) and python3-ldap (libldap) against the server."""

import re
import ssl

import ldap
import ldap.modlist
import ldap.schema
import ldap3
from ldap.controls import SimplePagedResultsControl

from clients_case import ClientCase
from libldap import bind_as_admin
from target import ADMIN, PASSWORD, SUFFIX, percent_escaped

_PERSON = ["inetOrgPerson"]


class Ldap3Test(ClientCase):
    def server(self, **options):
        return ldap3.Server("localhost", port=self.target.ldap_port, **options)

    def admin(self, server=None, **options):
        connection = ldap3.Connection(server or self.server(), ADMIN, PASSWORD,
                                      raise_exceptions=True, **options)
        self.addCleanup(connection.unbind)
        connection.bind()
        return connection

    def test_life_of_an_entry(self):
        connection = self.admin()
        dn = f"cn=a,{self.box}"
        connection.add(dn, _PERSON, {"sn": "Löwe", "jpegPhoto": bytes(range(256))})
        connection.modify(dn, {"title": [(ldap3.MODIFY_ADD, ["one", "two"])],
                               "sn": [(ldap3.MODIFY_REPLACE, ["Tiger"])]})
        connection.modify_dn(dn, "cn=b")
        dn = f"cn=b,{self.box}"
        self.assertTrue(connection.compare(dn, "sn", "tiger"))
        connection.search(self.box, "(&(sn=tig*)(!(title=three)))", attributes=["title", "jpegPhoto"])
        (entry,) = connection.entries
        self.assertEqual(entry.entry_dn, dn)
        self.assertEqual(sorted(entry.title.values), ["one", "two"])
        self.assertEqual(entry.jpegPhoto.raw_values, [bytes(range(256))])
        connection.delete(dn)
        with self.assertRaises(ldap3.core.exceptions.LDAPNoSuchObjectResult):
            connection.search(dn, "(objectClass=*)", ldap3.BASE)

    def test_server_information(self):
        server = self.server(get_info=ldap3.ALL)
        self.admin(server)
        self.assertEqual(server.info.naming_contexts, [SUFFIX])
        self.assertIn("person", server.schema.object_classes)
        self.assertEqual(server.schema.attribute_types["surname"].name[0].lower(), "sn")

    def test_start_tls_and_ldaps(self):
        tls = ldap3.Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=str(self.target.certificates.ca))
        started = ldap3.Connection(self.server(tls=tls), ADMIN, PASSWORD,
                                   auto_bind=ldap3.AUTO_BIND_TLS_BEFORE_BIND)
        secure = ldap3.Connection(
            ldap3.Server("localhost", self.target.ldaps_port, use_ssl=True, tls=tls), ADMIN,
            PASSWORD, auto_bind=True)
        for connection in (started, secure):
            self.assertEqual(connection.extend.standard.who_am_i(), f"dn:{ADMIN}")
            connection.unbind()

    def test_paged_search(self):
        connection = self.admin()
        for number in range(25):
            connection.add(f"cn=p{number},{self.box}", _PERSON, {"sn": "x"})
        found = list(connection.extend.standard.paged_search(
            self.box, "(sn=x)", attributes=["cn"], paged_size=10, generator=True))
        self.assertEqual(len(found), 25)

    def test_change_of_a_password(self):
        dn = self.add_person("p", userPassword=["old"])
        connection = ldap3.Connection(self.server(), dn, "old", auto_bind=True)
        self.assertTrue(connection.extend.standard.modify_password(dn, "old", "new"))
        connection.unbind()
        ldap3.Connection(self.server(), dn, "new", auto_bind=True).unbind()
        self.assertFalse(ldap3.Connection(self.server(), dn, "old").bind())

    def test_asynchronous_searches(self):
        self.add_person("p")
        connection = self.admin(client_strategy=ldap3.ASYNC)
        asked = [connection.search(self.box, "(cn=p)", attributes=["cn"]) for _ in range(200)]
        for message_id in asked:
            response, result = connection.get_response(message_id)
            self.assertEqual((result["result"], len(response)), (0, 1))


class LibldapTest(ClientCase):
    def admin(self, url=None, start_tls=False):
        connection = ldap.initialize(url or f"ldap://127.0.0.1:{self.target.ldap_port}")
        bind_as_admin(connection, self.target.certificates, start_tls)
        self.addCleanup(connection.unbind_s)
        return connection

    def add(self, connection, name, **attributes):
        dn = f"cn={name},{self.box}"
        values = {"objectClass": [b"inetOrgPerson"], "cn": [name.encode()], "sn": [b"x"],
                  **attributes}
        connection.add_s(dn, ldap.modlist.addModlist(values))
        return dn

    def test_life_of_an_entry(self):
        connection = self.admin()
        dn = self.add(connection, "a", description=[b"one", b"two"])
        connection.modify_s(dn, [(ldap.MOD_DELETE, "description", [b"ONE"]),
                                 (ldap.MOD_ADD, "title", [b"t"])])
        connection.rename_s(dn, "cn=b", delold=0)
        ((dn, attributes),) = connection.search_ext_s(self.box, ldap.SCOPE_ONELEVEL, "(title=T)")
        self.assertEqual(dn, f"cn=b,{self.box}")
        self.assertEqual(sorted(attributes["cn"]), [b"a", b"b"])
        self.assertEqual(attributes["description"], [b"two"])
        self.assertTrue(connection.compare_s(dn, "sn", b"X"))
        connection.delete_s(dn)
        with self.assertRaises(ldap.NO_SUCH_OBJECT) as caught:
            connection.search_ext_s(dn, ldap.SCOPE_BASE)
        self.assertEqual(caught.exception.args[0]["matched"], self.box)

    def test_every_door(self):
        plain = f"ldap://127.0.0.1:{self.target.ldap_port}"
        for url, start_tls in ((plain, False), (plain, True),
                               (f"ldaps://127.0.0.1:{self.target.ldaps_port}", False),
                               (f"ldapi://{percent_escaped(self.target.ldapi_path)}", False)):
            with self.subTest(url=url, start_tls=start_tls):
                self.assertEqual(self.admin(url, start_tls).whoami_s(), f"dn:{ADMIN}")

    def test_pages_until_the_cookie_is_empty(self):
        connection = self.admin()
        for number in range(10):
            self.add(connection, f"p{number}")
        for size in (3, 5, 10, 11):
            self.assertEqual(len(self.pages(connection, size)), 10, f"page size {size}")

    def pages(self, connection, size):
        found = []
        control = SimplePagedResultsControl(True, size=size, cookie="")
        for _ in range(20):
            asked = connection.search_ext(self.box, ldap.SCOPE_ONELEVEL, "(sn=x)", ["cn"],
                                          serverctrls=[control])
            _, entries, _, controls = connection.result3(asked)
            self.assertLessEqual(len(entries), size)
            found += [dn for dn, _ in entries]
            (control,) = [one for one in controls if one.controlType == control.controlType]
            if not control.cookie:
                return found
            control.size = size
        self.fail("the last page has a cookie")

    def test_change_of_a_password(self):
        connection = self.admin()
        dn = self.add(connection, "p", userPassword=[b"old"])
        connection.passwd_s(dn, None, "new")
        self.admin().simple_bind_s(dn, "new")
        with self.assertRaises(ldap.INVALID_CREDENTIALS):
            self.admin().simple_bind_s(dn, "old")

    def test_a_thousand_searches_at_once(self):
        connection = self.admin()
        self.add(connection, "p")
        asked = [connection.search_ext(self.box, ldap.SCOPE_ONELEVEL, "(cn=p)")
                 for _ in range(1000)]
        for message_id in asked:
            _, entries = connection.result(message_id)
            self.assertEqual(len(entries), 1)

    def test_DSE_03_schema_parses_and_refers_to_what_is_listed(self):
        if self.wiring == "slapd":
            self.skipTest("slapd hides rules that its schema refers to")
        connection = self.admin()
        dn = connection.search_subschemasubentry_s("")
        values = connection.read_subschemasubentry_s(dn)
        for definitions in values.values():
            for definition in definitions:
                self.assertNotIn(b"DESC ''", definition)
        schema = ldap.schema.SubSchema(values, check_uniqueness=2)
        self.assert_references(schema)

    def assert_references(self, schema):
        types = schema.tree(ldap.schema.AttributeType)
        self.assertGreater(len(types), 50)
        for oid in schema.listall(ldap.schema.AttributeType):
            definition = schema.get_obj(ldap.schema.AttributeType, oid)
            for rule in (definition.equality, definition.ordering, definition.substr):
                if rule:
                    self.assertIsNotNone(schema.get_obj(ldap.schema.MatchingRule, rule), rule)
            if definition.syntax:
                self.assertIsNotNone(schema.get_obj(ldap.schema.LDAPSyntax, definition.syntax),
                                     definition.syntax)
            for superior in definition.sup or ():
                self.assertIsNotNone(schema.get_obj(ldap.schema.AttributeType, superior), superior)
        for oid in schema.listall(ldap.schema.ObjectClass):
            definition = schema.get_obj(ldap.schema.ObjectClass, oid)
            for name in (*definition.must, *definition.may):
                self.assertIsNotNone(schema.get_obj(ldap.schema.AttributeType, name), name)
            for superior in definition.sup:
                self.assertIsNotNone(schema.get_obj(ldap.schema.ObjectClass, superior), superior)
            self.assertTrue(re.fullmatch(r"[0-9]+(\.[0-9]+)+", definition.oid), definition.oid)
