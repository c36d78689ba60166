#!/usr/bin/python3
"""What --access-log writes in real processes: a directory's gRPC calls, a gateway's connections."""

import json
import sys
import unittest

import ldap_message as ldap
from grpc_door import Client
from harness import Deployment
from processes import wait_until
from target import ADMIN, PASSWORD, SUFFIX

FLAGS = ("--access-log", "--log-format=json")
ADDRESS = r"^127\.0\.0\.1:\d+$"
UNKNOWN_CONTROL = "1.3.6.1.4.1.32473.1"


class AccessLogTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.deployment = cls.enterClassContext(
            Deployment("split", tls=False, directory_flags=FLAGS, gateway_flags=FLAGS))

    def logged(self, process, event, **fields):
        """The events with these fields, as the JSON lines have them, once there are some."""
        def found():
            lines = [json.loads(line) for line in process.log().splitlines() if line[:1] == "{"]
            return [line for line in lines if line["msg"] == event
                    and fields.items() <= line.items()]
        return wait_until(found, 10, f"{event} with {fields}")

    def test_a_connection_of_the_gateway_from_its_beginning_to_its_end(self):
        gateway = self.deployment.gateway
        with self.deployment.connect() as connection:
            self.assertEqual(connection.bind(ADMIN, PASSWORD).code, 0)
            self.assertEqual(connection.search(SUFFIX, "base", "(dc=example)").code, 0)
            mine = self.logged(gateway, "operation", kind="search", filter="(dc=example)")
            connection.unbind()
            connection.read_until_closed(5)
        number = mine[-1]["conn"]
        (opened,) = self.logged(gateway, "connection_opened", conn=number)
        self.assertEqual(set(opened), {"ts", "level", "msg", "conn", "protocol", "peer"})
        self.assertEqual(opened["protocol"], "ldap")
        self.assertRegex(opened["peer"], ADDRESS)
        (closed,) = self.logged(gateway, "connection_closed", conn=number)
        self.assertEqual(set(closed), {"ts", "level", "msg", "conn", "reason", "duration_seconds"})
        self.assertGreater(closed["duration_seconds"], 0)
        operations = self.logged(gateway, "operation", conn=number)
        self.assertEqual([(line["op"], line["kind"], line["result"]) for line in operations],
                         [(1, "bind", 0), (2, "search", 0), (3, "unbind", 0)])
        bind, search, unbind = operations
        self.assertEqual((bind["dn"], bind["method"], bind["subject"]), (ADMIN, "simple", ""))
        self.assertEqual((search["dn"], search["scope"], search["entries"], search["subject"]),
                         (SUFFIX, "base", 1, ADMIN))
        self.assertNotIn("dn", unbind)
        self.assertGreater(search["duration_seconds"], 0)
        self.assertNotIn(PASSWORD, gateway.log())

    def test_a_refused_search_is_logged_as_what_it_was(self):
        with self.deployment.connect() as connection:
            request = ldap.search(SUFFIX, "sub", "(cn=refused)")
            result = connection.run(request, controls=[ldap.control(UNKNOWN_CONTROL, True)])
            self.assertEqual(result.code, 12)
        (line,) = self.logged(self.deployment.gateway, "operation", result=12)
        self.assertEqual((line["dn"], line["scope"], line["filter"]),
                         (SUFFIX, "sub", "(cn=refused)"))

    def test_calls_at_the_directory(self):
        client = Client(self.deployment.directory.addresses["grpc"])
        self.addCleanup(client.channel.close)
        client.search(base_dn=SUFFIX, scope="SEARCH_SCOPE_BASE", filter="(o=Example)")
        (line,) = self.logged(self.deployment.directory, "operation", filter="(o=Example)")
        self.assertRegex(line["peer"], ADDRESS)
        self.assertEqual((line["protocol"], line["rpc"], line["kind"], line["status"]),
                         ("grpc", "SearchEntries", "search", "OK"))
        self.assertEqual((line["dn"], line["scope"], line["entries"], line["subject"]),
                         (SUFFIX, "base", 1, ADMIN))
        self.assertGreater(line["duration_seconds"], 0)
        self.assertNotIn(PASSWORD, self.deployment.directory.log())

    def test_the_directory_does_not_repeat_what_its_gateway_logs(self):
        with self.deployment.connect() as connection:
            connection.search(SUFFIX, "base", "(cn=once)")
        self.logged(self.deployment.gateway, "operation", filter="(cn=once)")
        self.assertNotIn("(cn=once)", self.deployment.directory.log())


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
