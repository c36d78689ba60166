"""What the client tests share: one server for a class, and a container of its own for each test."""

import unittest

from harness import Deployment
from procedure_case import expect_code
from slapd import Slapd
from target import SUFFIX


class ClientCase(unittest.TestCase):
    """Base of all client tests. `wiring` is set by clients_test.py."""

    wiring = "serve"

    @classmethod
    def setUpClass(cls):
        cls.target = cls.enterClassContext(
            Slapd() if cls.wiring == "slapd" else Deployment(cls.wiring))

    @classmethod
    def tearDownClass(cls):
        cls.target.stop()
        cls.target.check()
        cls.target.assert_clean_log()

    def setUp(self):
        name = self.id().rpartition(".")[2].replace("_", "-")
        self.box = f"ou={name},{SUFFIX}"
        with self.target.admin() as admin:
            expect_code(admin.add(self.box, {"objectClass": ["organizationalUnit"], "ou": [name]}),
                        0)

    def add_person(self, name, **attributes):
        """Adds `cn=<name>` with sn x and the attributes given, and returns its DN."""
        dn = f"cn={name},{self.box}"
        with self.target.admin() as admin:
            expect_code(admin.add(dn, {"objectClass": ["inetOrgPerson"], "cn": [name], "sn": ["x"],
                                       **attributes}), 0)
        return dn
