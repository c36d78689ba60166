"""Procedures of tests/cases/dos.yaml: one client must not take the service from the others."""

import time

import ber
import ldap_message as ldap
from ber_client import Closed
from harness import elapsed
from processes import PATIENCE, wait_until
from procedure_case import (MIB, ProcedureCase, add_wide_entries, expect_code, is_closed_within,
                            make_box)

_PLENTY = 1 << 31
_STEP = 64 * 1024


def _announces(deployment, size):
    """A connection that sent the head of a message of `size` octets and 20 octets of it."""
    connection = deployment.connect()
    head = b"\x30\x84" + size.to_bytes(4, "big")
    try:
        connection.send_raw(head + bytes.fromhex("020101 04 820800") + b"a" * 13)
    except Closed:
        pass
    return connection


def _largest_message(deployment):
    """The configured maximum, to 64 KiB, found out by trying."""
    accepted, refused = _STEP, _PLENTY
    while refused - accepted > _STEP:
        middle = (accepted + refused) // 2
        with _announces(deployment, middle) as connection:
            if is_closed_within(connection, 0.3 * PATIENCE):
                refused = middle
            else:
                accepted = middle
    return accepted


def _settled_connections(deployment):
    """The number of open connections once those of earlier clients have gone."""
    number = deployment.open_connections()
    while True:
        time.sleep(0.2 * PATIENCE)
        number, before = deployment.open_connections(), number
        if number == before:
            return number


def nested_filter(depth, ber_tag):
    """The octets of (objectClass=*) within `depth` filters of one kind."""
    octets = ber.octets("objectClass", 0x87)
    for _ in range(depth):
        octets = ber.element(ber_tag, octets)
    return octets


class DosProcedures(ProcedureCase):
    def assert_serves_quickly(self, deployment, dn=""):
        """A new connection reads an entry within one second."""
        def read():
            with deployment.connect() as connection:
                return connection.search(dn, "base", attributes=["1.1"])

        seconds, result = elapsed(read)
        expect_code(result, 0)
        self.assertEqual(len(result.entries), 1)
        self.assert_quick(seconds, 1, "search on a new connection")

    def test_DOS_01_announced_lengths_take_no_memory(self):
        deployment = self.deploy()
        size = _largest_message(deployment)
        self.assertLess(size, _PLENTY - 2 * _STEP, "no maximum in force")
        before = deployment.gateway.resident_bytes()
        connections = [self.enterContext(_announces(deployment, size)) for _ in range(200)]
        self.assert_serves_quickly(deployment)
        self.assert_grew_less(before, deployment.gateway.resident_bytes(), 50 * MIB, "gateway")
        self.assertFalse(is_closed_within(connections[-1], 0.1), "message below the maximum")

    def test_DOS_03_half_sent_messages(self):
        read_timeout = 3 * PATIENCE
        deployment = self.deploy(gateway_flags=[f"--read-timeout={read_timeout}"])
        open_before = _settled_connections(deployment)
        stalled = [self.enterContext(deployment.connect()) for _ in range(200)]
        for connection in stalled:
            connection.send_raw(bytes.fromhex("3025020102"))
        self.assert_serves_quickly(deployment)

        finished = stalled.pop()
        finished.send_raw(bytes.fromhex(
            "632004000a01000a0100020100020100010100870b6f626a656374436c6173733000"))
        result = expect_code(finished.wait(2), 0)
        self.assertEqual(len(result.entries), 1)
        finished.close()

        for connection in stalled:
            self.assertTrue(is_closed_within(connection, read_timeout + 10),
                            "half-sent message outlives the read timeout")
        wait_until(lambda: deployment.open_connections() == open_before, 5,
                   "gauge of open connections back at its start value")

    def test_half_sent_messages_of_many_clients_are_bounded(self):
        self.not_slapd("slapd keeps what each client announces")
        deployment = self.deploy()
        before = deployment.gateway.resident_bytes()
        announced, sent = 31 * MIB, 20 * MIB
        head = (b"\x30\x84" + announced.to_bytes(4, "big") + bytes.fromhex("020105 6884")
                + (announced - 9).to_bytes(4, "big") + b"\x04\x84"
                + (announced - 15).to_bytes(4, "big"))
        connections = [self.enterContext(deployment.admin()) for _ in range(12)]
        for connection in connections:
            try:
                connection.send_raw(head + bytes(sent))
            except Closed:
                pass
        kept = [one for one in connections if not is_closed_within(one, 0.5 * PATIENCE)]
        self.assertIn(len(kept), range(1, 128 * MIB // sent + 1))
        self.assert_grew_less(before, deployment.gateway.resident_bytes(), 200 * MIB, "gateway")
        self.assert_serves_quickly(deployment)
        for connection in kept:
            connection.close()
        with deployment.admin() as client:
            result = client.compare("dc=example,dc=com", "description", "x" * (5 * MIB))
            self.assertIn(result.code, (5, 16))

    def test_DOS_03_idle_sessions(self):
        deployment = self.deploy(gateway_flags=[f"--idle-timeout={2 * PATIENCE}"])
        with deployment.connect() as idle, deployment.connect() as busy:
            expect_code(idle.bind(), 0)
            for _ in range(8):
                expect_code(busy.search("", "base"), 0)
                time.sleep(0.5 * PATIENCE)
            self.assertTrue(is_closed_within(idle, PATIENCE), "idle session outlives the idle timeout")
            expect_code(busy.search("", "base"), 0)

    def stall_searches(self, deployment, box, number):
        """Connections that asked for all wide entries and read nothing."""
        stalled = []
        for _ in range(number):
            connection = self.enterContext(deployment.admin(receive_buffer=4096))
            message_id = connection.send(ldap.search(box, "one", "(sn=wide)"))
            stalled.append((connection, message_id))
        return stalled

    def test_DOS_05_clients_that_do_not_read(self):
        self.not_slapd("slapd serves nobody any more once 16 clients do not read")
        deployment = self.deploy(gateway_flags=["--write-timeout=60"])
        box = make_box(deployment, "dos05")
        add_wide_entries(deployment, box)
        with deployment.admin() as admin:  # warms what will be warm afterwards
            self.assertEqual(len(admin.search(box, "one", "(sn=wide)").entries), 300)
        before = deployment.resident_bytes()
        open_before = _settled_connections(deployment)

        stalled = self.stall_searches(deployment, box, 40)
        time.sleep(1)
        self.assert_serves_quickly(deployment)
        self.assert_serves_quickly(deployment, f"cn=w0000,{box}")
        self.assert_grew_less(before, deployment.resident_bytes(), 200 * MIB, "gateway and directory")

        reader, message_id = stalled[0]
        result = expect_code(reader.wait(message_id), 0)
        self.assertEqual(len(result.entries), 300)

        for connection, _ in stalled:
            connection.close()
        wait_until(lambda: deployment.open_connections() == open_before, 5,
                   "all connections gone")
        wait_until(lambda: deployment.open_snapshots() == 0, 5, "all searches gone")
        self.assert_grew_less(before, deployment.resident_bytes(), 64 * MIB, "memory afterwards")

    def test_deeply_nested_filters(self):
        """RFC 4511 4.1.1: what is well-formed gets its answer, and the session goes on."""
        self.not_slapd("slapd has no limit on nesting")
        deployment = self.deploy()
        before = deployment.gateway.resident_bytes()
        with deployment.connect() as deep, deployment.connect() as other:
            expect_code(other.search("", "base"), 0)
            expect_code(deep.search("", "base", nested_filter(200, ber_tag=0xA2)), 0)
            for tag in (0xA0, 0xA1, 0xA2):  # and, or, not
                for _ in range(50):
                    refused = deep.search("", "base", nested_filter(1000, ber_tag=tag))
                    expect_code(refused, 2)
                    self.assertEqual(refused.entries, [])
                    seconds, result = elapsed(lambda: other.search("", "base"))
                    expect_code(result, 0)
                    self.assert_quick(seconds, 1, "the search of another client")
            expect_code(deep.search("", "base"), 0)
        self.assert_grew_less(before, deployment.gateway.resident_bytes(), 32 * MIB, "gateway")

    def test_nesting_without_an_end(self):
        """A filter that never comes to an item is not well-formed; only its sender suffers."""
        deployment = self.deploy()
        before = deployment.gateway.resident_bytes()
        with deployment.connect() as other:
            for depth in (1000, 100_000):
                for _ in range(20):
                    with deployment.connect() as deep:
                        head = ldap.search("", "base", b"\xa2\x84\x7f\xff\xff\xff" * depth)
                        deep.send_raw(ldap.request(1, head))
                        try:
                            self.assertEqual(deep.receive().code, 2)
                        except Closed as closed:
                            self.assertIn(closed.notice and closed.notice.code, (None, 2))
                    expect_code(other.search("", "base"), 0)
            self.assert_serves_quickly(deployment)
        self.assert_grew_less(before, deployment.gateway.resident_bytes(), 48 * MIB, "gateway")

    def test_DOS_05_write_timeout(self):
        write_timeout = 2 * PATIENCE
        deployment = self.deploy(gateway_flags=[f"--write-timeout={write_timeout}"])
        box = make_box(deployment, "dos05")
        add_wide_entries(deployment, box)
        open_before = _settled_connections(deployment)
        stalled = self.stall_searches(deployment, box, 10)
        wait_until(lambda: deployment.open_connections() == open_before + len(stalled), 1,
                   "connections counted")
        wait_until(lambda: deployment.open_connections() == open_before, write_timeout + 10,
                   "clients that do not read disconnected")
        self.assert_serves_quickly(deployment)
