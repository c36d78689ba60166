#!/usr/bin/python3
"""Runs the procedures of tests/cases: what needs timing, signals or several processes.

    procedures_test.py --wiring serve|split|slapd [--kind dos ...] [-k PATTERN ...]

Each procedure is one or more tests with the case's id in the name. Exit code 1 if one failed.
"""

import argparse
import importlib
import sys
import unittest

from procedure_case import ProcedureCase

KINDS = ["dos", "exporter", "grpc", "kube", "kube_start", "storage", "tls"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wiring", choices=["serve", "split", "slapd"], required=True,
                        help="slapd: Debian's, to test the tests")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("-k", nargs="+", metavar="PATTERN", help="only tests with such names")
    arguments = parser.parse_args()

    ProcedureCase.wiring = arguments.wiring
    loader = unittest.TestLoader()
    if arguments.k:
        loader.testNamePatterns = [f"*{pattern}*" for pattern in arguments.k]
    suite = unittest.TestSuite(
        loader.loadTestsFromModule(importlib.import_module(f"procedures_{kind}"))
        for kind in arguments.kind)
    if suite.countTestCases() == 0:
        parser.error("no such test")
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
