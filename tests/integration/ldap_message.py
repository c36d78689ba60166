"""LDAP messages (RFC 4511): requests to octets, octets to responses."""

from dataclasses import dataclass, field

import ber
import filter_string

# protocolOp tags
BIND_RESPONSE, SEARCH_ENTRY, SEARCH_DONE, SEARCH_REFERENCE = 0x61, 0x64, 0x65, 0x73
MODIFY_RESPONSE, ADD_RESPONSE, DELETE_RESPONSE, MODRDN_RESPONSE = 0x67, 0x69, 0x6B, 0x6D
COMPARE_RESPONSE, EXTENDED_RESPONSE, INTERMEDIATE_RESPONSE = 0x6F, 0x78, 0x79

SCOPES = {"base": 0, "one": 1, "sub": 2, "children": 3}
CHANGES = {"add": 0, "delete": 1, "replace": 2, "increment": 3}

START_TLS = "1.3.6.1.4.1.1466.20037"
WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3"
NOTICE_OF_DISCONNECTION = "1.3.6.1.4.1.1466.20036"
PAGED_RESULTS = "1.2.840.113556.1.4.319"
ASSERTION = "1.3.6.1.1.12"


@dataclass
class Entry:
    dn: str
    attributes: list  # (name, [octets]) in the order received


@dataclass
class Response:
    """One message from the server. `code` and what follows are for those with an LDAPResult."""

    message_id: int
    tag: int
    controls: list = field(default_factory=list)  # (oid, critical, octets or None)
    code: int = None
    matched: str = ""
    text: str = ""
    referrals: list = field(default_factory=list)
    name: str = None  # responseName
    value: bytes = None  # responseValue
    entry: Entry = None
    references: list = field(default_factory=list)


def request(message_id, operation, controls=()):
    parts = [ber.integer(message_id), operation]
    if controls:
        parts.append(ber.sequence(*controls, tag=0xA0))
    return ber.sequence(*parts)


def control(oid, critical=None, value=None):
    """A control; `critical` None leaves the element out, as DEFAULT FALSE allows."""
    parts = [ber.octets(oid)]
    if critical is not None:
        parts.append(ber.boolean(critical))
    if value is not None:
        parts.append(ber.octets(value))
    return ber.sequence(*parts)


def paged_control(size, cookie=b"", critical=True):
    value = ber.sequence(ber.integer(size), ber.octets(cookie))
    return control(PAGED_RESULTS, critical, value)


def assertion_control(text, critical=True):
    return control(ASSERTION, critical, filter_string.encode(text))


def bind(dn, password, version=3):
    return ber.sequence(ber.integer(version), ber.octets(dn), ber.octets(password, 0x80), tag=0x60)


def sasl_bind(mechanism, credentials=None, dn=""):
    parts = [ber.octets(mechanism)] + ([] if credentials is None else [ber.octets(credentials)])
    return ber.sequence(ber.integer(3), ber.octets(dn), ber.sequence(*parts, tag=0xA3), tag=0x60)


def unbind():
    return ber.element(0x42)


def abandon(message_id):
    return ber.integer(message_id, 0x50)


def _attribute(name, values):
    return ber.sequence(
        ber.octets(name), ber.sequence(*[ber.octets(value) for value in values], tag=ber.SET))


def add(dn, attributes):
    """`attributes` maps names to lists of values."""
    listed = [_attribute(name, values) for name, values in attributes.items()]
    return ber.sequence(ber.octets(dn), ber.sequence(*listed), tag=0x68)


def modify(dn, changes):
    """`changes` is a list of (operation, name, values)."""
    listed = [ber.sequence(ber.enumerated(CHANGES[operation]), _attribute(name, values))
              for operation, name, values in changes]
    return ber.sequence(ber.octets(dn), ber.sequence(*listed), tag=0x66)


def delete(dn):
    return ber.octets(dn, 0x4A)


def modrdn(dn, new_rdn, delete_old=True, new_superior=None):
    parts = [ber.octets(dn), ber.octets(new_rdn), ber.boolean(delete_old)]
    if new_superior is not None:
        parts.append(ber.octets(new_superior, 0x80))
    return ber.sequence(*parts, tag=0x6C)


def compare(dn, name, value):
    assertion = ber.sequence(ber.octets(name), ber.octets(value))
    return ber.sequence(ber.octets(dn), assertion, tag=0x6E)


def search(base, scope="sub", filter="(objectClass=*)", attributes=(), *, size_limit=0,
           time_limit=0, types_only=False, deref=0):
    """`filter` is RFC 4515 text, or the octets of a Filter; `scope` a name or a number."""
    encoded = filter_string.encode(filter) if isinstance(filter, str) else filter
    return ber.sequence(
        ber.octets(base), ber.enumerated(SCOPES.get(scope, scope)), ber.enumerated(deref),
        ber.integer(size_limit), ber.integer(time_limit), ber.boolean(types_only), encoded,
        ber.sequence(*[ber.octets(name) for name in attributes]), tag=0x63)


def extended(oid, value=None):
    parts = [ber.octets(oid, 0x80)] + ([] if value is None else [ber.octets(value, 0x81)])
    return ber.sequence(*parts, tag=0x77)


def decode(data):
    """A Response from one whole LDAPMessage."""
    tag, content, end = ber.read(data)
    if tag != ber.SEQUENCE or end != len(data):
        raise ber.BerError("no LDAPMessage")
    parts = ber.children(content)
    if len(parts) not in (2, 3) or parts[0][0] != ber.INTEGER:
        raise ber.BerError("no LDAPMessage")
    response = Response(ber.to_integer(parts[0][1]), parts[1][0])
    if len(parts) == 3:
        if parts[2][0] != 0xA0:
            raise ber.BerError("no controls")
        response.controls = [_decode_control(inner) for _, inner in ber.children(parts[2][1])]
    _decode_operation(response, parts[1][1])
    return response


def _decode_control(content):
    parts = ber.children(content)
    oid = parts[0][1].decode()
    critical, value = False, None
    for tag, inner in parts[1:]:
        if tag == ber.BOOLEAN:
            critical = inner != b"\x00"
        elif tag == ber.OCTET_STRING:
            value = bytes(inner)
        else:
            raise ber.BerError("no control")
    return oid, critical, value


def _decode_operation(response, content):
    if response.tag == SEARCH_ENTRY:
        (_, dn), (_, attributes) = ber.children(content)
        response.entry = Entry(dn.decode(), [_decode_attribute(inner)
                                             for _, inner in ber.children(attributes)])
    elif response.tag == SEARCH_REFERENCE:
        response.references = [uri.decode() for _, uri in ber.children(content)]
    elif response.tag == INTERMEDIATE_RESPONSE:
        _decode_tagged(response, ber.children(content), {0x80: "name", 0x81: "value"})
    else:
        _decode_result(response, ber.children(content))


def _decode_attribute(content):
    (_, name), (tag, values) = ber.children(content)
    if tag != ber.SET:
        raise ber.BerError("no attribute")
    return name.decode(), [bytes(value) for _, value in ber.children(values)]


def _decode_result(response, parts):
    (code_tag, code), (_, matched), (_, text) = parts[:3]
    if code_tag != ber.ENUMERATED:
        raise ber.BerError("no LDAPResult")
    response.code = ber.to_integer(code)
    response.matched = matched.decode()
    response.text = text.decode()
    _decode_tagged(response, parts[3:], {0x8A: "name", 0x8B: "value", 0x87: "value"})


def _decode_tagged(response, parts, names):
    for tag, inner in parts:
        if tag == 0xA3:
            response.referrals = [uri.decode() for _, uri in ber.children(inner)]
        elif tag not in names:
            raise ber.BerError(f"element {tag:#x} in a response")
        elif names[tag] == "name":
            response.name = inner.decode()
        else:
            response.value = bytes(inner)
