#!/usr/bin/env python3
"""How the servers and the search are called: what is wrong usage, what is warned of, what help says.
"""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import Server, binary
from processes import PATIENCE, environment, wait_until

SUFFIX = "dc=example,dc=com"
ADMIN = f"cn=admin,{SUFFIX}"
TOP = f"dn: {SUFFIX}\nobjectClass: domain\ndc: example\n"
LISTENERS = {"--ldap-listen": "ldap", "--grpc-listen": "grpc", "--http-listen": "http"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "data"
        self.password = self.file("root.pw", "secret", 0o600)

    def file(self, name, text, mode=0o644):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def run_twintree(self, *arguments, **variables):
        return subprocess.run(
            [binary(), *map(str, arguments)], capture_output=True, text=True, check=False,
            timeout=30 * PATIENCE, cwd=self.folder, env={**environment(), **variables})

    def load(self, ldif=TOP, *flags):
        done = self.run_twintree("import", "--data", self.data, self.file("in.ldif", ldif), *flags)
        self.assertEqual(done.returncode, 0, done.stderr)

    def serve(self, *flags, listeners=LISTENERS):
        """A server that listens and is ready."""
        self.starts = getattr(self, "starts", 0) + 1
        server = Server("serve", [binary(), "serve", f"--data={self.data}", *map(str, flags)],
                        listeners, self.folder / f"log-{self.starts}")
        self.addCleanup(server.kill)
        server.start()
        server.wait_for_listeners()
        server.wait_until_ready()
        return server

    def events(self, server, name):
        return [event for event in server.events() if event["event"] == name]

    def assert_usage(self, done, *texts):
        self.assertEqual(done.returncode, 2, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertFalse(self.data.exists())

    # Wrong usage is found before anything is opened or made.

    def test_wrong_usage_of_servers(self):
        name = ["--suffix", SUFFIX]
        for flags, texts in [
                ([], ["--suffix is missing"]),
                (["--suffix", "example"], ["--suffix 'example'"]),
                (["--suffix", "dc=a", "--suffix", "ou=b,dc=a"], ["--suffix 'ou=b,dc=a'", "'dc=a'"]),
                ([*name, "--root-dn", "admin", "--root-password-file", self.password],
                 ["--root-dn 'admin'"]),
                ([*name, "--root-dn", ADMIN], ["--root-password-file"]),
                ([*name, "--threads", "-1"], ["--threads", "'-1'"]),
                ([*name, "--threads", "1000000"], ["--threads", "'1000000'"]),
                ([*name, "--threads", "4294967297"], ["--threads", "'4294967297'"]),
                ([*name, "--read-timeout", "0"], ["--read-timeout", "'0'"]),
                ([*name, "--index", "cn=eq", "--index", "cn=sub"], ["--index 'cn=sub'", "'cn=eq'"]),
                ([*name, "--index", "nothing=eq"], ["--index 'nothing=eq'"]),
                ([*name, "--access", self.folder / "none"], [str(self.folder / "none")]),
                ([*name, "--ldaps-listen", "127.0.0.1:1636"], ["--ldaps-listen", "--tls-cert"])]:
            with self.subTest(flags=flags):
                done = self.run_twintree("serve", "--data", self.data, *flags)
                self.assert_usage(done, "twintree serve: ", *texts)

    def test_a_listener_for_ldaps_needs_a_certificate_whoever_asks_for_it(self):
        flags = ["serve", "--data", self.data, "--suffix", SUFFIX]
        done = self.run_twintree(*flags, TWINTREE_LDAPS_LISTEN="127.0.0.1:1636")
        self.assert_usage(done, "--ldaps-listen", "--tls-cert")
        config = self.file("config.yaml", "ldaps-listen: 127.0.0.1:1636\n")
        self.assert_usage(self.run_twintree(*flags, "--config", config), "--ldaps-listen")
        done = self.run_twintree("gateway", "--directory", "127.0.0.1:1", "--gateway-token-file",
                                 self.password, "--ldaps-listen", "127.0.0.1:1636")
        self.assert_usage(done, "twintree gateway: ", "--ldaps-listen")

    def test_errors_of_the_parser_name_the_command(self):
        self.assert_usage(self.run_twintree("directory", "--datta", "x"), "twintree directory: ")

    # Suffixes

    def test_a_store_with_other_suffixes_is_not_served(self):
        self.load()
        for command in ("serve", "directory"):
            done = self.run_twintree(command, "--data", self.data, "--suffix", "dc=org",
                                     "--http-listen", "127.0.0.1:0")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"holds the suffixes '{SUFFIX}'", done.stderr)
            self.assertIn("--suffix names only 'dc=org'", done.stderr)

    # Indexes

    def test_without_index_flags_the_default_set_comes_back(self):
        self.load()
        first = self.serve("--index", "cn=eq")
        self.assertEqual(self.events(first, "indexes")[0]["set"], "cn=eq")
        self.assertEqual(first.terminate(), 0)
        second = self.serve()
        (changed,) = self.events(second, "index_set_changed")
        self.assertEqual(changed["from"], "cn=eq")
        self.assertIn("uid=eq,pres,sub", changed["to"])
        self.assertEqual(self.events(second, "indexes")[0]["set"], changed["to"])
        self.assertEqual(second.terminate(), 0)
        third = self.serve()
        self.assertEqual(self.events(third, "index_set_changed"), [])

    # Warnings

    def test_an_empty_store_without_a_root_identity_is_warned_of(self):
        server = self.serve("--suffix", SUFFIX)
        self.assertEqual(len(self.events(server, "nobody_can_add_entries")), 1)

    def test_no_such_warning_where_somebody_can_begin(self):
        server = self.serve("--suffix", SUFFIX, "--root-dn", ADMIN, "--root-password-file",
                            self.password)
        self.assertEqual(self.events(server, "nobody_can_add_entries"), [])
        self.assertEqual(self.events(server, "secret_readable_by_everybody"), [])

    def test_a_password_that_everybody_can_read_is_warned_of(self):
        self.password.chmod(0o644)
        server = self.serve("--suffix", SUFFIX, "--root-dn", ADMIN, "--root-password-file",
                            self.password)
        (warning,) = self.events(server, "secret_readable_by_everybody")
        self.assertEqual(warning["file"], str(self.password))

    def test_an_unknown_variable_is_warned_of(self):
        self.load()
        os.environ["TWINTREE_SUFIX"] = SUFFIX
        self.addCleanup(os.environ.pop, "TWINTREE_SUFIX")
        names = [event["name"] for event in self.events(self.serve(), "unknown_variable")]
        self.assertIn("TWINTREE_SUFIX", names)

    # Settings

    def test_an_empty_value_switches_a_listener_off(self):
        self.load()
        server = self.serve("--ldap-listen=", listeners={
            key: LISTENERS[key] for key in ("--grpc-listen", "--http-listen")})
        self.assertNotIn("ldap", [event["protocol"] for event in self.events(server, "listening")])

    def test_the_example_of_a_config_file_serves_all_commands(self):
        text = (Path(__file__).resolve().parents[2] / "docs/operations.md").read_text()
        config = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1]
        for path, ours in [("/var/lib/twintree", self.data),
                           ("/etc/twintree/root.pw", self.password),
                           ("/etc/twintree/gateway-token", self.file("token", "t", 0o600))]:
            self.assertIn(path, config)
            config = config.replace(path, str(ours))
        config = re.sub(r"(?m)^(tls-\S+|ldaps-listen): .*$", "", config)
        file = self.file("config.yaml", config)
        done = self.run_twintree("import", "--config", file, self.file("in.ldif", TOP))
        self.assertEqual(done.returncode, 0, done.stderr)
        for command in ("check", "export"):
            done = self.run_twintree(command, "--config", file)
            self.assertEqual(done.returncode, 0, done.stderr)
        server = self.serve("--config", file)
        done = self.run_twintree("search", "--config", file, "--server",
                                 server.addresses["grpc"], "--bind-dn", ADMIN,
                                 "--password-file", self.password, "--base", SUFFIX)
        self.assertIn("dc: example", done.stdout, done.stderr)

    # Search

    def test_the_filter_may_stand_first(self):
        self.load(TOP + f"\ndn: uid=ann,{SUFFIX}\nobjectClass: account\nuid: ann\nl: Bonn\n")
        server = self.serve("--access", "open")
        search = ["search", "--server", server.addresses["grpc"], "--base", SUFFIX]
        done = self.run_twintree(*search, "(uid=ann)", "l")
        self.assertEqual(done.stdout, f"dn: uid=ann,{SUFFIX}\nl: Bonn\n\n", done.stderr)
        done = self.run_twintree(*search, "--filter", "(uid=*)", "(uid=ann)")
        self.assertEqual(done.returncode, 2)
        self.assertIn("two filters", done.stderr)
        done = self.run_twintree(*search, "--filter", "(uid=ann)", "l")
        self.assertEqual(done.stdout, f"dn: uid=ann,{SUFFIX}\nl: Bonn\n\n", done.stderr)

    def test_pages_go_on_after_a_restart(self):
        from ldap3 import SUBTREE, Connection
        people = "".join(f"\ndn: uid=p{i},{SUFFIX}\nobjectClass: account\nuid: p{i}\n"
                         for i in range(5))
        self.load(TOP + people)
        server = self.serve("--access", "open")
        page = {"search_base": SUFFIX, "search_filter": "(uid=*)", "search_scope": SUBTREE,
                "paged_size": 3}

        def ask(cookie):
            with Connection(f"127.0.0.1:{server.port('ldap')}", auto_bind=True) as connection:
                connection.search(**page, paged_cookie=cookie)
                control = connection.result["controls"]["1.2.840.113556.1.4.319"]
                return len(connection.response), control["value"]["cookie"]

        first, cookie = ask(None)
        self.assertEqual(server.terminate(), 0)
        server.start()
        server.wait_for_listeners()
        server.wait_until_ready()
        second, _ = ask(cookie)
        self.assertEqual((first, second), (3, 2))

    # The example of `twintree serve --help`, as printed but for the ports.

    def test_the_example_of_the_help_works(self):
        text = self.run_twintree("serve", "--help").stdout.split("Example, ")[1]
        text = text.replace("127.0.0.1:1389", f"127.0.0.1:{free_port()}")
        commands = re.findall(r"(?m)^  (\S.*(?:\n      .*)*)", text)
        make_password, serve, add, search = commands
        port = re.search(r"127.0.0.1:(\d+)", search)[1]
        variables = {
            **environment(), "PATH": f"{binary().parent}:{os.environ['PATH']}",
            "TWINTREE_LDAP_LISTEN": f"127.0.0.1:{port}", "TWINTREE_GRPC_LISTEN": "127.0.0.1:0",
            "TWINTREE_HTTP_LISTEN": "127.0.0.1:0", "TWINTREE_LOG_FORMAT": "json"}

        def shell(command):
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=variables,
                                  capture_output=True, text=True, check=False, timeout=30)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")
            return done.stdout

        self.password.unlink()
        shell(make_password)
        self.assertEqual(self.password.stat().st_mode & 0o777, 0o600)
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            server = subprocess.Popen(["bash", "-c", "exec " + serve], cwd=self.folder,
                                      env=variables, stderr=log)
        self.addCleanup(server.wait)
        self.addCleanup(server.send_signal, signal.SIGTERM)

        def listens():
            lines = (self.folder / "log").read_text().splitlines()
            return any(json.loads(line).get("protocol") == "ldap" for line in lines
                       if line.startswith("{") and line.endswith("}"))

        wait_until(listens, 20 * PATIENCE, "the example's server listening")
        shell(add)
        self.assertIn("dc: example", shell(search))


if __name__ == "__main__":
    unittest.main()
