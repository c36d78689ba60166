"""Procedures of tests/cases/grpc.yaml: big results and entries, and the health service."""

import ldap_message as ldap
from grpc_health import NOT_SERVING, SERVICE_UNKNOWN, SERVING, HealthClient, HealthError
from harness import elapsed
from procedure_case import MIB, ProcedureCase, expect_code, make_box
from processes import PATIENCE

SERVICE = "twintree.directory.v1.DirectoryService"
_MEMBERS = 100000 // PATIENCE  # a change of a group takes time in proportion


class GrpcProcedures(ProcedureCase):
    def test_GRP_01_results_beyond_4_mib(self):
        deployment = self.deploy()
        box = make_box(deployment, "grp01")
        with deployment.admin(timeout=60 * PATIENCE) as admin:
            for number in range(1000):
                expect_code(admin.add(f"cn=e{number},{box}", {
                    "objectClass": ["person"], "cn": [f"e{number}"], "sn": ["x"],
                    "description": ["d" * 8192]}), 0)
            whole = expect_code(admin.search(box, "one"), 0)
            paged = expect_code(admin.search(box, "one", controls=[ldap.paged_control(1000)]), 0)
        self.assertEqual(len(whole.entries), 1000)
        self.assertEqual(len(paged.entries), 1000)
        self.assertEqual({len(dict(entry.attributes)["description"][0]) for entry in whole.entries},
                         {8192})

    def test_GRP_01_big_values(self):
        deployment = self.deploy()
        box = make_box(deployment, "grp01")
        with deployment.admin(timeout=60 * PATIENCE) as admin:
            for name, size in (("small", 3 * MIB), ("large", 5 * MIB)):
                photo = bytes(range(256)) * (size // 256)
                expect_code(admin.add(f"cn={name},{box}", {
                    "objectClass": ["inetOrgPerson"], "cn": [name], "sn": ["x"],
                    "jpegPhoto": [photo]}), 0)
                found = expect_code(
                    admin.search(f"cn={name},{box}", "base", attributes=["jpegPhoto"]), 0)
                self.assertEqual(dict(found.entries[0].attributes)["jpegPhoto"], [photo])

    def test_GRP_01_large_group(self):
        deployment = self.deploy()
        box = make_box(deployment, "grp01")
        tail = f",{box}"
        members = [f"cn=m{number:06d}".ljust(60 - len(tail), "m") + tail
                   for number in range(_MEMBERS)]
        self.assertEqual({len(member) for member in members}, {60})
        group = f"cn=g,{box}"
        with deployment.admin(timeout=60 * PATIENCE) as admin:
            expect_code(admin.add(group, {
                "objectClass": ["groupOfNames"], "cn": ["g"], "member": members}), 0)
            taken = []
            for number in range(100):
                seconds, result = elapsed(lambda number=number: admin.modify(group, [
                    ("delete", "member", [members[number]]),
                    ("add", "member", [f"cn=new{number},{box}"])]))
                expect_code(result, 0)
                taken.append(seconds)
            self.assert_quick(max(taken), 1, "change of one member")
            found = expect_code(admin.search(group, "base", attributes=["member"]), 0)
        kept = {value.decode() for value in dict(found.entries[0].attributes)["member"]}
        self.assertEqual(kept, {*members[100:], *(f"cn=new{n},{box}" for n in range(100))})

    def test_GRP_03_health_check(self):
        deployment = self.deploy()
        with HealthClient(deployment.directory.addresses["grpc"]) as health:
            self.assertEqual(health.check(""), SERVING)
            self.assertEqual(health.check(SERVICE), SERVING)
            with self.assertRaises(HealthError) as caught:
                health.check("no.such.Service")
        self.assertEqual(caught.exception.code, "NOT_FOUND")

    def test_GRP_03_health_watch_sees_a_lost_store(self):
        deployment = self.deploy()
        with HealthClient(deployment.directory.addresses["grpc"]) as health:
            overall = health.watch("")
            unknown = health.watch("no.such.Service")
            self.assertEqual(overall.next(timeout=2), SERVING)
            self.assertEqual(unknown.next(timeout=2), SERVICE_UNKNOWN)
            deployment.data.rename(deployment.folder / "moved-away")
            self.assertEqual(overall.next(timeout=10), NOT_SERVING)
        self.assertFalse(deployment.directory.ready())
