#!/usr/bin/python3
"""Clients that keep connections: one that was closed while it was idle is opened again unnoticed.

    reconnect_test.py --wiring serve|split
"""

import argparse
import sys
import unittest

import ldap
from ldap.ldapobject import ReconnectLDAPObject

from harness import Deployment
from libldap import bind_as_admin
from processes import wait_until
from target import ADMIN

IDLE_SECONDS = 1


class ReconnectTest(unittest.TestCase):
    wiring = "serve"

    def start(self, *flags):
        self.deployment = self.enterContext(Deployment(self.wiring, gateway_flags=flags))
        self.door = self.deployment.gateway

    def pooled(self):
        """Connections as applications keep them, through every way in, each bound and used once."""
        pool = [self.connection(f"ldap://127.0.0.1:{self.deployment.ldap_port}"),
                self.connection(f"ldap://127.0.0.1:{self.deployment.ldap_port}", start_tls=True),
                self.connection(f"ldaps://127.0.0.1:{self.deployment.ldaps_port}")]
        self.assert_work(pool)
        return pool

    def connection(self, url, start_tls=False):
        # One retry: the first call has to succeed with a connection that is made for it.
        connection = ReconnectLDAPObject(url, retry_max=1, retry_delay=0.1)
        self.addCleanup(connection.unbind_s)
        bind_as_admin(connection, self.deployment.certificates, start_tls)
        return connection

    def assert_work(self, pool):
        for connection in pool:
            self.assertEqual(connection.whoami_s(), f"dn:{ADMIN}")

    def accepted(self):
        return self.door.metrics().value("twintree_ldap_connections_total")

    def test_after_the_idle_timeout(self):
        self.start(f"--idle-timeout={IDLE_SECONDS}")
        pool = self.pooled()
        wait_until(lambda: self.deployment.open_connections() == 0, IDLE_SECONDS + 10,
                   "idle connections closed")
        before = self.accepted()
        self.assert_work(pool)
        self.assertEqual(self.accepted() - before, len(pool))

    def test_after_a_restart(self):
        self.start()
        pool = self.pooled()
        self.assertEqual(self.door.terminate(), 0)
        self.door.start()
        self.door.wait_for_listeners()
        self.door.wait_until_ready()
        self.assert_work(pool)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wiring", choices=("serve", "split"), default="serve")
    arguments, rest = parser.parse_known_args()
    ReconnectTest.wiring = arguments.wiring
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
