"""Comparison of attribute types and distinguished names as a client must do it (RFC 4514)."""

import re

import ber

# Names and OIDs of one type, the name used for it here first.
_TYPES = [
    ("cn", "commonname", "2.5.4.3"),
    ("sn", "surname", "2.5.4.4"),
    ("c", "countryname", "2.5.4.6"),
    ("l", "localityname", "2.5.4.7"),
    ("st", "stateorprovincename", "2.5.4.8"),
    ("street", "streetaddress", "2.5.4.9"),
    ("o", "organizationname", "2.5.4.10"),
    ("ou", "organizationalunitname", "2.5.4.11"),
    ("title", "2.5.4.12"),
    ("description", "2.5.4.13"),
    ("objectclass", "2.5.4.0"),
    ("member", "2.5.4.31"),
    ("owner", "2.5.4.32"),
    ("userpassword", "2.5.4.35"),
    ("givenname", "gn", "2.5.4.42"),
    ("uid", "userid", "0.9.2342.19200300.100.1.1"),
    ("mail", "rfc822mailbox", "0.9.2342.19200300.100.1.3"),
    ("dc", "domaincomponent", "0.9.2342.19200300.100.1.25"),
    ("labeleduri", "1.3.6.1.4.1.250.1.57"),
]
_CANONICAL = {name: names[0] for names in _TYPES for name in names}


class DnError(ValueError):
    """Text that is no distinguished name."""


def attribute_type(description):
    """One spelling for all spellings of an attribute description, options sorted."""
    name, *options = description.lower().split(";")
    return ";".join([_CANONICAL.get(name, name)] + sorted(options))


def same_dn(one, other):
    return normalised_dn(one) == normalised_dn(other)


def normalised_dn(text):
    """A value that is equal for equal names: a tuple of RDNs, each a frozenset of AVAs.

    Values are compared like caseIgnoreMatch: letter case and the number of blanks do not count.
    """
    if not text.strip():
        return ()
    return tuple(frozenset(_ava(part) for part in _split(rdn, "+")) for rdn in _split(text, ","))


def depth(text):
    """Number of RDNs."""
    return len(normalised_dn(text))


def _split(text, separator):
    """Cuts at separators that are not escaped."""
    pieces = [""]
    position = 0
    while position < len(text):
        if text[position] == "\\":
            pieces[-1] += text[position : position + 2]
            position += 2
            continue
        if text[position] == separator:
            pieces.append("")
        else:
            pieces[-1] += text[position]
        position += 1
    return pieces


def _ava(text):
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise DnError(f"no attribute and value in {text!r}")
    return attribute_type(name.strip()), _value(value)


def _value(text):
    text = text.lstrip(" ")
    if text.startswith("#"):
        octets = _from_hex(text[1:].strip())
    else:
        octets = _unescape(text)
    return re.sub(" +", " ", octets.decode("utf-8", "surrogateescape").strip(" ")).casefold()


def _from_hex(digits):
    try:
        return ber.read(bytes.fromhex(digits))[1]
    except ValueError as error:
        raise DnError(f"no BER in #{digits}") from error


def _unescape(text):
    out = bytearray()
    position = 0
    while position < len(text):
        if text[position] != "\\":
            out += text[position].encode("utf-8", "surrogateescape")
            position += 1
        elif re.fullmatch("[0-9a-fA-F]{2}", text[position + 1 : position + 3]):
            out.append(int(text[position + 1 : position + 3], 16))
            position += 3
        elif position + 1 < len(text):
            out += text[position + 1].encode()
            position += 2
        else:
            raise DnError(f"lone backslash in {text!r}")
    return bytes(out)
