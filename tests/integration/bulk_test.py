#!/usr/bin/python3
"""Many entries at once: a large import ends in well under a minute, and a tenth as many move.

    bulk_test.py [--entries N]

The subtree moves away in the wiring serve and back in the wiring split.
"""

import argparse
import sys
import time

from harness import Deployment, binary
from procedure_case import expect_code
from processes import PATIENCE
from scale_test import PEOPLE, Doors, run
from target import SUFFIX

# Seconds for an import of 100,000 entries. It takes a few; this is what a slow machine must hold.
IMPORT_LIMIT = 60
OLD, NEW = f"ou=Old,{SUFFIX}", f"ou=New,{SUFFIX}"
BEFORE, AFTER = f"ou=Team,{OLD}", f"ou=Crew,{NEW}"


def write_team(path, count):
    """LDIF of `ou=Team,ou=Old` with `count` - 1 entries below it, in groups of a hundred or so."""
    parts = [f"dn: {dn}\nobjectClass: organizationalUnit\n" for dn in (OLD, NEW, BEFORE)]
    groups = count // 100
    for number in range(count - 1):
        if number < groups:
            parts.append(f"dn: ou=g{number},{BEFORE}\nobjectClass: organizationalUnit\n"
                         "description: moving\n")
        else:
            parts.append(f"dn: cn=m{number},ou=g{number % groups},{BEFORE}\nobjectClass: device\n"
                         f"serialNumber: {number}\ndescription: moving\n")
    path.write_text("\n".join(parts), encoding="ascii")


def member(number, count, top):
    groups = count // 100
    name = f"ou=g{number}" if number < groups else f"cn=m{number},ou=g{number % groups}"
    return f"{name},{top}".lower()


def superior_of(name):
    return name.partition(",")[2]


def import_all(deployment, entries, moving):
    people, team = deployment.folder / "people.ldif", deployment.folder / "team.ldif"
    run([binary("twintree-load"), "generate", "--entries", entries, "--output", people])
    write_team(team, moving)
    begun = time.monotonic()
    run([binary(), "import", "--data", deployment.data, "--suffix", SUFFIX, people, team])
    seconds = time.monotonic() - begun
    print(f"imported {entries} people and {moving} others in {seconds:.1f} s", flush=True)
    if seconds > IMPORT_LIMIT * PATIENCE:
        raise AssertionError(f"the import took {seconds:.1f} s")


def expect_count(connection, base, text, count):
    found = expect_code(connection.search(base, "sub", text, ["1.1"]), 0).entries
    if len(found) != count:
        raise AssertionError(f"{base} {text}: {len(found)} entries instead of {count}")


def check_names(doors, before, after, count):
    """Every entry of the subtree has its new name, and only that, through both doors."""
    expected = sorted(member(number, count, after) for number in range(count - 1))
    for ask in (doors.over_ldap, doors.over_grpc):
        if ask(SUFFIX, "sub", "(description=moving)") != expected:
            raise AssertionError(f"{ask.__name__}: not what was moved")
        if ask(superior_of(before), "children", "(objectClass=*)"):
            raise AssertionError(f"{ask.__name__}: something stayed behind")


def check_some(connection, before, after, count):
    """Entries anywhere in the subtree are found by name and value as if they had always been there."""
    for number in (0, count // 200, count // 2, count - 2):
        name = member(number, count, after)
        (entry,) = expect_code(connection.search(name, "base", attributes=["entryDN"]), 0).entries
        names = {entry.dn.lower(), *(value.decode().lower() for _, values in entry.attributes
                                     for value in values)}
        if names != {name}:
            raise AssertionError(f"{name} calls itself {names}")
        expect_count(connection, superior_of(name), f"(entryDN={name})", 1)
        gone = member(number, count, before)
        if expect_code(connection.search(gone, "base"), 32).matched != superior_of(before):
            raise AssertionError(f"{gone} is still known in part")
    expect_count(connection, f"ou=g1,{after}", f"(serialNumber={count // 100 + 1})", 1)
    expect_count(connection, superior_of(before), "(objectClass=*)", 1)


def check_import(connection, entries, moving):
    (people,) = expect_code(connection.search(PEOPLE, "base", attributes=["numSubordinates"]),
                            0).entries
    if people.attributes != [("numSubordinates", [str(entries).encode()])]:
        raise AssertionError(f"{PEOPLE} has {people.attributes}")
    for uid in (0, entries // 2, entries - 1):
        expect_count(connection, SUFFIX, f"(uid=user.{uid})", 1)
    expect_count(connection, BEFORE, "(objectClass=*)", moving)


def check_move(deployment, before, after, count):
    """Moves the subtree, and looks at it before and after a restart, which leaves no cache."""
    deployment.start(suffix=False)
    with deployment.admin(timeout=60 * PATIENCE) as connection:
        begun = time.monotonic()
        rdn, _, superior = after.partition(",")
        expect_code(connection.modrdn(before, rdn, new_superior=superior), 0)
        print(f"{deployment.wiring}: moved {count} entries in {time.monotonic() - begun:.3f} s",
              flush=True)
        check_some(connection, before, after, count)
    check_names(Doors(deployment), before, after, count)
    deployment.stop()
    deployment.start(suffix=False)
    with deployment.admin(timeout=60 * PATIENCE) as connection:
        check_some(connection, before, after, count)
    deployment.stop()
    deployment.assert_clean_log()


def check_all(serve, split, entries):
    moving = entries // 10
    import_all(serve, entries, moving)
    serve.start(suffix=False)
    with serve.admin(timeout=60 * PATIENCE) as connection:
        check_import(connection, entries, moving)
    check_move(serve, BEFORE, AFTER, moving)
    serve.check()
    check_move(split, AFTER, BEFORE, moving)
    split.check()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--entries", type=int, default=100_000)
    options = parser.parse_args()
    serve = Deployment("serve", tls=False)
    try:
        split = Deployment("split", tls=False, data=serve.data)
        try:
            check_all(serve, split, options.entries)
        finally:
            split.close()
    finally:
        serve.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
