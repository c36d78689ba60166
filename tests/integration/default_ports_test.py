#!/usr/bin/python3
"""Where the servers listen when nobody says: where their help and the documentation say.

In a network of its own, so that it neither meets other servers nor disturbs them.
"""

import ctypes
import fcntl
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from certificates import Certificates
from harness import Server, binary
from processes import environment, wait_until

SUFFIX = "dc=example,dc=com"
PORTS = {"ldap": 1389, "ldaps": 1636, "grpc": 8389, "http": 9389}
PROTOCOLS = {"serve": {"ldap", "ldaps", "grpc", "http"}, "directory": {"grpc", "http"},
             "gateway": {"ldap", "ldaps", "http"}}
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


def leave_the_network():
    """Moves this process into an empty network with a loopback. Errors: OSError, not permitted."""
    libc = ctypes.CDLL(None, use_errno=True)
    flags = _CLONE_NEWNET | (_CLONE_NEWUSER if os.geteuid() != 0 else 0)
    if libc.unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "a network of its own is not permitted")
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", _IFF_UP))


class DefaultPortsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            leave_the_network()
        except OSError as error:
            raise unittest.SkipTest(str(error)) from error
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.certificates = Certificates(cls.folder)

    def flags_of(self, command):
        tls = [f"--tls-cert={self.certificates.certificate}",
               f"--tls-key={self.certificates.key}"]
        if command == "gateway":
            token = self.folder / "token"
            token.write_text("secret")
            token.chmod(0o600)
            return [*tls, "--directory=127.0.0.1:1", f"--gateway-token-file={token}"]
        return [*tls, f"--data={self.folder / command}", f"--suffix={SUFFIX}"]

    def test_without_flags_for_it_they_listen_on_loopback(self):
        for command, protocols in PROTOCOLS.items():
            with self.subTest(command=command):
                server = Server(command, [binary(), command, *self.flags_of(command)], {},
                                self.folder / f"{command}.log")
                self.addCleanup(server.kill)
                server.start()
                expected = {(name, f"127.0.0.1:{PORTS[name]}") for name in protocols}

                def listening(server=server):
                    return {(event["protocol"], event["address"]) for event in server.events()
                            if event["event"] == "listening"}
                wait_until(lambda: len(listening()) >= len(expected), 10, f"{command} listening")
                self.assertEqual(listening(), expected)
                for name in protocols:
                    socket.create_connection(("127.0.0.1", PORTS[name]), timeout=5).close()
                self.assertEqual(server.terminate(), 0)


class HelpTest(unittest.TestCase):
    def test_the_help_says_where(self):
        for command, protocols in PROTOCOLS.items():
            text = subprocess.run([binary(), command, "--help"], capture_output=True, text=True,
                                  check=True, env=environment()).stdout
            shown = dict(re.findall(r"--(\w+)-listen HOST:PORT=(\S+)", text))
            self.assertEqual({name: address for name, address in shown.items() if name in PORTS},
                             {name: f"127.0.0.1:{PORTS[name]}" for name in protocols}, command)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
