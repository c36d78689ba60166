"""Compares what a server answered with `expect` of a case. Each function returns complaints."""

import re

from case_files import octets
from names import DnError, attribute_type, same_dn

ENTRY_KEYS = {"dn", "dn_any", "dn_exact", "attrs", "present", "absent", "only", "match", "counts"}
RESULT_KEYS = {"result", "entries", "count", "matched", "control", "cookie_empty", "resp_value",
               "authz_dn"}


def check_result(result, expect):
    """Complaints about the Result of an operation."""
    complaints = []
    codes = expect.get("result", 0)
    codes = codes if isinstance(codes, list) else [codes]
    if result.code not in codes:
        complaints.append(f"result {result.code} ({result.text!r}) instead of {codes}")
    if "matched" in expect and not same_dn(result.matched, expect["matched"]):
        complaints.append(f"matchedDN {result.matched!r} instead of {expect['matched']!r}")
    if "count" in expect and len(result.entries) != expect["count"]:
        complaints.append(f"{len(result.entries)} entries instead of {expect['count']}")
    if "entries" in expect:
        complaints += check_entries(result.entries, expect["entries"])
    return complaints + _check_controls(result, expect) + _check_value(result, expect)


def _check_controls(result, expect):
    complaints = []
    if "control" in expect and result.control(expect["control"]) is None:
        complaints.append(f"no response control {expect['control']}")
    if "cookie_empty" in expect:
        cookie = result.cookie()
        if cookie is None:
            complaints.append("no paged results control")
        elif (cookie == b"") != expect["cookie_empty"]:
            complaints.append(f"cookie {cookie!r}")
    return complaints


def _check_value(result, expect):
    if "resp_value" in expect and (result.value or b"") != octets(expect["resp_value"]):
        return [f"response value {result.value!r} instead of {expect['resp_value']!r}"]
    if "authz_dn" in expect:
        kind, _, dn = (result.value or b"").decode().partition(":")
        if kind != "dn" or not same_dn(dn, expect["authz_dn"]):
            return [f"authorization identity {result.value!r} instead of {expect['authz_dn']!r}"]
    return []


def check_entries(entries, expected):
    """Complaints unless `entries` are exactly the expected ones, in any order."""
    complaints = []
    left = list(entries)
    for wanted in expected:
        found = next((entry for entry in left if _is_named(entry, wanted)), None)
        if found is None:
            complaints.append(f"no entry {wanted.get('dn') or wanted.get('dn_any')!r}")
            continue
        left.remove(found)
        complaints += check_entry(found, wanted)
    return complaints + [f"unexpected entry {entry.dn!r}" for entry in left]


def _is_named(entry, wanted):
    if "dn_exact" in wanted:
        return entry.dn == wanted["dn_exact"]
    if "dn_any" in wanted:
        return _plain_escapes(entry.dn) in [_plain_escapes(dn) for dn in wanted["dn_any"]]
    try:
        return same_dn(entry.dn, wanted["dn"])
    except DnError:
        return False


def _plain_escapes(dn):
    """Hex digits of escapes in small letters: \\2C and \\2c are one spelling."""
    return re.sub(r"\\([0-9A-Fa-f]{2}|.)", lambda escape: escape[0].lower()
                  if len(escape[0]) == 3 else escape[0], dn)


def check_entry(entry, wanted):
    """Complaints about the attributes of one entry."""
    complaints = []
    actual = {}
    for name, values in entry.attributes:
        kind = attribute_type(name)
        if kind in actual:
            complaints.append(f"{entry.dn!r}: {name} comes twice")
        actual.setdefault(kind, []).extend(values)
    listed = set()
    for name, values in wanted.get("attrs", {}).items():
        listed.add(attribute_type(name))
        complaints += _check_values(entry.dn, name, actual, [octets(value) for value in values])
    for name in wanted.get("present", []):
        listed.add(attribute_type(name))
        if attribute_type(name) not in actual:
            complaints.append(f"{entry.dn!r}: {name} is missing")
    for name in wanted.get("absent", []):
        if attribute_type(name) in actual:
            complaints.append(f"{entry.dn!r}: {name} should be absent")
    return complaints + _check_patterns(entry.dn, actual, wanted, listed)


def _check_values(dn, name, actual, wanted):
    values = actual.get(attribute_type(name))
    if values is None:
        return [f"{dn!r}: {name} is missing"]
    if sorted(values) != sorted(wanted):
        return [f"{dn!r}: {name} is {sorted(values)} instead of {sorted(wanted)}"]
    return []


def _check_patterns(dn, actual, wanted, listed):
    complaints = []
    for name, pattern in wanted.get("match", {}).items():
        values = actual.get(attribute_type(name), [])
        if not values:
            complaints.append(f"{dn!r}: {name} is missing")
        complaints += [f"{dn!r}: {name} value {value!r} does not match {pattern!r}"
                       for value in values if not re.fullmatch(pattern, value.decode())]
    for name, number in wanted.get("counts", {}).items():
        if len(actual.get(attribute_type(name), [])) != number:
            complaints.append(f"{dn!r}: {name} has not {number} values")
    if wanted.get("only"):
        complaints += [f"{dn!r}: {name} should not be there"
                       for name in sorted(set(actual) - listed)]
    return complaints
