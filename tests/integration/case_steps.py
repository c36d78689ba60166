"""Performs the steps of one case against a server and says what differs from `expect`."""

import time

import ldap_message as ldap
from ber_client import Closed, Result, TimedOut
from case_expect import ENTRY_KEYS, RESULT_KEYS, check_result
from case_files import CaseError, octets
from ldap_message import assertion_control, control, paged_control
from processes import PATIENCE

_OPERATIONS = {"bind", "add", "modify", "delete", "modrdn", "compare", "search", "extended",
               "starttls", "unbind", "raw", "wait"}
_STEP_KEYS = _OPERATIONS | {"conn", "controls", "expect", "save", "note", "slapd_note", "advisory"}
_SESSION_KEYS = {"closed", "closed_ok", "alive", "messages_hex", "results", "results_any"}
# Seconds in which a server must have closed, or answered what is expected.
_RAW_WAIT = 3.0 * PATIENCE


def check_step_keys(step):
    """Errors: CaseError for a key that this runner does not know, so that none is overlooked."""
    operations = _OPERATIONS & set(step)
    unknown = set(step) - _STEP_KEYS
    unknown |= set(step.get("expect", {})) - RESULT_KEYS - _SESSION_KEYS
    for entry in step.get("expect", {}).get("entries", []):
        unknown |= set(entry) - ENTRY_KEYS
    if len(operations) != 1 or unknown:
        raise CaseError(f"step with operations {sorted(operations)}, unknown {sorted(unknown)}")
    return operations.pop()


class StepRunner:
    """The connections and saved cookies of one case."""

    def __init__(self, target, filler):
        self._target = target
        self._fill = filler.fill
        self._connections = {}
        self._cookies = {}

    def close(self):
        for connection in self._connections.values():
            connection.close()

    def run(self, step):
        """Performs a step and returns complaints."""
        operation = check_step_keys(step)
        step = {key: value if key == "raw" else self._fill(value) for key, value in step.items()}
        expect = step.get("expect", {})
        if operation == "wait":
            time.sleep(step["wait"])
            return []
        if operation == "raw":
            return self._raw(step, expect)
        connection = self._connection(step.get("conn", "admin"))
        if operation == "unbind":
            return self._unbind(connection)
        try:
            result = self._perform(operation, connection, step)
        except Closed as closed:
            allowed = expect.get("closed") or expect.get("closed_ok")
            self._connections.pop(step.get("conn", "admin")).close()
            return [] if allowed else [str(closed)]
        except TimedOut:
            return ["no answer"]
        complaints = ["the session lives on"] if expect.get("closed") else []
        if step.get("save"):
            self._cookies[step["save"]] = result.cookie()
        return complaints + check_result(result, expect) + self._alive(expect)

    def _connection(self, name):
        if name not in self._connections:
            opened = self._target.admin() if name == "admin" else self._target.connect()
            self._connections[name] = opened
        return self._connections[name]

    def _perform(self, operation, connection, step) -> Result:
        arguments = step[operation]
        if operation == "starttls":
            return connection.start_tls(self._target.certificates.client())
        encoded = getattr(self, f"_encode_{operation}")(**arguments)
        return connection.run(encoded, [self._control(**item) for item in step.get("controls", [])])

    # Operations, with the argument names of the case files

    @staticmethod
    def _encode_bind(dn, password):
        return ldap.bind(dn, octets(password))

    @staticmethod
    def _encode_add(dn, attrs):
        return ldap.add(dn, {name: [octets(value) for value in values]
                             for name, values in attrs.items()})

    @staticmethod
    def _encode_modify(dn, changes):
        encoded = []
        for change in changes:
            (operation,) = set(change) - {"values"}
            values = [octets(value) for value in change.get("values", [])]
            encoded.append((operation, change[operation], values))
        return ldap.modify(dn, encoded)

    @staticmethod
    def _encode_delete(dn):
        return ldap.delete(dn)

    @staticmethod
    def _encode_modrdn(dn, newrdn, deleteoldrdn, newsuperior=None):
        return ldap.modrdn(dn, newrdn, deleteoldrdn, newsuperior)

    @staticmethod
    def _encode_compare(dn, type, value):
        return ldap.compare(dn, type, octets(value))

    @staticmethod
    def _encode_extended(oid, value_hex=None):
        return ldap.extended(oid, None if value_hex is None else bytes.fromhex(value_hex))

    @staticmethod
    def _encode_search(base, scope, filter="(objectClass=*)", filter_hex=None, attrs=(),
                       sizelimit=0, timelimit=0, typesonly=False):
        return ldap.search(base, scope, bytes.fromhex(filter_hex) if filter_hex else filter, attrs,
                           size_limit=sizelimit, time_limit=timelimit, types_only=typesonly)

    def _control(self, oid=None, critical=None, value_hex=None, paged=None, **other):
        if paged:
            cookie = paged.get("cookie", "")
            saved = self._cookies[cookie[1:]] if cookie.startswith("@") else octets(cookie)
            return paged_control(paged["size"], saved, critical)
        if set(other) == {"assert"}:
            return assertion_control(other["assert"], critical is not False)
        if other or not oid:
            raise CaseError(f"control {oid} {other}")
        return control(oid, critical, None if value_hex is None else bytes.fromhex(value_hex))

    # Sessions

    def _unbind(self, connection):
        connection.unbind()
        try:
            data = connection.read_until_closed(_RAW_WAIT)
        except TimedOut:
            return ["still open after Unbind"]
        return [f"answer to Unbind: {data.hex()}"] if data else []

    def _raw(self, step, expect):
        """Sends octets on a connection of its own, and always looks after the others."""
        with self._target.connect() as connection:
            try:
                connection.send_raw(bytes.fromhex(step["raw"]))
            except Closed:
                pass  # what the server sent before is still to be read
            complaints = self._raw_answer(connection, expect)
        return complaints + self._alive({"alive": True})

    def _raw_answer(self, connection, expect):
        if "messages_hex" in expect:
            return _exact_octets(connection, bytes.fromhex(expect["messages_hex"]))
        alternatives = expect.get("results_any", [expect.get("results", [])])
        seen, closed = _messages(connection, max(map(len, alternatives)), expect.get("closed"))
        complaints = []
        if seen not in [[tuple(one) for one in alternative] for alternative in alternatives]:
            complaints.append(f"answers {seen} instead of {alternatives}")
        if closed and not (expect.get("closed") or expect.get("closed_ok")):
            complaints.append("closed by the server")
        if expect.get("closed") and not closed:
            complaints.append("the session lives on")
        return complaints

    def _alive(self, expect):
        if expect.get("alive") and not self._target.serves():
            return ["a new connection is not served"]
        return []


def _exact_octets(connection, wanted):
    received = b""
    try:
        while len(received) < len(wanted) and (piece := connection.receive_raw(timeout=_RAW_WAIT)):
            received += piece
    except TimedOut:
        pass
    return [] if received == wanted else [f"octets {received.hex()} instead of {wanted.hex()}"]


def _messages(connection, number, until_closed):
    """([(message ID, tag, result code)], closed): `number` messages, or all up to the end."""
    seen = []
    try:
        while until_closed or len(seen) < number:
            response = connection.receive(timeout=_RAW_WAIT)
            seen.append((response.message_id, response.tag, response.code))
    except Closed:
        return seen, True
    except TimedOut:
        pass
    return seen, False
