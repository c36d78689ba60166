#!/usr/bin/python3
"""As delivered, without --access: what anonymous clients, users and the root name get and find out.

    secure_test.py --wiring serve|split

An entry that a client may not see must look like one that is not there, through both doors: in the
result code, the matched name and every other word of the answer.
"""

import argparse
import sys
import unittest

import grpc

import ber
import ldap_message as ldap
from grpc_door import ANONYMOUS, ROOT, Client, basic, pb, person, reason_of, status_of, values_of
from harness import Deployment
from procedure_case import expect_code
from target import SUFFIX

PEOPLE = f"ou=People,{SUFFIX}"
ALICE, BOB = f"uid=alice,{PEOPLE}", f"uid=bob,{PEOPLE}"
PASSWORDS = {ALICE: "alice's own", BOB: "bob's own"}
# What alice may not see, and a name of the same place that nobody has.
HIDDEN = [(PEOPLE, f"ou=Poeple,{SUFFIX}"), (BOB, f"uid=bub,{PEOPLE}"),
          (f"cn=phone,{BOB}", f"cn=phony,{BOB}"),
          (f"cn=to bob,{SUFFIX}", f"cn=to bub,{SUFFIX}"),
          (f"cn=to alice,{SUFFIX}", f"cn=to alisa,{SUFFIX}")]
BELOW_ALICE = (f"cn=phone,{ALICE}", f"cn=phony,{ALICE}")
CHANGE = [("replace", "sn", ["changed"])]
READ_ENTRY_PASSWORD = ber.sequence(ber.octets("userPassword"))
PRE_READ, POST_READ = "1.3.6.1.1.13.1", "1.3.6.1.1.13.2"
MODIFY_PASSWORD = "1.3.6.1.4.1.4203.1.11.1"


def entries():
    """(DN, attributes) of everything below the suffix."""
    yield PEOPLE, {"objectClass": ["organizationalUnit"], "ou": ["People"]}
    for dn, password in PASSWORDS.items():
        name = dn.partition(",")[0].removeprefix("uid=")
        yield dn, {"objectClass": ["inetOrgPerson"], "uid": [name], "cn": [name], "sn": ["x"],
                   "userPassword": [password]}
        yield f"cn=phone,{dn}", {"objectClass": ["device"], "cn": ["phone"]}
        yield f"cn=to {name},{SUFFIX}", {
            "objectClass": ["alias", "extensibleObject"], "cn": [f"to {name}"],
            "aliasedObjectName": [dn]}


def modify_password(user, new):
    return ldap.extended(MODIFY_PASSWORD, ber.sequence(ber.octets(user, 0x80),
                                                       ber.octets(new, 0x82)))


def ldap_operations(dn):
    """(what, operation, controls) that would tell whether `dn` is there."""
    read = [ldap.control(PRE_READ, True, READ_ENTRY_PASSWORD)]
    new = {"objectClass": ["device"], "cn": ["new"]}
    for scope in ldap.SCOPES:
        for deref in range(4):
            yield f"search {scope} deref {deref}", ldap.search(dn, scope, deref=deref), []
    yield "paged search", ldap.search(dn), [ldap.paged_control(1)]
    yield "compare", ldap.compare(dn, "objectClass", "top"), []
    yield "compare password", ldap.compare(dn, "userPassword", "x"), []
    yield "modify", ldap.modify(dn, CHANGE), []
    yield "modify and read", ldap.modify(dn, CHANGE), read
    yield "delete a value", ldap.modify(dn, [("delete", "cn", ["nobody"])]), []
    yield "modify if", ldap.modify(dn, CHANGE), [ldap.assertion_control("(objectClass=top)")]
    yield "set the password", ldap.modify(dn, [("replace", "userPassword", ["mine"])]), []
    yield "modify password", modify_password(dn, "mine"), []
    yield "delete", ldap.delete(dn), []
    yield "add below", ldap.add(f"cn=new,{dn}", new), []
    yield "rename", ldap.modrdn(dn, "cn=new"), []
    yield "move", ldap.modrdn(dn, "cn=new", new_superior=ALICE), []
    yield "rename below", ldap.modrdn(f"cn=new,{dn}", "cn=newer"), []


def grpc_operations(dn):
    """(what, method, fields) likewise."""
    change = [pb.Modification(operation="OPERATION_REPLACE", attribute="sn", values=[b"changed"])]
    yield "get", "GetEntry", {"dn": dn}
    yield "compare", "CompareEntry", {"dn": dn, "attribute": "objectClass", "value": b"top"}
    yield "compare password", "CompareEntry", {"dn": dn, "attribute": "userPassword",
                                               "value": b"x"}
    yield "create below", "CreateEntry", {"entry": person(f"cn=new,{dn}")}
    yield "modify", "ModifyEntry", {"dn": dn, "modifications": change}
    yield "modify if", "ModifyEntry", {"dn": dn, "modifications": change, "etag": "1"}
    yield "delete", "DeleteEntry", {"dn": dn}
    yield "delete if", "DeleteEntry", {"dn": dn, "etag": "1"}
    yield "rename", "RenameEntry", {"dn": dn, "new_rdn": "cn=new"}
    yield "move", "RenameEntry", {"dn": dn, "new_rdn": "cn=new", "new_superior_dn": ALICE}
    yield "change password", "ChangePassword", {"dn": dn, "new_password": "mine"}


def told(result, dn):
    """All that an LDAP answer says, without the name that was asked for."""
    said = (result.code, result.matched, result.text, len(result.entries), result.controls,
            result.referrals, result.references)
    return str(said).replace(dn, "NAME")


def is_within(dn, base):
    return dn.lower().endswith(base.lower())


class SecureTest(unittest.TestCase):
    wiring = "serve"

    @classmethod
    def setUpClass(cls):
        cls.deployment = cls.enterClassContext(Deployment(cls.wiring, access=None, tls=False))
        with cls.deployment.admin() as admin:
            for dn, attributes in entries():
                expect_code(admin.add(dn, attributes), 0)
        cls.grpc = Client(cls.deployment.directory.addresses["grpc"])
        cls.callers = {None: ANONYMOUS, ALICE: basic(ALICE, PASSWORDS[ALICE])}

    @classmethod
    def tearDownClass(cls):
        cls.deployment.stop()
        cls.deployment.check()
        cls.deployment.assert_clean_log()

    def session(self, dn=None):
        """An LDAP session of `dn`, or an anonymous one."""
        connection = self.enterContext(self.deployment.connect())
        expect_code(connection.bind(dn, PASSWORDS[dn]) if dn else connection.bind(), 0)
        return connection

    def hidden_from(self, dn):
        return [*HIDDEN, BELOW_ALICE] if dn else [*HIDDEN, BELOW_ALICE, (ALICE, f"uid=alisa,{PEOPLE}")]

    def refusal(self, dn, method, fields, metadata):
        """All that a refused call says, without the name that was asked for."""
        with self.assertRaises(grpc.RpcError) as caught:
            self.grpc.call(method, metadata=metadata, **fields)
        error, info = caught.exception, reason_of(caught.exception)
        further = [detail.value for detail in status_of(error).details
                   if not detail.type_url.endswith("ErrorInfo")]
        said = (error.code().name, error.details(), info.reason, sorted(info.metadata.items()),
                further)
        return str(said).replace(dn, "NAME")

    # What everybody gets

    def test_the_root_dse_and_the_schema_are_for_everybody(self):
        for who in (None, ALICE):
            session = self.session(who)
            (root,) = expect_code(session.search("", "base", attributes=["*", "+"]), 0).entries
            attributes = dict(root.attributes)
            self.assertEqual(attributes["namingContexts"], [SUFFIX.encode()])
            schema = attributes["subschemaSubentry"][0].decode()
            (found,) = expect_code(session.search(schema, "base", "(objectClass=subschema)",
                                                  ["attributeTypes"]), 0).entries
            self.assertGreater(len(dict(found.attributes)["attributeTypes"]), 50)

            (root,), _ = self.grpc.search(self.callers[who], base_dn="", scope="SEARCH_SCOPE_BASE",
                                          attributes=["*", "+"])
            self.assertEqual(values_of(root)["namingContexts"], [SUFFIX.encode()])
            got = self.grpc.call("GetEntry", self.callers[who], dn=schema,
                                 attributes=["objectClasses"]).entry
            self.assertGreater(len(values_of(got)["objectClasses"]), 20)

    def test_everybody_may_bind(self):
        with self.deployment.connect() as connection:
            expect_code(connection.bind(), 0)
            self.assertEqual(connection.extended(ldap.WHO_AM_I).value or b"", b"")
            expect_code(connection.bind(BOB, PASSWORDS[BOB]), 0)
            self.assertEqual(connection.extended(ldap.WHO_AM_I).value, f"dn:{BOB}".encode())
        session = self.grpc.call("Authenticate", ANONYMOUS, dn=BOB, password=PASSWORDS[BOB])
        self.assertEqual(session.dn, BOB)

    def test_a_wrong_password_is_like_a_wrong_name(self):
        answers = set()
        for dn in (BOB, f"uid=bub,{PEOPLE}", SUFFIX, f"cn=phone,{BOB}"):
            with self.deployment.connect() as connection:
                answers.add(told(expect_code(connection.bind(dn, "wrong"), 49), dn))
            answers.add(self.refusal(dn, "Authenticate", {"dn": dn, "password": "wrong"},
                                     ANONYMOUS))
            answers.add(self.refusal(dn, "GetEntry", {"dn": ""}, basic(dn, "wrong")))
        self.assertEqual(len(answers), 2, answers)  # one a door

    # What nobody finds out

    def test_hidden_entries_look_missing_over_ldap(self):
        for who in (None, ALICE):
            session = self.session(who)
            for hidden, missing in self.hidden_from(who):
                pairs = zip(ldap_operations(hidden), ldap_operations(missing), strict=True)
                for (what, on_hidden, controls), (_, on_missing, _) in pairs:
                    with self.subTest(who=who, what=what, dn=hidden):
                        answer = session.run(on_hidden, controls)
                        self.assertNotIn(answer.code, (0, 5, 6))
                        self.assertEqual(told(answer, hidden),
                                         told(session.run(on_missing, controls), missing))

    def test_hidden_entries_look_missing_over_grpc(self):
        for who, metadata in self.callers.items():
            for hidden, missing in self.hidden_from(who):
                pairs = zip(grpc_operations(hidden), grpc_operations(missing), strict=True)
                for (what, method, fields), (_, _, other_fields) in pairs:
                    with self.subTest(who=who, what=what, dn=hidden):
                        self.assertEqual(self.refusal(hidden, method, fields, metadata),
                                         self.refusal(missing, method, other_fields, metadata))

    def test_the_suffix_is_known_by_name_only(self):
        for who, metadata in self.callers.items():
            session = self.session(who)
            for what, operation, controls in ldap_operations(SUFFIX):
                with self.subTest(who=who, what=what):
                    answer = session.run(operation, controls)
                    self.assertEqual((answer.code, answer.matched), (32, ""), answer)
            for what, method, fields in grpc_operations(SUFFIX):
                with self.subTest(who=who, what=what):
                    self.assertIn("'NO_SUCH_OBJECT'",
                                  self.refusal(SUFFIX, method, fields, metadata))

    def test_no_search_from_above_finds_anything(self):
        for who in (None, ALICE):
            session = self.session(who)
            for scope in ldap.SCOPES:
                for text in ("(objectClass=*)", "(uid=bob)", f"(entryDN={BOB})", "(!(uid=bob))"):
                    found = session.search("", scope, text, ["*", "+"])
                    self.assertFalse([entry.dn for entry in found.entries
                                      if is_within(entry.dn, SUFFIX) and entry.dn != who], text)

    def test_nobody_matches_a_name_above_what_he_sees(self):
        for dn in (f"cn=x,{BOB}", f"cn=x,{PEOPLE}", f"cn=x,cn=y,{SUFFIX}"):
            self.assertEqual(expect_code(self.session().search(dn, "base"), 32).matched, "")
            self.assertEqual(expect_code(self.session(ALICE).search(dn, "base"), 32).matched, "")
            with self.assertRaises(grpc.RpcError) as caught:
                self.grpc.call("GetEntry", ANONYMOUS, dn=dn)
            self.assertNotIn("matched_dn", reason_of(caught.exception).metadata)
        self.assertEqual(expect_code(self.session(ALICE).search(f"cn=x,{ALICE}", "base"),
                                     32).matched, ALICE)

    # What a user gets

    def test_a_user_reads_himself(self):
        session = self.session(ALICE)
        for scope in ("base", "sub"):  # what is below him is hidden, and counts for no limit
            (own,) = expect_code(session.search(ALICE, scope, size_limit=1), 0).entries
            self.assertEqual(own.dn, ALICE)
            self.assertEqual(dict(own.attributes)["cn"], [b"alice"])
        expect_code(session.compare(ALICE, "cn", "alice"), 6)
        expect_code(session.modify(ALICE, CHANGE), 50)
        expect_code(session.delete(ALICE), 50)
        expect_code(session.modrdn(ALICE, "uid=alicia"), 50)

        metadata = self.callers[ALICE]
        got = self.grpc.call("GetEntry", metadata, dn=ALICE).entry
        self.assertEqual(values_of(got)["cn"], [b"alice"])
        found, result = self.grpc.search(metadata, base_dn=ALICE, filter="(uid=alice)",
                                         size_limit=1)
        self.assertEqual([entry.dn for entry in found], [ALICE])
        self.assertEqual(result.completion, pb.SearchResult.COMPLETION_COMPLETE)

    def test_nobody_reads_passwords(self):
        session = self.session(ALICE)
        for wanted in ([], ["*", "+"], ["userPassword"], ["2.5.4.35"], ["@person"]):
            (own,) = expect_code(session.search(ALICE, "base", attributes=wanted), 0).entries
            self.assertNotIn("userpassword", [name.lower() for name, _ in own.attributes])
            got = self.grpc.call("GetEntry", self.callers[ALICE], dn=ALICE, attributes=wanted)
            self.assertNotIn("userPassword", values_of(got.entry))
        for text in ("(userPassword=*)", "(userPassword>={A)", "(!(userPassword=x))",
                     f"(userPassword={PASSWORDS[ALICE]})", "(2.5.4.35:octetStringMatch:=x)"):
            self.assertEqual(session.search(ALICE, "base", text).entries, [], text)
            found, _ = self.grpc.search(self.callers[ALICE], base_dn=ALICE, filter=text)
            self.assertEqual(found, [], text)
        self.assertNotIn(session.compare(ALICE, "userPassword", PASSWORDS[ALICE]).code, (5, 6))

    def test_a_user_changes_his_password_and_does_not_read_it_by_that(self):
        session = self.session(ALICE)
        for read in (PRE_READ, POST_READ):
            control = ldap.control(read, True, READ_ENTRY_PASSWORD)
            changed = session.modify(ALICE, [("replace", "userPassword", [PASSWORDS[ALICE]])],
                                     [control])
            self.assertNotIn(b"userPassword", expect_code(changed, 0).control(read))
        expect_code(session.run(modify_password(ALICE, PASSWORDS[ALICE])), 0)
        changed = self.grpc.call("ModifyEntry", basic(ALICE, PASSWORDS[ALICE]), dn=ALICE,
                                 return_attributes=["*", "userPassword"], modifications=[
                                     pb.Modification(operation="OPERATION_REPLACE",
                                                     attribute="userPassword",
                                                     values=[PASSWORDS[ALICE].encode()])])
        self.assertNotIn("userPassword", values_of(changed.entry))
        expect_code(self.session(ALICE).compare(ALICE, "cn", "alice"), 6)

    # What the root name gets

    def test_the_root_name_may_do_everything(self):
        dn = f"cn=new,{PEOPLE}"
        with self.deployment.admin() as admin:
            found = expect_code(admin.search(SUFFIX, attributes=["userPassword"]), 0).entries
            self.assertLessEqual({SUFFIX, *(dn for dn, _ in entries())}, {e.dn for e in found})
            self.assertEqual({e.dn for e in found if e.attributes}, set(PASSWORDS))
            expect_code(admin.add(dn, {"objectClass": ["device"], "cn": ["new"]}), 0)
            expect_code(admin.modify(dn, [("add", "description", ["x"])]), 0)
            expect_code(admin.compare(dn, "description", "X"), 6)
            expect_code(admin.modrdn(dn, "cn=newer", new_superior=SUFFIX), 0)
            expect_code(admin.delete(f"cn=newer,{SUFFIX}"), 0)
        found, _ = self.grpc.search(ROOT, base_dn=SUFFIX, filter="(userPassword=*)",
                                    attributes=["userPassword"])
        self.assertEqual({entry.dn for entry in found}, set(PASSWORDS))
        for entry in found:
            self.assertTrue(values_of(entry)["userPassword"])
        self.grpc.call("CreateEntry", ROOT, entry=person(dn))
        self.assertTrue(self.grpc.call("CompareEntry", ROOT, dn=dn, attribute="sn",
                                       value=b"X").matches)
        self.grpc.call("RenameEntry", ROOT, dn=dn, new_rdn="cn=newer", new_superior_dn=SUFFIX)
        self.grpc.call("DeleteEntry", ROOT, dn=f"cn=newer,{SUFFIX}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--wiring", choices=["serve", "split"], default="serve")
    arguments, rest = parser.parse_known_args()
    SecureTest.wiring = arguments.wiring
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
