#!/usr/bin/python3
"""SIGTERM to `serve` closes both doors at once, and lets both finish what is under way."""

import signal
import socket
import sys
import time
import unittest

import grpc

import ldap_message as ldap
from grpc_door import ROOT, SERVICE, TIMEOUT, Client, pb, person
from harness import Deployment
from procedure_case import add_wide_entries, is_closed_within, make_box
from processes import PATIENCE, wait_until

# More than sockets and flow control take in advance, at each door.
WIDE = 600
SIZE = 60000
CALLS = 100
DRAIN_SECONDS = 10 * PATIENCE


def refuses_connections(port):
    """Whether nobody listens there any more."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:
        pass  # in the queue of a listener that was just being closed
    return False


class DrainTest(unittest.TestCase):
    def setUp(self):
        self.deployment = self.enterContext(
            Deployment("serve", tls=False, directory_flags=[
                f"--drain-timeout={DRAIN_SECONDS}", "--threads=1"]))
        self.box = make_box(self.deployment, "drain")
        add_wide_entries(self.deployment, self.box, WIDE, SIZE)
        self.server = self.deployment.directory
        self.client = Client(self.server.addresses["grpc"])
        self.addCleanup(self.client.channel.close)

    def slow_ldap_search(self):
        """A session with a search whose result nobody reads yet, and the search's message ID."""
        connection = self.enterContext(self.deployment.connect(
            timeout=30 * PATIENCE, receive_buffer=16384))
        message_id = connection.send(ldap.search(self.box, "one", "(sn=wide)"))
        first = connection.receive()
        self.assertEqual(first.tag, ldap.SEARCH_ENTRY)
        return connection, message_id

    def slow_grpc_search(self):
        """A call under way, of which one message has been read."""
        stub = self.client.channel.unary_stream(
            f"/{SERVICE}/SearchEntries",
            request_serializer=pb.SearchEntriesRequest.SerializeToString,
            response_deserializer=pb.SearchEntriesResponse.FromString)
        request = pb.SearchEntriesRequest(base_dn=self.box, scope="SEARCH_SCOPE_ONE_LEVEL",
                                          filter="(sn=wide)")
        call = stub(request, metadata=ROOT, timeout=3 * TIMEOUT)
        return call, list(next(call).entries)

    def begin_stop(self):
        self.server.signal(signal.SIGTERM)
        wait_until(lambda: not self.server.ready(), 2, "not ready")

    def assert_doors_closed(self):
        for protocol in ("ldap", "grpc"):
            wait_until(lambda name=protocol: refuses_connections(self.server.port(name)), 1,
                       f"{protocol} refusing connections")

    def test_both_doors_close_while_an_ldap_client_is_slow(self):
        connection, message_id = self.slow_ldap_search()
        self.begin_stop()
        self.assert_doors_closed()
        with self.assertRaises(grpc.RpcError) as caught:  # on the connection that was there
            self.client.call("GetEntry", dn=self.box)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNAVAILABLE)
        self.assertTrue(self.server.alive(), "nothing held the drain")
        result = connection.wait(message_id)
        self.assertEqual((result.code, len(result.entries)), (0, WIDE - 1))
        self.assertEqual(self.server.wait(5), 0)

    def calls_under_way(self):
        """Calls that the server has taken and has to hash a password for, one after the other."""
        dn = f"cn=under way,{self.box}"
        self.client.call("CreateEntry", entry=person(dn))
        stub = self.client.channel.unary_unary(
            f"/{SERVICE}/ChangePassword",
            request_serializer=pb.ChangePasswordRequest.SerializeToString,
            response_deserializer=pb.ChangePasswordResponse.FromString)
        calls = [stub.future(pb.ChangePasswordRequest(dn=dn, new_password=f"new {number}"),
                             metadata=ROOT, timeout=TIMEOUT) for number in range(CALLS)]
        wait_until(lambda: self.count("started") == CALLS, 5, "calls to arrive")
        return calls

    def count(self, what):
        return self.server.metrics().value(f"grpc_server_{what}_total", grpc_method="ChangePassword")

    def test_grpc_calls_under_way_are_answered_while_an_ldap_client_is_slow(self):
        connection, _ = self.slow_ldap_search()
        calls = self.calls_under_way()
        self.begin_stop()
        self.assertLess(self.count("handled"), CALLS, "nothing was under way any more")
        self.assert_doors_closed()
        for call in calls:
            self.assertEqual(call.code(), grpc.StatusCode.OK)
        self.assertTrue(self.server.alive(), "the LDAP client did not hold the drain")
        connection.close()
        self.assertEqual(self.server.wait(5), 0)

    def test_slow_clients_of_both_doors_share_one_limit(self):
        connection, _ = self.slow_ldap_search()
        call, _ = self.slow_grpc_search()
        start = time.monotonic()
        self.begin_stop()
        self.assertEqual(self.server.wait(2 * DRAIN_SECONDS), 0)
        seconds = time.monotonic() - start
        self.assertLess(seconds, DRAIN_SECONDS + 4 * PATIENCE)
        self.assertGreater(seconds, DRAIN_SECONDS - 1)
        self.assertTrue(is_closed_within(connection, PATIENCE))
        with self.assertRaises(grpc.RpcError):
            list(call)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
