#!/usr/bin/python3
"""Runs the cases of tests/cases that are LDAP operations or LDIF files against a real server.

    cases_test.py --wiring serve|split [--only ID...]   our server (TWINTREE_BIN_DIR)
    cases_test.py --slapd [--only ID...]                Debian's slapd, to test this runner

Prints a line for each case and a total; the exit code is 1 if a case failed, or was skipped because
our server does not announce what it did. With --slapd, a step
or file that has a slapd_note may fail: it is a difference that is known.
"""

import argparse
import re
import sys
import traceback

import case_files
from ber_client import Closed, TimedOut
from case_expect import check_entries
from case_steps import StepRunner
from harness import Deployment
from names import depth
from slapd import Slapd

# Cases about what our server does not have. Any other one that is skipped is an announcement lost.
NOT_OFFERED = {"MBR-01", "MBR-03"}


class Server:
    """What the server under test says it can do."""

    def __init__(self, target):
        with target.connect() as connection:
            self.root = self._read(connection, "", ["*", "+"])
            self.schema_dn = self.root["subschemasubentry"][0]
            self.schema = self._read(connection, self.schema_dn, ["attributeTypes"])

    @staticmethod
    def _read(connection, dn, attributes):
        result = connection.search(dn, "base", attributes=attributes)
        return {name.lower(): [value.decode() for value in values]
                for name, values in result.entries[0].attributes}

    def _attribute_type(self, name):
        return next((definition for definition in self.schema["attributetypes"]
                     if re.search(rf"\bNAME (\( )?('\S+' )*'{name}'", definition)), "")

    def lacks(self, requires):
        """What is missing of the `requires` of a case; "" if nothing."""
        missing = [f"{attribute} {oid}" for attribute, oid
                   in re.findall(r"(supported\w+) ([\d.]+)", requires)
                   if oid not in self.root.get(attribute.lower(), [])]
        # An attribute that clients cannot write is one that the server keeps up to date, unless its
        # description says otherwise.
        member_of = self._attribute_type("memberOf")
        if "memberOf" in requires and ("NO-USER-MODIFICATION" not in member_of
                                       or "not kept" in member_of):
            missing.append("memberOf that the server maintains")
        missing += [f"attribute type {name}" for name in ("hasSubordinates", "entryDN")
                    if name in requires and not self._attribute_type(name)]
        if not re.search(r"supported\w+ [\d.]+|memberOf|hasSubordinates", requires):
            raise case_files.CaseError(f"requires {requires!r}")
        return ", ".join(missing)


class Report:
    """Outcome of the steps or files of one case."""

    def __init__(self, allow_known):
        self._allow_known = allow_known
        self.failures = []
        self.remarks = []

    def add(self, place, complaints, item):
        """Sorts complaints about a step or file by how grave they are."""
        known = self._allow_known and "slapd_note" in item
        for complaint in complaints:
            if item.get("advisory"):
                self.remarks.append(f"{place}, advisory: {complaint}")
            elif known:
                self.remarks.append(f"{place}, known: {complaint}")
            else:
                self.failures.append(f"{place}: {complaint}")


def reset_box(target, filler, name):
    """Deletes the container of a case with all below it, and creates it anew."""
    with target.admin() as admin:
        found = admin.search(filler.box, "sub", attributes=["1.1"])
        for dn in sorted((entry.dn for entry in found.entries), key=depth, reverse=True):
            _must(admin.delete(dn), f"delete {dn}")
        _must(admin.add(filler.box, {"objectClass": ["organizationalUnit"], "ou": [name]}),
              f"add {filler.box}")


def set_up(target, filler, case):
    """Adds the entries of `setup` and `setup_gen` as administrator."""
    entries = [*case_files.records(filler.fill(case["setup"]))] if "setup" in case else []
    if "setup_gen" in case:
        entries += case_files.generated(filler.fill(case["setup_gen"]))
    with target.admin() as admin:
        for dn, attributes in entries:
            _must(admin.add(dn, attributes), f"add {dn}")


def _must(result, what):
    if result.code != 0:
        raise AssertionError(f"setup: {what}: result {result.code} ({result.text})")


def run_steps(target, filler, case, report):
    runner = StepRunner(target, filler)
    try:
        for number, step in enumerate(case["steps"], 1):
            report.add(f"step {number}", runner.run(step), step)
    finally:
        runner.close()


def run_file(target, filler, item):
    """Imports one LDIF file of a case and returns complaints."""
    path = target.folder / f"{item['name']}.ldif"
    path.write_bytes(filler.ldif(item["text"]))
    succeeded, output = target.import_ldif(path)
    expect = filler.fill(item["expect"])
    complaints = _check_import(succeeded, output, expect, path)
    with target.admin() as admin:
        for wanted in expect.get("entries", []):
            found = admin.search(wanted["dn"], "base")
            complaints += check_entries(found.entries, [wanted])
        for dn in expect.get("missing", []):
            if admin.search(dn, "base").code != 32:
                complaints.append(f"{dn} should not exist")
    return complaints


def _check_import(succeeded, output, expect, path):
    if expect["status"] == "ok":
        return [] if succeeded else [f"import failed: {output}"]
    if succeeded:
        return [f"import reports no failure: {output!r}"]
    said = output.replace(str(path), "FILE")
    # The place is good enough as "line 8", "(line=8", "FILE:8", or as the DN of the record.
    named = re.search(rf"(line[ =]*|FILE:){expect['line']}\b", said)
    record = any(dn.lower() in said.lower() for dn in expect.get("missing", []))
    return [] if named or record else [f"place (line {expect['line']}) not named: {output!r}"]


def run_case(target, server, case, allow_known):
    """(verdict, lines): "PASS", "FAIL" or "SKIP", and what there is to say about it."""
    if missing := server.lacks(case["requires"]) if "requires" in case else "":
        return "SKIP", [f"not announced: {missing}"]
    filler = case_files.Filler(case, server.schema_dn)
    report = Report(allow_known)
    try:
        reset_box(target, filler, case_files.box_name(case))
        set_up(target, filler, case)
        if "steps" in case:
            run_steps(target, filler, case, report)
        for item in case.get("files", []):
            report.add(f"file {item['name']}", run_file(target, filler, item), item)
    except case_files.CaseError:
        raise
    except (AssertionError, Closed, TimedOut, OSError) as error:
        report.failures.append(f"{type(error).__name__}: {error}")
    except Exception:  # an answer that this client cannot decode is a finding as well
        report.failures.append(traceback.format_exc())
    return ("FAIL" if report.failures else "PASS"), report.failures + report.remarks


def run_all(target, cases, allow_known):
    """Prints the report; the IDs of cases by verdict."""
    verdicts = {"PASS": [], "FAIL": [], "SKIP": []}
    server = Server(target)
    for case in cases:
        verdict, lines = run_case(target, server, case, allow_known)
        verdicts[verdict].append(case["id"])
        print(f"{verdict} {case['id']:<8} {case['title']}", flush=True)
        for line in lines:
            print(f"     {line}", flush=True)
    print(", ".join(f"{len(verdicts[verdict])} {word}" for verdict, word in (
        ("PASS", "passed"), ("FAIL", "failed"), ("SKIP", "skipped"))), *verdicts["SKIP"])
    return verdicts


def unexpected_skips(verdicts, cases):
    """IDs of cases that our server ought to run and does not, or the other way round."""
    return sorted(set(verdicts["SKIP"]) ^ (NOT_OFFERED & {case["id"] for case in cases}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--wiring", choices=["serve", "split"])
    which.add_argument("--slapd", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="ID", default=[])
    arguments = parser.parse_args()

    cases = [case for case in case_files.load() if "steps" in case or "files" in case]
    if unknown := set(arguments.only) - {case["id"] for case in cases}:
        parser.error(f"no case {', '.join(sorted(unknown))}")
    cases = [case for case in cases if not arguments.only or case["id"] in arguments.only]
    with Slapd() if arguments.slapd else Deployment(arguments.wiring) as target:
        verdicts = run_all(target, cases, allow_known=arguments.slapd)
        failures = verdicts["FAIL"]
        if not arguments.slapd:
            if unexpected := unexpected_skips(verdicts, cases):
                print(f"skipped without reason, or no longer: {', '.join(unexpected)}")
            failures = failures + unexpected
            target.stop()
            target.check()
            target.assert_clean_log()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
