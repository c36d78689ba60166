#!/usr/bin/python3
"""Connections of gRPC that age: gateways and other clients change over and notice nothing."""

import sys
import time
import unittest

import grpc_door as client
import ldap_message as ldap
from harness import Deployment
from procedure_case import Clients, add_wide_entries, make_box
from processes import PATIENCE
from target import SUFFIX

AGE_SECONDS = 1
ROUNDS_SECONDS = 5
WIDE = 300


class ConnectionAgeTest(unittest.TestCase):
    def setUp(self):
        self.deployment = self.enterContext(Deployment(
            "split", tls=False, directory_flags=[f"--grpc-max-connection-age={AGE_SECONDS}"]))
        self.box = make_box(self.deployment, "age")
        self.end = time.monotonic() + ROUNDS_SECONDS * PATIENCE

    def write(self, name, added):
        with self.deployment.admin() as admin:
            number = 0
            while time.monotonic() < self.end:
                cn = f"{name}-{number}"
                number += 1
                result = admin.add(f"cn={cn},{self.box}",
                                   {"objectClass": ["person"], "cn": [cn], "sn": ["x"]})
                if result.code != 0:
                    raise AssertionError(f"add: {result}")
                added.append(cn.encode())

    def call(self, counts):
        stub = client.Client(self.deployment.directory.addresses["grpc"])
        while time.monotonic() < self.end:
            stub.call("GetEntry", dn=SUFFIX)
            counts.append(1)
        stub.channel.close()

    def read_slowly(self, connection, message_id):
        """Reads a search's entries until well after others have changed over."""
        entries = 0
        while True:
            response = connection.receive()
            if response.tag == ldap.SEARCH_DONE:
                return response.code, entries
            entries += 1
            time.sleep(ROUNDS_SECONDS / WIDE)

    def test_nothing_fails_and_nothing_is_lost(self):
        add_wide_entries(self.deployment, self.box, WIDE)
        self.end = time.monotonic() + ROUNDS_SECONDS * PATIENCE
        connection = self.enterContext(self.deployment.connect(
            timeout=30 * PATIENCE, receive_buffer=16384))
        search = connection.send(ldap.search(self.box, "one", "(sn=wide)"))
        added, counts = [], []
        with Clients() as clients:
            for number in range(3):
                clients.start(self.write, f"w{number}", added)
            clients.start(self.call, counts)
            self.assertEqual(self.read_slowly(connection, search), (0, WIDE))
        self.assertGreater(len(counts), 10)
        with self.deployment.admin() as admin:
            found = admin.search(self.box, "one", "(sn=x)", ["cn"])
        self.assertEqual({dict(entry.attributes)["cn"][0] for entry in found.entries}, set(added))
        metrics = self.deployment.directory.metrics()
        opened = metrics.value("grpc_server_started_total", grpc_method="Connect")
        self.assertGreater(opened, ROUNDS_SECONDS / AGE_SECONDS - 1, "streams were not renewed")
        lost = [event for event in self.deployment.gateway.events()
                if event["event"] == "directory_lost"]
        self.assertEqual(lost, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
