"""Procedures of tests/cases/kube.yaml about stopping: SIGTERM with work in progress."""

import signal
import time

import ldap_message as ldap
from ber_client import Closed
from grpc_health import NOT_SERVING, SERVING, HealthClient
from procedure_case import (Clients, ProcedureCase, add_wide_entries, attempt, expect_code,
                            is_closed_within, make_box)
from processes import PATIENCE, wait_until

_WIDE = 300


class SlowReader:
    """Reads all wide entries in about two seconds; `started` once it is in the middle."""

    def __init__(self, deployment, box):
        self._connection = deployment.connect(timeout=30 * PATIENCE, receive_buffer=16384)
        self._id = self._connection.send(ldap.search(box, "one", "(sn=wide)"))
        self.entries = 0
        self.code = None

    def read(self):
        with self._connection as connection:
            while True:
                response = connection.receive()
                if response.tag == ldap.SEARCH_DONE:
                    self.code = response.code
                    return
                self.entries += 1
                time.sleep(2 / _WIDE)


class Writer:
    """Adds entries without pause until the session ends; `added` are those with result 0."""

    def __init__(self, deployment, box):
        self._connection = deployment.admin(timeout=30 * PATIENCE)
        self._box = box
        self.added = []
        self.other_codes = set()

    def write(self, clients):
        with self._connection as connection:
            for number in range(1_000_000):
                if clients.stopping:
                    return
                dn = f"cn=a{number},{self._box}"
                try:
                    result = connection.add(dn, {"objectClass": ["person"], "cn": [f"a{number}"],
                                                 "sn": ["x"]})
                except Closed:
                    return
                if result.code == 0:
                    self.added.append(dn)
                else:
                    self.other_codes.add(result.code)
                    time.sleep(0.01)  # a client that is told to come back later

    def missing(self, deployment):
        """Acknowledged entries that do not exist."""
        with deployment.admin() as admin:
            return [dn for dn in self.added
                    if admin.search(dn, "base", attributes=["1.1"]).code != 0]


class KubeStopProcedures(ProcedureCase):
    def test_K8S_01_sigterm_to_the_gateway(self):
        deployment = self.deploy()
        box = make_box(deployment, "k8s01")
        add_wide_entries(deployment, box, _WIDE)
        gateway = deployment.gateway
        idle = [self.enterContext(deployment.connect()) for _ in range(18)]
        for connection in idle:
            expect_code(connection.bind(), 0)
        reader, writer = SlowReader(deployment, box), Writer(deployment, box)
        with Clients() as clients:
            clients.start(reader.read)
            clients.start(writer.write, clients)
            wait_until(lambda: reader.entries > 10 and writer.added, 10, "work in progress")
            self.assertTrue(gateway.ready())
            gateway.signal(signal.SIGTERM)
            self.assert_not_ready_until_exit(gateway)
        self.assertEqual(gateway.wait(1), 0)
        self.assertEqual((reader.entries, reader.code), (_WIDE, 0))
        self.assertLessEqual(writer.other_codes, {51, 52})
        for connection in idle:
            self.assertTrue(is_closed_within(connection, PATIENCE), "idle session still open")
        deployment.assert_clean_log()
        deployment.start(suffix=False)
        self.assertEqual(writer.missing(deployment), [])

    def assert_not_ready_until_exit(self, gateway):
        """Readiness turns negative within 500 ms and stays so to the end, within 25 seconds."""
        start = time.monotonic()
        while gateway.alive():
            seconds = time.monotonic() - start
            self.assert_quick(seconds, 25, "still there after SIGTERM")
            if gateway.ready():
                self.assert_quick(seconds, 0.5, "still ready after SIGTERM")
            time.sleep(0.1)

    def test_K8S_01_sigterm_to_the_directory(self):
        self.split_only()
        deployment = self.deploy()
        box = make_box(deployment, "k8s01")
        add_wide_entries(deployment, box, _WIDE)
        reader, writer = SlowReader(deployment, box), Writer(deployment, box)
        longest, codes = [0.0], set()

        def search(clients):
            with deployment.connect(timeout=30 * PATIENCE) as connection:
                while not clients.stopping:
                    start = time.monotonic()
                    codes.add(connection.search(box, "base", attributes=["1.1"]).code)
                    longest[0] = max(longest[0], time.monotonic() - start)

        with HealthClient(deployment.directory.addresses["grpc"]) as health, Clients() as clients:
            watch = health.watch("")
            self.assertEqual(watch.next(timeout=5), SERVING)
            clients.start(reader.read)
            clients.start(writer.write, clients)
            for _ in range(18):
                clients.start(search, clients)
            wait_until(lambda: reader.entries > 10 and codes and writer.added, 10,
                       "work in progress")
            deployment.directory.signal(signal.SIGTERM)
            self.assertEqual(watch.next(timeout=5), NOT_SERVING)
            self.assertEqual(deployment.directory.wait(25), 0)
            time.sleep(1)  # a while without directory
            added_before = len(writer.added)
            deployment.start(suffix=False)
            wait_until(lambda: len(writer.added) > added_before, 10, "the writer goes on")
            clients.stop()
        self.assertLessEqual(codes | writer.other_codes, {0, 51, 52})
        self.assertEqual(writer.missing(deployment), [])
        self.assert_quick(longest[0], 10, "an operation while the directory was away")
        self.assertEqual((reader.entries, reader.code), (_WIDE, 0))
        with deployment.admin() as admin:
            expect_code(admin.search(box, "base"), 0)
            expect_code(admin.add(f"cn=after,{box}", {
                "objectClass": ["person"], "cn": ["after"], "sn": ["x"]}), 0)
        deployment.assert_clean_log()

    def test_a_gateway_is_back_within_two_seconds_of_its_directory(self):
        self.split_only()
        deployment = self.deploy()
        self.assertEqual(deployment.directory.terminate(), 0)
        wait_until(lambda: not deployment.gateway.ready(), 5, "the gateway without its directory")
        time.sleep(8)  # long enough for the waits between attempts to have grown
        deployment.directory.start()
        deployment.directory.wait_for_listeners()
        deployment.directory.wait_until_ready()
        start = time.monotonic()
        deployment.gateway.wait_until_ready()
        self.assert_quick(time.monotonic() - start, 2.5, "the gateway back")

    def test_K8S_01_sigterm_twice(self):
        deployment = self.deploy()
        box = make_box(deployment, "k8s01")
        add_wide_entries(deployment, box, _WIDE)
        reader = SlowReader(deployment, box)
        with Clients() as clients:
            clients.start(lambda: attempt(reader.read))
            wait_until(lambda: reader.entries > 10, 10, "work in progress")
            for process in deployment.processes():
                process.signal(signal.SIGTERM)
            time.sleep(0.2)
            for process in deployment.processes():
                if process.alive():
                    process.signal(signal.SIGTERM)
            for process in deployment.processes():
                self.assertEqual(process.wait(25), 0)
