"""A raw LDAP client: sends whatever a test needs, right or wrong, and decodes all that comes back.

    with Connection(port) as connection:
        connection.bind("cn=admin,dc=example,dc=com", "secret")
        result = connection.search("dc=example,dc=com", "one", "(cn=a*)", ["cn"])
        result.code, [entry.dn for entry in result.entries]

Every operation also takes `controls=[...]` (see ldap_message) and returns a Result. For
pipelining, `send` returns the message ID at once and `wait` collects the answer later.
"""

import itertools
import socket
import ssl
from dataclasses import dataclass, field

import ber
import ldap_message as ldap
from processes import PATIENCE


class Closed(Exception):
    """The server ended the session; `notice` is its Notice of Disconnection, if it sent one."""

    def __init__(self, notice=None):
        super().__init__(f"closed by the server ({notice})" if notice else "closed by the server")
        self.notice = notice


class TimedOut(Exception):
    """The server sent nothing in time."""


@dataclass
class Result:
    """All that answers one request."""

    code: int
    matched: str = ""
    text: str = ""
    referrals: list = field(default_factory=list)
    entries: list = field(default_factory=list)
    references: list = field(default_factory=list)
    intermediates: list = field(default_factory=list)
    controls: list = field(default_factory=list)
    name: str = None
    value: bytes = None

    def control(self, oid):
        """Octets of a response control: None if it did not come, b"" if it has no value."""
        for found, _, value in self.controls:
            if found == oid:
                return value or b""
        return None

    def cookie(self):
        """The cookie of the paged results control; None if the control did not come."""
        value = self.control(ldap.PAGED_RESULTS)
        if value is None:
            return None
        _, content, _ = ber.read(value)
        (_, _), (_, cookie) = ber.children(content)
        return bytes(cookie)


class Connection:
    """One LDAP session. Not for several threads at once.

    `port` is a TCP port of 127.0.0.1, or the path of a Unix socket. `tls` is an ssl.SSLContext
    for LDAPS. `receive_buffer` in bytes makes the kernel hold little for a client that does not
    read.
    """

    def __init__(self, port, *, tls=None, timeout=10.0 * PATIENCE, receive_buffer=None):
        self._socket = self._open(port, timeout, receive_buffer)
        if tls:
            self._socket = tls.wrap_socket(self._socket, server_hostname="localhost")
        self._timeout = timeout
        self._buffer = bytearray()
        self._ids = itertools.count(1)
        self._waiting = {}  # message ID to responses that came while another one was waited for

    @staticmethod
    def _open(port, timeout, receive_buffer):
        family = socket.AF_UNIX if isinstance(port, str) else socket.AF_INET
        opened = socket.socket(family, socket.SOCK_STREAM)
        try:
            if receive_buffer:
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            opened.settimeout(timeout)
            opened.connect(port if isinstance(port, str) else ("127.0.0.1", port))
            if family == socket.AF_INET:
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException:
            opened.close()
            raise
        return opened

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the socket without an Unbind."""
        self._socket.close()

    # Octets

    def send_raw(self, data):
        try:
            self._socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed() from error

    def receive_raw(self, size=65536, timeout=None):
        """What the server sends next; b"" when it has closed."""
        self._socket.settimeout(self._timeout if timeout is None else timeout)
        try:
            return self._socket.recv(size)
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError):
            return b""
        except (TimeoutError, ssl.SSLWantReadError) as error:
            raise TimedOut("nothing received in time") from error

    def read_until_closed(self, timeout=None):
        """All octets up to the end of the session. Errors: TimedOut if the server keeps it open."""
        data = bytes(self._buffer)
        self._buffer.clear()
        while piece := self.receive_raw(timeout=timeout):
            data += piece
        return data

    # Messages

    def receive(self, timeout=None):
        """The next message. Errors: Closed, TimedOut, BerError."""
        while True:
            size = ber.element_size(self._buffer)
            if size is not None and len(self._buffer) >= size:
                data = bytes(self._buffer[:size])
                del self._buffer[:size]
                return self._checked(ldap.decode(data))
            piece = self.receive_raw(timeout=timeout)
            if not piece:
                raise Closed()
            self._buffer += piece

    @staticmethod
    def _checked(response):
        if response.message_id == 0 and response.name == ldap.NOTICE_OF_DISCONNECTION:
            raise Closed(response)
        return response

    def next_id(self):
        return next(self._ids)

    def send(self, operation, controls=(), message_id=None):
        """Sends a request and returns its message ID without waiting."""
        message_id = self.next_id() if message_id is None else message_id
        self.send_raw(ldap.request(message_id, operation, controls))
        return message_id

    def wait(self, message_id, timeout=None):
        """The Result of a request that was sent; answers to other requests are kept for later."""
        result = Result(None)
        while True:
            response = self._next_for(message_id, timeout)
            if response.tag == ldap.SEARCH_ENTRY:
                result.entries.append(response.entry)
            elif response.tag == ldap.SEARCH_REFERENCE:
                result.references.append(response.references)
            elif response.tag == ldap.INTERMEDIATE_RESPONSE:
                result.intermediates.append(response)
            else:
                for name in ("code", "matched", "text", "referrals", "controls", "name", "value"):
                    setattr(result, name, getattr(response, name))
                return result

    def _next_for(self, message_id, timeout):
        if self._waiting.get(message_id):
            return self._waiting[message_id].pop(0)
        while True:
            response = self.receive(timeout)
            if response.message_id == message_id:
                return response
            self._waiting.setdefault(response.message_id, []).append(response)

    # Operations

    def run(self, operation, controls=()):
        return self.wait(self.send(operation, controls))

    def bind(self, dn="", password="", controls=(), version=3):
        return self.run(ldap.bind(dn, password, version), controls)

    def add(self, dn, attributes, controls=()):
        return self.run(ldap.add(dn, attributes), controls)

    def modify(self, dn, changes, controls=()):
        return self.run(ldap.modify(dn, changes), controls)

    def delete(self, dn, controls=()):
        return self.run(ldap.delete(dn), controls)

    def modrdn(self, dn, new_rdn, delete_old=True, new_superior=None, controls=()):
        return self.run(ldap.modrdn(dn, new_rdn, delete_old, new_superior), controls)

    def compare(self, dn, name, value, controls=()):
        return self.run(ldap.compare(dn, name, value), controls)

    def search(self, base, scope="sub", filter="(objectClass=*)", attributes=(), controls=(),
               **options):
        return self.run(ldap.search(base, scope, filter, attributes, **options), controls)

    def extended(self, oid, value=None, controls=()):
        return self.run(ldap.extended(oid, value), controls)

    def abandon(self, message_id):
        self.send(ldap.abandon(message_id))

    def unbind(self):
        self.send(ldap.unbind())

    def start_tls(self, context):
        """StartTLS; on success the session goes on in TLS."""
        result = self.extended(ldap.START_TLS)
        if result.code == 0:
            if self._buffer:
                raise ber.BerError("octets in clear behind the StartTLS response")
            self._socket = context.wrap_socket(self._socket, server_hostname="localhost")
        return result
