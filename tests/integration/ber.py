"""The part of BER that LDAP uses (RFC 4511 section 5.1), written for tests.

Encoders return bytes. Nothing here checks that a message makes sense: tests need to build wrong
ones as well.
"""

BOOLEAN = 0x01
INTEGER = 0x02
OCTET_STRING = 0x04
ENUMERATED = 0x0A
SEQUENCE = 0x30
SET = 0x31


class BerError(ValueError):
    """Octets that are no BER element of the kind expected."""


def element(tag, content=b""):
    """One element with a definite length in its shortest form."""
    size = len(content)
    if size < 0x80:
        head = bytes([size])
    else:
        octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
        head = bytes([0x80 | len(octets)]) + octets
    return bytes([tag]) + head + content


def octets(value, tag=OCTET_STRING):
    """An octet string of bytes, or of text as UTF-8."""
    return element(tag, value.encode() if isinstance(value, str) else bytes(value))


def integer(number, tag=INTEGER):
    size = max(1, (number if number >= 0 else ~number).bit_length() // 8 + 1)
    return element(tag, number.to_bytes(size, "big", signed=True))


def enumerated(number):
    return integer(number, ENUMERATED)


def boolean(value, tag=BOOLEAN):
    return element(tag, b"\xff" if value else b"\x00")


def sequence(*parts, tag=SEQUENCE):
    return element(tag, b"".join(parts))


def element_size(data):
    """Size of the element that starts `data`, or None while its head is incomplete."""
    if len(data) < 2:
        return None
    first = data[1]
    if first < 0x80:
        return 2 + first
    count = first & 0x7F
    if count == 0 or count > 8:
        raise BerError(f"length octet {first:#x}")
    if len(data) < 2 + count:
        return None
    return 2 + count + int.from_bytes(data[2 : 2 + count], "big")


def read(data, offset=0):
    """The element at `offset` as (tag, content, offset behind it)."""
    size = element_size(data[offset : offset + 10])
    if size is None or offset + size > len(data):
        raise BerError(f"element cut off at {offset}")
    head = 2 + (data[offset + 1] & 0x7F if data[offset + 1] & 0x80 else 0)
    return data[offset], data[offset + head : offset + size], offset + size


def children(content):
    """The elements of a constructed element as a list of (tag, content)."""
    found = []
    offset = 0
    while offset < len(content):
        tag, inner, offset = read(content, offset)
        found.append((tag, inner))
    return found


def to_integer(content):
    if not content:
        raise BerError("INTEGER without octets")
    return int.from_bytes(content, "big", signed=True)
