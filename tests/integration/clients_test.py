#!/usr/bin/python3
"""Drives the server with programs we did not write: the OpenLDAP tools, ldap3 and libldap.

    clients_test.py --wiring serve|split|slapd [-k PATTERN ...]
"""

import argparse
import sys
import unittest

import clients_openldap
import clients_python
from clients_case import ClientCase


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wiring", choices=["serve", "split", "slapd"], required=True,
                        help="slapd: Debian's, to test the tests")
    parser.add_argument("-k", nargs="+", metavar="PATTERN", help="only tests with such names")
    arguments = parser.parse_args()

    ClientCase.wiring = arguments.wiring
    loader = unittest.TestLoader()
    if arguments.k:
        loader.testNamePatterns = [f"*{pattern}*" for pattern in arguments.k]
    suite = unittest.TestSuite(
        loader.loadTestsFromModule(module) for module in (clients_openldap, clients_python))
    if suite.countTestCases() == 0:
        parser.error("no such test")
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
