"""A certificate authority and a server certificate for localhost, made with openssl."""

import ssl
import subprocess
from pathlib import Path

_SERVER = """
basicConstraints = CA:FALSE
subjectAltName = DNS:localhost, IP:127.0.0.1
extendedKeyUsage = serverAuth, clientAuth
"""


class Certificates:
    """Files `ca`, `certificate` and `key` in `folder`, good for two days."""

    def __init__(self, folder):
        folder = Path(folder)
        self.ca = folder / "ca.pem"
        self.certificate = folder / "server.pem"
        self.key = folder / "server.key"
        self._make_authority(folder)
        self._make_server(folder)

    def client(self):
        """A context for clients that trust this authority only."""
        return ssl.create_default_context(cafile=str(self.ca))

    def _make_authority(self, folder):
        _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-days", "2", "-subj", "/CN=Twintree test authority", "-keyout", folder / "ca.key",
                 "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", self.ca)

    def _make_server(self, folder):
        request = folder / "server.csr"
        extensions = folder / "server.ext"
        extensions.write_text(_SERVER, encoding="ascii")
        _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-subj", "/CN=localhost", "-keyout", self.key, "-out", request)
        _openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", folder / "ca.key",
                 "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out", self.certificate)
        self.key.chmod(0o640)  # for the group too: tests run servers under other user IDs


def _openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]}: {done.stderr}")
