"""Procedures of tests/cases/storage.yaml: concurrency, crashes and the files of the store."""

import sqlite3
import time

import ldap_message as ldap
from procedure_case import (Clients, ProcedureCase, attempt, counter_entry, expect_code, make_box)
from ber_client import Connection
from processes import PATIENCE
from target import ADMIN, PASSWORD, SUFFIX


def _bound(port):
    connection = Connection(port, timeout=60 * PATIENCE)
    expect_code(connection.bind(ADMIN, PASSWORD), 0)
    return connection


def _number(connection, dn):
    result = expect_code(connection.search(dn, "base", attributes=["uidNumber"]), 0)
    return int(result.entries[0].attributes[0][1][0])


class Counting:
    """Many clients that raise the uidNumber of one entry, while others search without pause."""

    def __init__(self, deployment, clients, times):
        self.dn, attributes = counter_entry(make_box(deployment, "sto01"))
        with deployment.admin() as admin:
            expect_code(admin.add(self.dn, attributes), 0)
        self.ports = [gateway.port("ldap") for gateway in deployment.gateways]
        self.clients = clients
        self.times = times
        self.codes = []  # list.append is atomic

    def run(self, client):
        """All codes of `client(connection)`, and the final number."""
        with Clients() as searchers, Clients() as writers:
            for number in range(4):
                searchers.start(self._search, searchers, self.ports[number % len(self.ports)])
            for number in range(self.clients):
                writers.start(self._repeat, client, self.ports[number % len(self.ports)])
            writers.join()
            searchers.stop()
        with _bound(self.ports[0]) as connection:
            return self.codes, _number(connection, self.dn)

    @staticmethod
    def _search(searchers, port):
        with _bound(port) as connection:
            while not searchers.stopping:
                expect_code(connection.search(SUFFIX, "sub", attributes=["uidNumber"]), 0)

    def _repeat(self, client, port):
        with _bound(port) as connection:
            for _ in range(self.times):
                self.codes.append(client(connection))

    def increment(self, connection):
        return connection.modify(self.dn, [("increment", "uidNumber", ["1"])]).code

    def swap(self, connection):
        """Deletes the value just read and adds the next one, until nobody was faster."""
        while True:
            number = _number(connection, self.dn)
            code = connection.modify(self.dn, [("delete", "uidNumber", [str(number)]),
                                               ("add", "uidNumber", [str(number + 1)])]).code
            if code != 16:
                return code


class StorageProcedures(ProcedureCase):
    def assert_counted(self, codes, number, expected):
        self.assertEqual(len(codes), expected)
        self.assertLessEqual(set(codes), {0, 51})
        self.assertEqual(number, codes.count(0))
        self.assertGreater(number, 0)

    def test_STO_01_concurrent_increments(self):
        counting = Counting(self.deploy(), clients=20, times=50)
        codes, number = counting.run(counting.increment)
        self.assert_counted(codes, number, 1000)

    def test_STO_01_concurrent_increments_through_two_gateways(self):
        self.split_only()
        counting = Counting(self.deploy(gateways=2), clients=20, times=50)
        codes, number = counting.run(counting.increment)
        self.assert_counted(codes, number, 1000)

    def test_STO_01_optimistic_clients(self):
        counting = Counting(self.deploy(), clients=20, times=50)
        codes, number = counting.run(counting.swap)
        self.assert_counted(codes, number, 1000)

    def test_STO_03_acknowledged_entries_survive_kill(self):
        deployment = self.deploy()
        box = make_box(deployment, "sto03")
        recorded = Recorded(box)
        for round_number in range(10):
            with Clients() as writers:
                for client in range(4):
                    writers.start(recorded.write, deployment, client)
                time.sleep(2)
                deployment.directory.kill()
                if round_number % 2:
                    deployment.gateway.kill()
            start = time.monotonic()
            deployment.start(suffix=False)
            self.assert_quick(time.monotonic() - start, 10, "ready after SIGKILL")
            with deployment.admin() as admin:
                self.assertEqual(recorded.complaints(admin), [])
        self.assertGreater(len(recorded.dns), 100)
        deployment.stop()
        if self.wiring != "slapd":
            self.assert_integrity(deployment)
        deployment.check()

    def assert_integrity(self, deployment):
        databases = [path for path in deployment.data.rglob("*") if _is_database(path)]
        self.assertTrue(databases, "no SQLite database in the data directory")
        for path in databases:
            database = sqlite3.connect(path)
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            database.close()


def _is_database(path):
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


class Recorded:
    """Entries that clients add one after the other, and those the server answered for."""

    def __init__(self, box):
        self._box = box
        self._next = [0, 0, 0, 0]
        self._checked = 0
        self._extra = set()
        self.dns = []

    def write(self, deployment, client):
        """Adds entries until the server fails."""
        connection = attempt(deployment.admin)
        while connection:
            number = self._next[client]
            self._next[client] += 1
            name = f"k{client}-{number}"
            result = attempt(lambda name=name: connection.add(f"cn={name},{self._box}", {
                "objectClass": ["person"], "cn": [name], "sn": ["x"]}))
            if result is None or result.code in (51, 52):
                connection.close()
                return
            expect_code(result, 0)
            self.dns.append(name)

    def complaints(self, admin):
        """What is missing, half there or there without reason after one more crash."""
        found = {}
        wanted = ["cn", "sn", "objectClass", "entryUUID"]
        for entry in expect_code(admin.search(self._box, "one", attributes=wanted), 0).entries:
            attributes = dict(entry.attributes)
            found[attributes.get("cn", [b""])[0].decode()] = attributes
        broken = [name for name, attributes in found.items() if len(attributes) != len(wanted)]
        lost = [name for name in self.dns if name not in found]
        extra = set(found) - set(self.dns)
        return broken + lost + self._too_many(extra) + self._unfindable(admin)

    def _too_many(self, extra):
        """Names of the last round beyond the one that each client may have had under way."""
        new, self._extra = sorted(extra - self._extra), extra
        clients = [name.partition("-")[0] for name in new]
        return [name for name, client in zip(new, clients, strict=True)
                if clients.count(client) > 1]

    def _unfindable(self, admin):
        """Names written down since the last call that no base search or no filter finds."""
        names = self.dns[self._checked :]
        self._checked = len(self.dns)
        missing = []
        for start in range(0, len(names), 200):
            asked = []
            for name in names[start : start + 200]:
                asked.append((name, admin.send(ldap.search(f"cn={name},{self._box}", "base"))))
                asked.append((name, admin.send(ldap.search(self._box, "one", f"(cn={name})"))))
            missing += [name for name, message_id in asked
                        if len(admin.wait(message_id).entries) != 1]
        return missing
