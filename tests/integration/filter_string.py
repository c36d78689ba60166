"""RFC 4515 filter strings to the BER of RFC 4511 section 4.5.1."""

import re

import ber

AND, OR, NOT = 0xA0, 0xA1, 0xA2
EQUALITY, SUBSTRINGS, GREATER, LESS, PRESENT, APPROX, EXTENSIBLE = (
    0xA3, 0xA4, 0xA5, 0xA6, 0x87, 0xA8, 0xA9)

_OPERATORS = {"~=": APPROX, ">=": GREATER, "<=": LESS, "=": EQUALITY}


class FilterError(ValueError):
    """Text that is no filter."""


def unescape(text):
    """Octets of an assertion value: UTF-8, with backslash and two hex digits for any octet."""
    out = bytearray()
    position = 0
    while position < len(text):
        if text[position] == "\\":
            digits = text[position + 1 : position + 3]
            if not re.fullmatch("[0-9a-fA-F]{2}", digits):
                raise FilterError(f"bad escape in {text!r}")
            out.append(int(digits, 16))
            position += 3
        else:
            out += text[position].encode()
            position += 1
    return bytes(out)


def encode(text):
    """The BER of the whole filter string."""
    data, end = _filter(text, 0)
    if end != len(text):
        raise FilterError(f"text behind the filter in {text!r}")
    return data


def _filter(text, start):
    if text[start : start + 1] != "(":
        raise FilterError(f"( expected at {start} of {text!r}")
    kind = text[start + 1 : start + 2]
    if kind in ("&", "|"):
        parts, end = _list(text, start + 2)
        return _closed(text, end, ber.sequence(*parts, tag=AND if kind == "&" else OR))
    if kind == "!":
        part, end = _filter(text, start + 2)
        return _closed(text, end, ber.element(NOT, part))
    end = text.find(")", start)
    if end < 0:
        raise FilterError(f"no ) in {text!r}")
    return _item(text[start + 1 : end]), end + 1


def _closed(text, end, data):
    if text[end : end + 1] != ")":
        raise FilterError(f") expected at {end} of {text!r}")
    return data, end + 1


def _list(text, start):
    parts = []
    while text[start : start + 1] == "(":
        part, start = _filter(text, start)
        parts.append(part)
    return parts, start


def _item(text):
    extensible = re.match(r"([^:=]*)(:dn)?(?::([^:=]+))?:=", text, re.IGNORECASE)
    if extensible:
        return _extensible(*extensible.groups(), unescape(text[extensible.end() :]))
    simple = re.match(r"([^=~<>]+)(~=|>=|<=|=)", text)
    if not simple:
        raise FilterError(f"no operator in {text!r}")
    name, operator = simple.groups()
    value = text[simple.end() :]
    if operator == "=" and value == "*":
        return ber.octets(name, PRESENT)
    if operator == "=" and "*" in value:
        return _substrings(name, value.split("*"))
    return ber.sequence(ber.octets(name), ber.octets(unescape(value)), tag=_OPERATORS[operator])


def _substrings(name, pieces):
    initial, *middle, final = [unescape(piece) for piece in pieces]
    parts = [ber.octets(initial, 0x80)] if initial else []
    parts += [ber.octets(piece, 0x81) for piece in middle if piece]
    parts += [ber.octets(final, 0x82)] if final else []
    return ber.sequence(ber.octets(name), ber.sequence(*parts), tag=SUBSTRINGS)


def _extensible(name, dn, rule, value):
    parts = [ber.octets(rule, 0x81)] if rule else []
    parts += [ber.octets(name, 0x82)] if name else []
    parts += [ber.octets(value, 0x83)]
    parts += [ber.boolean(True, 0x84)] if dn else []
    return ber.sequence(*parts, tag=EXTENSIBLE)
