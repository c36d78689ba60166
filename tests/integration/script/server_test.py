#!/usr/bin/env python3
"""script/server loads the sample once, starts the server, passes flags on and ends cleanly.

A small program stands in for the server, so that this takes no build: it answers /readyz and ends
with a given status when it gets SIGTERM.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import tempfile
import unittest

from running_server import RunningServer, free_port_offset

ROOT = pathlib.Path(__file__).resolve().parents[3]

STAND_IN = '''#!/usr/bin/env python3
import http.server, json, os, signal, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] == "serve":
    open(os.path.dirname(os.environ["CALLS"]) + "/folder", "w").write(os.getcwd())
if sys.argv[1] == "import" or os.environ.get("REFUSE"):
    sys.exit(3 if os.environ.get("REFUSE") else 0)
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *unused):
        pass
host, port = sys.argv[sys.argv.index("--http-listen") + 1].split(":")
signal.signal(signal.SIGTERM, lambda *unused: os._exit(int(os.environ["END_STATUS"])))
http.server.HTTPServer((host, int(port)), Ready).serve_forever()
'''


class ServerScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("script", "build/release/bin", "tmp"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(ROOT / "script/server", self.root / "script/server")
        self.program("script/bootstrap", "#!/bin/sh\n")
        self.program("script/build", "#!/bin/sh\n")
        self.program("build/release/bin/twintree", STAND_IN)
        self.offset = free_port_offset()

    def program(self, name, text):
        (self.root / name).write_text(text)
        (self.root / name).chmod(0o755)

    def server(self, *arguments, **variables):
        environment = {
            **os.environ,
            "TMPDIR": str(self.root / "tmp"),
            "CALLS": str(self.root / "calls"),
            "END_STATUS": "0",
            **variables,
        }
        arguments = ("--port-offset", str(self.offset), *arguments)
        return RunningServer(self.root / "script/server", arguments, environment)

    def run_once(self, *arguments, **variables):
        """Starts, waits until it is ready, ends it; returns the exit status."""
        with self.server(*arguments, **variables) as server:
            server.wait_until_ready()
            return server.stop()

    def calls(self, command):
        lines = (self.root / "calls").read_text().splitlines()
        return [call for call in map(json.loads, lines) if call[0] == command]

    def test_starts_with_open_access_on_the_loopback_interface(self):
        self.assertEqual(self.run_once(), 0)
        (call,) = self.calls("serve")
        text = " ".join(call)
        self.assertIn("--access open", text)
        self.assertIn(f"--ldap-listen 127.0.0.1:{1389 + self.offset}", text)
        self.assertIn(f"--grpc-listen 127.0.0.1:{8389 + self.offset}", text)

    def test_passes_other_flags_on(self):
        self.run_once("--threads", "3", "--access=secure")
        (call,) = self.calls("serve")
        self.assertEqual(call[-2:], ["--threads", "3"])
        self.assertEqual(call[call.index("--access") + 1], "secure")

    def test_passes_values_behind_an_equals_sign_on_as_they_are(self):
        self.run_once("--access-log=true", "--log-level=debug")
        (call,) = self.calls("serve")
        self.assertEqual(call[-2:], ["--access-log=true", "--log-level=debug"])

    def test_moves_the_port_of_ldaps_where_there_is_a_certificate(self):
        moved = ["--ldaps-listen", f"127.0.0.1:{1636 + self.offset}"]
        self.run_once("--tls-cert=a.crt", "--tls-key", "a.key")
        (self.root / "config.yaml").write_text("tls-cert: a.crt\ntls-key: a.key\n")
        self.run_once("--config", str(self.root / "config.yaml"))
        self.run_once()
        with_flags, with_config, without = self.calls("serve")
        self.assertEqual(with_flags[-6:], ["--tls-cert", "a.crt", "--tls-key", "a.key", *moved])
        self.assertEqual(with_config[-2:], moved)
        self.assertNotIn("--ldaps-listen", without)

    def test_without_ldap_there_are_no_examples_of_it(self):
        with self.server("--ldap-listen=") as server:
            server.wait_until_ready()
            server.stop()
        self.assertNotIn("ldap://", server.output)
        self.assertIn("--filter '(uid=alice)'", server.output)

    def test_files_in_flags_are_taken_from_where_it_was_called(self):
        os.chdir(self.root / "tmp")
        self.addCleanup(os.chdir, ROOT)
        self.run_once()
        self.assertEqual((self.root / "folder").read_text(), str(self.root / "tmp"))

    def test_removes_its_temporary_directory(self):
        self.run_once()
        self.assertEqual(list((self.root / "tmp").iterdir()), [])

    def test_second_start_keeps_what_is_there(self):
        data = self.root / "data"
        self.run_once("--data", str(data))
        password = (data / "admin-password").read_text()
        self.run_once("--data", str(data))
        self.assertEqual(len(self.calls("import")), 1)
        self.assertEqual((data / "admin-password").read_text(), password)

    def test_password_is_for_its_owner_only(self):
        data = self.root / "data"
        self.run_once("--data", str(data))
        self.assertEqual((data / "admin-password").stat().st_mode & 0o777, 0o600)

    def test_interrupt_ends_it_like_a_terminate(self):
        with self.server() as server:
            server.wait_until_ready()
            self.assertEqual(server.stop(signal.SIGINT), 0)

    def test_status_of_the_server_is_its_own(self):
        self.assertEqual(self.run_once(END_STATUS="7"), 7)

    def test_import_that_fails_starts_nothing(self):
        with self.server(REFUSE="1") as server:
            self.assertEqual(server.wait(), 3)
        self.assertEqual(self.calls("serve"), [])

    def test_taken_ports_suggest_others(self):
        with socket.create_server(("127.0.0.1", 8389 + self.offset)):
            with self.server() as server:
                self.assertEqual(server.wait(), 1)
        self.assertIn(f"listens already on 127.0.0.1:{8389 + self.offset};", server.output)
        self.assertIn("--port-offset N", server.output)
        self.assertFalse((self.root / "calls").exists())

    def test_flag_without_its_value(self):
        with self.server("--data") as server:
            self.assertEqual(server.wait(), 2)
        self.assertIn("--data needs a value", server.output)


if __name__ == "__main__":
    unittest.main()
