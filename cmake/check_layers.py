#!/usr/bin/python3
"""Checks that sources only include what their library says it depends on.

    cmake/check_layers.py [--root FOLDER]

Every library's folder of headers is visible to all others, so the linker finds a forbidden dependency
only when something in it is called. This finds the include: for each library and executable of the
CMakeLists.txt files below services, storage, ldap_gateway and load, every include of a file of this
repository must belong to the library itself, to one of its DEPS or PRIVATE_DEPS, or to what those have
as DEPS. It also finds libraries that depend on each other in a circle.

Exit code: 0; 1 with a line for each mistake.
"""

import argparse
import re
import sys
from pathlib import Path

FOLDERS = ("services", "storage", "ldap_gateway", "load")
KEYWORDS = ("SOURCES", "HEADERS", "DEPS", "PRIVATE_DEPS")
BLOCK = re.compile(r"^twintree_add_(?:library|executable)\(([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


class Target:
    """A library or an executable as its CMakeLists.txt describes it."""

    def __init__(self, folder, words):
        self.name = words[0]
        self.folder = folder
        lists = {keyword: [] for keyword in KEYWORDS}
        keyword = None
        for word in words[1:]:
            if word in lists:
                keyword = word
            elif keyword:
                lists[keyword].append(word)
        self.files = {(folder / name).resolve() for name in lists["SOURCES"] + lists["HEADERS"]}
        self.public = ours(lists["DEPS"])
        self.private = ours(lists["PRIVATE_DEPS"])

    def claim_headers(self):
        """Headers that are not listed belong to the source of their name."""
        self.files |= {path.with_suffix(".h") for path in self.files
                       if path.suffix == ".cc" and path.with_suffix(".h").exists()}


def ours(names):
    return {name.removeprefix("twintree::") for name in names if name.startswith("twintree::")}


def read_targets(root):
    targets = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("CMakeLists.txt")):
            text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
            for block in BLOCK.findall(text):
                target = Target(path.parent, block.split())
                target.claim_headers()
                targets[target.name] = target
    return targets


def owners(root, targets):
    """The target of each file; a header that nobody lists belongs to the only one of its folder."""
    owner = {path: target for target in targets.values() for path in target.files}
    for folder in FOLDERS:
        for path in (root / folder).rglob("*.h"):
            here = [target for target in targets.values() if target.folder == path.parent]
            if path.resolve() not in owner and len(here) == 1:
                owner[path.resolve()] = here[0]
    return owner


def reachable(names, targets):
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += targets[name].public if name in targets else ()
    return found


def circles(targets):
    for target in targets.values():
        behind = reachable(target.public | target.private, targets)
        if target.name in behind:
            yield f"{target.folder}: twintree::{target.name} depends on itself"


def forbidden_includes(root, targets):
    owner = owners(root, targets)
    for path, target in sorted(owner.items(), key=lambda item: str(item[0])):
        allowed = reachable(target.public | target.private, targets) | {target.name}
        if not path.exists():
            continue
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            other = owner.get((root / include).resolve())
            if other is not None and other.name not in allowed:
                yield (f"{path.relative_to(root)}: includes {include} of twintree::{other.name}, "
                       f"which twintree::{target.name} does not depend on")
            elif other is None and (root / include).exists():
                yield f"{path.relative_to(root)}: includes {include}, which belongs to no library"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    targets = read_targets(root)
    mistakes = [*circles(targets), *forbidden_includes(root, targets)]
    print("\n".join(mistakes) if mistakes else f"{len(targets)} libraries and executables")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
