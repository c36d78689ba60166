#!/usr/bin/python3
"""Access rules, schema files and refusals as an operator meets them: start, SIGHUP, logs."""

import argparse
import os
import signal
import stat
import sys
import tempfile
import unittest
from pathlib import Path

import grpc

import ldap_message as ldap
from ber_client import Connection
from grpc_door import ANONYMOUS, Client, basic, values_of
from harness import Deployment, Server, HTTP_LISTENER, LDAP_LISTENERS, binary
from processes import PATIENCE, wait_until
from target import SUFFIX

LIMIT = 10 * PATIENCE
WIRING = "serve"
NOBODY = "rules: []\n"
ANYBODY = "rules:\n  - grant: [{to: anyone, rights: [search, compare, read]}]\n"
UNKNOWN_GROUP = f"""rules:
  - grant:
      - {{to: "group:cn=missing,{SUFFIX}", rights: [read]}}
"""

USERS_BELOW = f"""rules:
  - attributes: [userPassword]
    grant: [{{to: anyone, rights: [auth]}}]
  - attributes: [sn]
    grant: [{{to: anyone, rights: []}}]
  - subtree: "ou=shown,{SUFFIX}"
    grant: [{{to: users, rights: [search, compare, read]}}]
"""


class RulesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="twintree-rules-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rules = self.folder / "rules.yaml"

    def deployment(self, rules=ANYBODY, **options):
        self.rules.write_text(rules, encoding="utf-8")
        return Deployment(WIRING, access=str(self.rules), **options)

    def events(self, server, name):
        return [event for event in server.events() if event["event"] == name]

    def wait_for(self, server, name):
        return wait_until(lambda: self.events(server, name), LIMIT, f"{name} in the log")

    def sees_suffix(self, deployment):
        with deployment.connect() as connection:
            return connection.search(SUFFIX, "base").code == 0

    def refused_start(self, rules):
        """The output of a server that does not start with these rules."""
        self.rules.write_text(rules, encoding="utf-8")
        with tempfile.TemporaryDirectory() as data:
            target = Deployment("serve")
            try:
                done = target.run("directory", "--data", data, "--suffix", SUFFIX,
                                  "--access", self.rules, "--grpc-listen=127.0.0.1:0",
                                  "--http-listen=127.0.0.1:0")
            finally:
                target.close()
        self.assertNotEqual(done.returncode, 0)
        return done.stdout + done.stderr

    def test_sighup_reads_the_rules_again(self):
        with self.deployment(NOBODY) as deployment:
            self.assertFalse(self.sees_suffix(deployment))
            self.rules.write_text(ANYBODY, encoding="utf-8")
            deployment.directory.signal(signal.SIGHUP)
            self.wait_for(deployment.directory, "access_rules_reloaded")
            self.assertTrue(self.sees_suffix(deployment))
            deployment.stop()

    def test_rules_that_grant_nothing_are_warned_of(self):
        with self.deployment(ANYBODY) as deployment:
            self.assertEqual(self.events(deployment.directory, "access_rules_grant_nothing"), [])
            self.rules.write_text(NOBODY, encoding="utf-8")
            deployment.directory.signal(signal.SIGHUP)
            (event,) = self.wait_for(deployment.directory, "access_rules_grant_nothing")
            self.assertEqual(event["file"], str(self.rules))
            deployment.stop()
        with self.deployment(NOBODY) as deployment:
            self.wait_for(deployment.directory, "access_rules_grant_nothing")
            deployment.stop()

    def test_broken_rules_change_nothing(self):
        with self.deployment(ANYBODY) as deployment:
            self.rules.write_text("rules:\n  - filter: (foo=x)\n    grant: []\n", encoding="utf-8")
            deployment.directory.signal(signal.SIGHUP)
            (event,) = self.wait_for(deployment.directory, "access_rules_refused")
            self.assertIn("rule 1: line 2: 'filter': unknown attribute 'foo'", event["error"])
            self.assertTrue(self.sees_suffix(deployment))
            deployment.stop()

    def test_rules_hold_at_the_grpc_door(self):
        with self.deployment(USERS_BELOW) as deployment:
            person_dn, hidden = f"cn=u,ou=shown,{SUFFIX}", f"ou=hidden,{SUFFIX}"
            with deployment.admin() as admin:
                for name in ("shown", "hidden"):
                    self.assertEqual(admin.add(f"ou={name},{SUFFIX}", {
                        "objectClass": ["organizationalUnit"], "ou": [name]}).code, 0)
                self.assertEqual(admin.add(person_dn, {
                    "objectClass": ["person"], "cn": ["u"], "sn": ["x"],
                    "userPassword": ["pw"]}).code, 0)
            client, user = Client(deployment.directory.addresses["grpc"]), basic(person_dn, "pw")
            got = client.call("GetEntry", user, dn=person_dn, attributes=["cn", "sn"]).entry
            self.assertEqual(values_of(got), {"cn": [b"u"]})
            self.assertEqual(client.search(user, base_dn=person_dn, filter="(sn=x)")[0], [])
            for metadata, dn in ((user, hidden), (user, SUFFIX), (ANONYMOUS, person_dn)):
                with self.assertRaises(grpc.RpcError) as caught:
                    client.call("GetEntry", metadata, dn=dn)
                self.assertEqual(caught.exception.code().name, "NOT_FOUND")
            self.rules.write_text(ANYBODY, encoding="utf-8")
            deployment.directory.signal(signal.SIGHUP)
            self.wait_for(deployment.directory, "access_rules_reloaded")
            self.assertEqual(client.call("GetEntry", ANONYMOUS, dn=hidden).entry.dn, hidden)
            deployment.stop()

    def test_a_subtree_outside_the_suffix_is_refused(self):
        output = self.refused_start("rules:\n  - subtree: ou=x,dc=exampel,dc=com\n    grant: []\n")
        self.assertIn("rule 1: line 2: 'ou=x,dc=exampel,dc=com' lies outside", output)

    def test_a_group_without_an_entry_is_warned_of(self):
        with self.deployment(UNKNOWN_GROUP) as deployment:
            deployment.directory.signal(signal.SIGHUP)
            (event,) = self.wait_for(deployment.directory, "access_rule_names_no_entry")
            self.assertIn(f"group:cn=missing,{SUFFIX}", event["rule"])
            deployment.stop()

    def test_what_the_server_looks_up_is_no_search(self):
        with self.deployment(UNKNOWN_GROUP) as deployment:
            deployment.directory.signal(signal.SIGHUP)  # now that there are entries
            self.wait_for(deployment.directory, "access_rule_names_no_entry")
            searches = deployment.directory.metrics().value("twintree_search_candidates_count")
            self.assertEqual(searches, 0)
            deployment.stop()

    def test_the_unix_socket_has_its_mode_and_gives_no_rights(self):
        with self.deployment(NOBODY, gateway_flags=["--ldapi-mode=0770"]) as deployment:
            mode = os.stat(deployment.ldapi_path).st_mode
            self.assertEqual(stat.S_IMODE(mode), 0o770)
            with Connection(deployment.ldapi_path) as connection:
                self.assertEqual(connection.run(ldap.sasl_bind("EXTERNAL", b"")).code, 7)
                self.assertEqual(connection.search(SUFFIX, "base").code, 32)
            deployment.stop()

    def test_openldaps_schema_files_load(self):
        folder = Path("/etc/ldap/schema")
        if not folder.exists():
            self.skipTest("slapd is not installed")
        flags = [f"--schema={folder / name}" for name in ("core.schema", "dyngroup.ldif")]
        with self.deployment(directory_flags=flags) as deployment:
            (event,) = self.events(deployment.directory, "schema_definitions_known")
            self.assertGreater(int(event["count"]), 50)
            with deployment.admin() as connection:
                added = connection.add(f"cn=dynamic,{SUFFIX}", {
                    "objectClass": ["groupOfURLs"], "cn": ["dynamic"],
                    "memberURL": [f"ldap:///{SUFFIX}??sub?(sn=x)"]})
                self.assertEqual(added.code, 0, added)
            deployment.stop()

    def test_a_wrong_gateway_token_is_told_to_operators_only(self):
        if WIRING != "split":
            self.skipTest("serve has no gateway stream")
        with self.deployment() as deployment:
            token = self.folder / "token"
            token.write_text("wrong", encoding="ascii")
            gateway = Server("stranger", [binary(), "gateway",
                                          f"--directory={deployment.directory.addresses['grpc']}",
                                          f"--gateway-token-file={token}"],
                             {"--ldap-listen": LDAP_LISTENERS["--ldap-listen"], **HTTP_LISTENER},
                             self.folder / "stranger.log")
            gateway.start()
            try:
                gateway.wait_for_listeners()
                reason = "the directory refuses this gateway: its gateway token is wrong"
                wait_until(lambda: reason in gateway.http("/readyz")[1], LIMIT, "the true reason")
                wait_until(lambda: reason in gateway.log(), LIMIT, "the reason in the log")
                self.assertNotIn("is not reachable", gateway.log())
                self.wait_for(deployment.directory, "gateway_refused")
                with Connection(gateway.port("ldap")) as connection:
                    result = connection.search(SUFFIX, "base")
                    self.assertEqual(result.code, 52)
                    self.assertEqual(result.text, "the directory cannot be reached")
            finally:
                gateway.terminate()
            deployment.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--wiring", choices=("serve", "split"), default=WIRING)
    known, rest = parser.parse_known_args()
    WIRING = known.wiring
    unittest.main(argv=[sys.argv[0], *rest])
