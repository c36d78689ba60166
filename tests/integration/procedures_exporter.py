"""Procedures of tests/cases/exporter.yaml: the metrics page."""

import re
import shutil
import subprocess
from pathlib import Path

import ldap_message as ldap
import metrics_page
from procedure_case import ProcedureCase, expect_code, make_box
from processes import wait_until
from target import ADMIN, PASSWORD

ROOT = Path(__file__).resolve().parents[2]
LDAP_OPERATIONS = "twintree_ldap_operations_total"
OPERATIONS = "twintree_operations_total"
BINDS = "twintree_ldap_binds_total"
CONNECTIONS = "twintree_ldap_connections"


def _counts(page, name, label="operation"):
    """(operation, result) to the number so far; zeros left out."""
    counts = {}
    for (_, labels), number in page.samples(name).items():
        labels = dict(labels)
        if number:
            counts[(labels[label], labels["result"])] = number
    return counts


class ExporterProcedures(ProcedureCase):
    def test_MET_01_awkward_values(self):
        deployment = self.deploy()
        box = make_box(deployment, "met01")
        with deployment.connect() as connection:
            for dn in (f'cn="x\\0Ay",{box}'.encode(), f"cn=a\\22b\\5C,{box}".encode(),
                       b"cn=\xff\xfe," + box.encode()):
                self.assertNotEqual(connection.bind(dn, "wrong").code, 0)
            expect_code(connection.extended('1.2.3"\\\n{x="y"}'), 2)
            expect_code(connection.search(b"\xff\xfe=\n", "base"), 34)
        for process in deployment.processes():
            self.assert_strict(process)
            for page in ("/livez", "/startupz", "/readyz", "/healthz"):
                self.assertEqual(process.http(page)[0], 200, page)

    def test_MET_01_every_metric_is_documented_and_there(self):
        text = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
        documented = re.findall(r"(?m)^\| `(\w+)` \| ([SDG ]+) \|", text)
        for process in self.deploy().processes():
            role = process.name[0].upper()  # serve, directory, gateway
            expected = {name for name, roles in documented if role in roles}
            if not any(part.startswith("--tls-cert=") for part in process.command):
                expected.remove("twintree_tls_certificate_not_after_timestamp_seconds")
            self.assertEqual(set(process.metrics().families), expected, process.name)

    def assert_strict(self, process):
        status, body, headers = process.http("/metrics")
        self.assertEqual(status, 200)
        headers = {name.lower(): value for name, value in headers.items()}
        self.assertRegex(headers["content-type"], r"^text/plain;.*version=0\.0\.4")
        metrics_page.parse(body)
        if promtool := shutil.which("promtool"):
            done = subprocess.run([promtool, "check", "metrics"], input=body, text=True,
                                  capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_MET_04_counters_count_what_happened(self):
        deployment = self.deploy()
        box = make_box(deployment, "met04")
        with deployment.admin() as admin:
            expect_code(admin.add(f"cn=u,{box}", {
                "objectClass": ["person"], "cn": ["u"], "sn": ["x"], "userPassword": ["pw"]}), 0)
        gateway = deployment.gateway
        wait_until(lambda: gateway.metrics().value(CONNECTIONS) == 0, 5, "earlier connections gone")
        before = gateway.metrics()
        directory_before = deployment.directory.metrics()

        connections = [deployment.connect() for _ in range(5)]
        self.exercise(connections, box)
        self.assertEqual(gateway.metrics().value(CONNECTIONS), 5)
        for connection in connections[:3]:
            connection.unbind()
            connection.read_until_closed(5)
        for connection in connections:
            connection.close()
        wait_until(lambda: gateway.metrics().value(CONNECTIONS) == 0, 5,
                   "gauge of open connections back at its start value")

        after = gateway.metrics()  # parsing checks every histogram
        reached = {
            ("bind", "success"): 3, ("bind", "invalidCredentials"): 2, ("search", "success"): 4,
            ("search", "noSuchObject"): 1, ("add", "success"): 1,
            ("modify", "noSuchAttribute"): 1, ("compare", "compareTrue"): 1}
        self.assert_grown(_counts(before, LDAP_OPERATIONS), _counts(after, LDAP_OPERATIONS), {
            **reached, ("abandon", "success"): 1, ("unbind", "success"): 3})
        self.assert_grown(_counts(before, BINDS, "mechanism"), _counts(after, BINDS, "mechanism"), {
            ("simple", "success"): 3, ("simple", "invalidCredentials"): 2})
        # The directory counts what reaches it, also when it does so through a gateway.
        self.assert_grown(_counts(directory_before, OPERATIONS),
                          _counts(deployment.directory.metrics(), OPERATIONS), reached)
        for key, number in before.counters().items():
            self.assertGreaterEqual(after.counters()[key], number, key)

    def exercise(self, connections, box):
        """The operations of the case, spread over the connections."""
        user = f"cn=u,{box}"
        for number in range(3):
            expect_code(connections[number].bind(ADMIN, PASSWORD), 0)
        for number in range(2):
            expect_code(connections[3 + number].bind(user, "wrong"), 49)
        for number in range(4):
            expect_code(connections[number].search(user, "base"), 0)
        expect_code(connections[4].search(f"cn=none,{box}", "base"), 32)
        expect_code(connections[0].add(f"cn=new,{box}", {
            "objectClass": ["person"], "cn": ["new"], "sn": ["x"]}), 0)
        expect_code(connections[1].modify(user, [("delete", "description", [])]), 16)
        expect_code(connections[2].compare(user, "sn", "X"), 6)
        connections[0].send(ldap.abandon(77))

    def assert_grown(self, before, after, expected):
        grown = {key: number - before.get(key, 0) for key, number in after.items()
                 if number != before.get(key, 0)}
        self.assertEqual(grown, expected)
