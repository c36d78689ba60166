#!/usr/bin/python3
"""A generated directory through both doors: every kind of filter in every scope gives exactly what
the LDIF says; a subtree of a tenth of all people moves; export and import give the same again.

    scale_test.py --wiring serve|split [--entries N]
"""

import argparse
import subprocess
import sys
import tempfile
import time

from harness import Deployment, binary
from target import ADMIN, SUFFIX

PEOPLE = f"ou=People,{SUFFIX}"


def read_people(path):
    """uid to {attribute in small letters: [values]} of the people in a generated file."""
    people = {}
    for record in path.read_text(encoding="ascii").split("\n\n"):
        entry = {}
        for line in record.replace("\n ", "").splitlines():
            name, _, value = line.partition(": ")
            entry.setdefault(name.lower(), []).append(value)
        if entry.get("dn", [""])[0].endswith(f",{PEOPLE}"):
            people[entry["uid"][0]] = entry
    return people


def questions(count):
    """(filter, what it means for a person)."""
    last = count - 1

    def number(entry):
        return int(entry["employeenumber"][0])

    return [
        (f"(uid=USER.{last})", lambda e: e["uid"] == [f"user.{last}"]),
        ("(cn=user 12*)", lambda e: e["cn"][0].lower().startswith("user 12")),
        ("(cn=*r 77*)", lambda e: "r 77" in e["cn"][0].lower()),
        ("(&(cn=*99)(objectClass=person))", lambda e: e["cn"][0].endswith("99")),
        ("(mail=*.1*2@*)", lambda e: ".1" in e["mail"][0]
         and "2@" in e["mail"][0][e["mail"][0].index(".1") + 2:]),
        (f"(uidNumber>={10000 + last - 9})", lambda e: int(e["uidnumber"][0]) >= 10000 + last - 9),
        ("(uidNumber<=10004)", lambda e: int(e["uidnumber"][0]) <= 10004),
        ("(&(employeeType=contract)(cn=user 5*)(!(st=MA)))",
         lambda e: e["employeetype"] == ["contract"] and e["cn"][0].startswith("User 5")
         and e["st"] != ["MA"]),
        ("(|(uid=user.3)(mail=user.4@example.com)(employeeNumber=5))",
         lambda e: number(e) in (3, 4, 5)),
        ("(&(telephoneNumber=*)(uid=user.7*))", lambda e: e["uid"][0].startswith("user.7")),
        ("(&(!(telephoneNumber=*))(uid=user.7*))", lambda e: False),
        ("(uid:caseExactMatch:=user.11)", lambda e: e["uid"] == ["user.11"]),
        ("(uid:caseExactMatch:=USER.11)", lambda e: False),
        ("(&(ou:dn:=people)(uid=user.2*))", lambda e: e["uid"][0].startswith("user.2")),
    ]


def names(text):
    return sorted(line[4:].lower() for line in text.splitlines() if line.startswith("dn: "))


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stderr}")
    return done.stdout


class Doors:
    def __init__(self, deployment):
        self._ldap = f"ldap://127.0.0.1:{deployment.ldap_port}"
        self._grpc = deployment.directory.addresses["grpc"]
        self._password = deployment.root_password_file.read_text(encoding="ascii").strip()

    def over_ldap(self, base, scope, text):
        return names(run(["ldapsearch", "-x", "-LLL", "-o", "ldif-wrap=no", "-H", self._ldap, "-b",
                          base, "-s", scope, text, "1.1"]))

    def over_grpc(self, base, scope, text):
        return names(run([binary(), "search", "--server", self._grpc, "--base", base, "--scope",
                          scope, "--filter", text, "1.1"]))

    def tool(self, name, *arguments):
        return run([name, "-x", "-H", self._ldap, "-D", ADMIN, "-w", self._password, *arguments])


def check_filters(doors, people):
    checked = 0
    for text, means in questions(len(people)):
        matching = sorted(f"uid={uid},{PEOPLE}".lower() for uid, e in people.items() if means(e))
        first = f"uid=user.7,{PEOPLE}"
        for base, scope, expected in (
                (SUFFIX, "sub", matching), (PEOPLE, "one", matching),
                (PEOPLE, "children", matching), (SUFFIX, "one", []),
                (first, "base", [name for name in matching if name == first.lower()])):
            for ask in (doors.over_ldap, doors.over_grpc):
                found = ask(base, scope, text)
                if found != expected:
                    raise AssertionError(f"{ask.__name__} {base} {scope} {text}: {len(found)} "
                                         f"entries instead of {len(expected)}")
                checked += 1
    return checked


def check_move(doors, count):
    """Moves a subtree of `count` entries and finds every one of them under its new name."""
    add = "".join(
        [f"dn: ou=Old,{SUFFIX}\nobjectClass: organizationalUnit\nou: Old\n\n"
         f"dn: ou=New,{SUFFIX}\nobjectClass: organizationalUnit\nou: New\n\n"
         f"dn: ou=Team,ou=Old,{SUFFIX}\nobjectClass: organizationalUnit\nou: Team\n\n"]
        + [f"dn: cn=m{i},ou=Team,ou=Old,{SUFFIX}\nobjectClass: device\ncn: m{i}\n"
           f"description: moving\n\n" for i in range(count)])
    with tempfile.NamedTemporaryFile("w", suffix=".ldif", encoding="ascii") as file:
        file.write(add)
        file.flush()
        doors.tool("ldapadd", "-c", "-f", file.name)
    begun = time.monotonic()
    doors.tool("ldapmodrdn", "-r", "-s", f"ou=New,{SUFFIX}", f"ou=Team,ou=Old,{SUFFIX}", "ou=Crew")
    seconds = time.monotonic() - begun
    expected = sorted(f"cn=m{i},ou=crew,ou=new,{SUFFIX}" for i in range(count))
    for ask in (doors.over_ldap, doors.over_grpc):
        if ask(f"ou=New,{SUFFIX}", "sub", "(description=moving)") != expected:
            raise AssertionError(f"{ask.__name__}: the moved subtree is not complete")
        if ask(f"ou=Old,{SUFFIX}", "sub", "(description=moving)"):
            raise AssertionError(f"{ask.__name__}: something stayed behind")
    return seconds


def check_export(deployment):
    """The store, exported, imported into another and exported again: the same octets."""
    first, second = deployment.folder / "first.ldif", deployment.folder / "second.ldif"
    other = deployment.folder / "other"
    for flags in ([], ["--operational"]):
        run([binary(), "export", *flags, "--data", deployment.data, "--output", first])
        run(["rm", "-rf", other])
        run([binary(), "import", "--data", other, "--suffix", SUFFIX, first])
        run([binary(), "export", *flags, "--data", other, "--output", second])
        if first.read_bytes() != second.read_bytes():
            raise AssertionError(f"export {flags} of the imported export differs")


def check_all(deployment, entries):
    ldif = deployment.folder / "people.ldif"
    run([binary("twintree-load"), "generate", "--entries", entries, "--output", ldif])
    begun = time.monotonic()
    run([binary(), "import", "--data", deployment.data, "--suffix", SUFFIX, ldif])
    print(f"imported {entries} people in {time.monotonic() - begun:.1f} s", flush=True)
    deployment.start(suffix=False)
    doors = Doors(deployment)
    checked = check_filters(doors, read_people(ldif))
    print(f"{checked} searches answered as the LDIF says", flush=True)
    moved = entries // 10
    print(f"moved {moved} entries in {check_move(doors, moved):.3f} s", flush=True)
    deployment.stop()
    deployment.check()
    check_export(deployment)
    print("export, import and export again: the same", flush=True)
    deployment.assert_clean_log()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--wiring", choices=("serve", "split"), required=True)
    parser.add_argument("--entries", type=int, default=20000)
    options = parser.parse_args()
    deployment = Deployment(options.wiring, tls=False)
    try:
        check_all(deployment, options.entries)
    finally:
        deployment.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
