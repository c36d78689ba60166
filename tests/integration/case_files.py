"""Reads the case files of tests/cases and fills in what varies (see the README there)."""

import base64
import re
from pathlib import Path

import yaml

from names import DnError, normalised_dn
from target import ADMIN, SUFFIX

CASES = Path(__file__).resolve().parent.parent / "cases"

_CASE_KEYS = {"id", "title", "source", "symptom", "correct", "rfc", "requires", "setup",
              "setup_gen", "setup_note", "steps", "procedure", "files"}


class CaseError(Exception):
    """A case file that does not follow its own rules."""


def load(folder=CASES):
    """All cases in file order, each with its `kind`. Errors: CaseError."""
    cases = []
    for path in sorted(Path(folder).glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for case in content["cases"]:
            if unknown := set(case) - _CASE_KEYS:
                raise CaseError(f"{case['id']}: unknown keys {sorted(unknown)}")
            cases.append({**case, "kind": content["kind"]})
    ids = [case["id"] for case in cases]
    if len(set(ids)) != len(ids):
        raise CaseError("two cases with one id")
    return cases


def box_name(case):
    return case["id"].lower().replace("-", "")


class Filler:
    """Replaces $BOX, $SUFFIX and $ADMIN, and the DN of the schema entry where it differs."""

    def __init__(self, case, schema_dn="cn=Subschema"):
        self.box = f"ou={box_name(case)},{SUFFIX}"
        self._schema_dn = schema_dn

    def text(self, value):
        value = value.replace("$BOX", self.box).replace("$SUFFIX", SUFFIX).replace("$ADMIN", ADMIN)
        try:
            return self._schema_dn if normalised_dn(value) == _SUBSCHEMA else value
        except DnError:
            return value

    def fill(self, value):
        """The same structure with every text filled in."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return value

    def ldif(self, text):
        """The octets of an LDIF file of ldif.yaml: $B64{...}, then one octet a character."""
        def encode(match):
            return base64.b64encode(self.text(match[1]).encode()).decode()

        text = re.sub(r"\$B64\{([^}]*)\}", encode, text)
        return text.replace("$BOX", self.box).encode("latin-1")


_SUBSCHEMA = normalised_dn("cn=Subschema")


def octets(value):
    """The octets that a value of a case stands for."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict) and set(value) == {"hex"}:
        return bytes.fromhex(value["hex"])
    if isinstance(value, dict) and set(value) == {"b64"}:
        return base64.b64decode(value["b64"])
    if isinstance(value, dict) and set(value) == {"repeat", "times"}:
        return value["repeat"].encode() * value["times"]
    raise CaseError(f"value {value!r}")


def records(ldif):
    """(dn, {name: [octets]}) of each record of a `setup` text: plain LDIF without folding."""
    for block in re.split(r"\n\s*\n", ldif.strip()):
        lines = [_attribute_line(line) for line in block.splitlines()]
        if lines[0][0] != "dn":
            raise CaseError(f"no dn: {block!r}")
        attributes = {}
        for name, value in lines[1:]:
            attributes.setdefault(name, []).append(value)
        yield lines[0][1].decode(), attributes


def _attribute_line(line):
    match = re.fullmatch(r"([^:]+)(::?) *(.*)", line)
    if not match:
        raise CaseError(f"no LDIF line: {line!r}")
    name, colons, value = match.groups()
    return name, base64.b64decode(value) if colons == "::" else value.encode()


def generated(setup_gen):
    """(dn, attributes) of each entry of `setup_gen`."""
    for number in range(setup_gen["count"]):
        def numbered(text, number=number):
            return text % number if "%" in text else text

        yield numbered(setup_gen["dn"]), {
            name: [numbered(value).encode() for value in values]
            for name, values in setup_gen["attrs"].items()}
