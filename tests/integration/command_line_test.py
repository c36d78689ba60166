#!/usr/bin/env python3
"""How the servers and the search are called: what is wrong usage, what is warned of, what help says.
"""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from ber_client import Connection
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

    def threads_of(self, command, threads):
        """How many threads a ready server has."""
        with tempfile.TemporaryDirectory() as folder:
            listeners = {flag: name for flag, name in LISTENERS.items()
                         if command == "serve" or flag != "--ldap-listen"}
            server = Server(command, [binary(), command, f"--data={folder}", f"--suffix={SUFFIX}",
                                      f"--threads={threads}"],
                            listeners, Path(folder) / "log")
            server.start()
            try:
                server.wait_for_listeners()
                server.wait_until_ready()
                return len(os.listdir(f"/proc/{server.pid}/task"))
            finally:
                server.kill()

    def test_threads_sizes_each_pool(self):
        for command, pools in [("directory", 2), ("serve", 3)]:
            with self.subTest(command=command):
                more = self.threads_of(command, 41) - self.threads_of(command, 1)
                self.assertAlmostEqual(more, pools * 40, delta=8)  # gRPC has some as it likes

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
                ([*name, "--cache-size", "1X"], ["--cache-size", "'1X'"]),
                ([*name, "--gateway-name", "*"],
                 ["--gateway-name needs --tls-client-ca, --tls-cert and --tls-key"]),
                ([*name, "--ldaps-listen", "127.0.0.1:1636"], ["--ldaps-listen", "--tls-cert"])]:
            with self.subTest(flags=flags):
                done = self.run_twintree("serve", "--data", self.data, *flags)
                self.assert_usage(done, "twintree serve: ", *texts)

    def test_a_start_tells_what_is_served_and_under_which_rules(self):
        server = self.serve("--suffix", SUFFIX, "--suffix", "o=b", "--root-dn", ADMIN,
                            "--root-password-file", self.password)
        (event,) = self.events(server, "directory_opened")
        self.assertEqual((event["suffixes"], event["root_dn"], event["access"]),
                         (f"{SUFFIX}; o=b", ADMIN, "secure"))
        self.assertEqual(self.events(server, "doubtful_suffix"), [])
        server.kill()
        config = self.file("config.yaml", f"suffix: [{SUFFIX}]\ndata: {self.folder}/other\n")
        done = self.run_twintree("import", "--config", config, self.file("empty.ldif", ""))
        self.assertIn("warning: --suffix names 'dc=com' beside others", done.stderr)

    def test_a_word_that_is_neither_a_file_nor_known_is_told_with_those_that_are(self):
        serve = ["serve", "--data", self.data, "--suffix", SUFFIX, "--access"]
        self.assert_usage(self.run_twintree(*serve, "secured"),
                          "--access: ", "'secured': No such file", "; it is secure, open or a file")

    def test_a_listener_for_ldaps_needs_a_certificate_whoever_asks_for_it(self):
        flags = ["serve", "--data", self.data, "--suffix", SUFFIX]
        done = self.run_twintree(*flags, TWINTREE_LDAPS_LISTEN="127.0.0.1:1636")
        self.assert_usage(done, "--ldaps-listen", "--tls-cert")
        config = self.file("config.yaml", "ldaps-listen: 127.0.0.1:1636\n")
        self.assert_usage(self.run_twintree(*flags, "--config", config), "--ldaps-listen")
        done = self.run_twintree("gateway", "--directory", "127.0.0.1:1", "--gateway-token-file",
                                 self.password, "--ldaps-listen", "127.0.0.1:1636")
        self.assert_usage(done, "twintree gateway: ", "--ldaps-listen")

    def test_addresses_are_looked_at_before_anything_is_opened(self):
        serve = ["serve", "--data", self.data, "--suffix", SUFFIX]
        gateway = ["gateway", "--gateway-token-file", self.password, "--directory"]
        for command in (serve, [*gateway, "127.0.0.1:1"]):
            for flag in ("--ldap-listen", "--ldaps-listen", "--http-listen"):
                for address in ("99999", "localhost", "127.0.0.1:99999", "127.0.0.1:", "::1:389"):
                    with self.subTest(command=command, flag=flag, address=address):
                        certificate = self.certificate() if flag == "--ldaps-listen" else []
                        done = self.run_twintree(*command, *certificate, flag, address)
                        self.assert_usage(done, f"{flag} '{address}' is no address to listen on")
        for address in ("foo", "127.0.0.1:99999", "", "unix:", "unix:/" + 200 * "x"):
            self.assert_usage(self.run_twintree(*serve, "--grpc-listen", address), "--grpc-listen")
        self.assert_usage(self.run_twintree(*serve, "--http-listen="), "--http-listen ''")
        done = self.run_twintree(*serve, "--ldapi-listen", "/" + 200 * "x")
        self.assert_usage(done, "--ldapi-listen '/xxx")
        self.assert_usage(self.run_twintree(*gateway, "localhost"), "--directory 'localhost'")
        for command in ("search", "passwd"):
            done = self.run_twintree(command, "--server", "localhost", "--bind-dn", ADMIN,
                                     "--password-file", self.password,
                                     *(["--bind-password-file", self.password]
                                       if command == "passwd" else []))
            self.assert_usage(done, f"twintree {command}: --server 'localhost'")

    def certificate(self, name="tls"):
        """Flags for a certificate and its key."""
        files = {"--tls-cert": self.folder / f"{name}.crt", "--tls-key": self.folder / f"{name}.key"}
        if not files["--tls-key"].exists():
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                 "-nodes", "-subj", "/CN=localhost", "-out", files["--tls-cert"], "-keyout",
                 files["--tls-key"]], check=True, capture_output=True)
        return [str(part) for flag in files.items() for part in flag]

    def test_files_are_looked_at_before_anything_is_opened(self):
        cert, key = self.certificate()[1::2]
        other_key = self.certificate("other")[3]
        none, token = str(self.folder / "none"), ["--gateway-token-file", self.password]
        serve = ["serve", "--data", self.data, "--suffix", SUFFIX]
        directory = ["directory", *serve[1:]]
        gateway = ["gateway", "--directory", "127.0.0.1:1"]
        for command, texts in [
                ([*serve, "--root-dn", ADMIN, "--root-password-file", none],
                 ["--root-password-file: ", "No such file"]),
                ([*serve, "--root-dn", ADMIN, "--root-password-file", self.folder],
                 ["--root-password-file: ", "directory"]),
                ([*serve, "--access", none], ["--access: ", "No such file"]),
                ([*serve, "--schema", none], ["--schema: ", "No such file"]),
                ([*serve, "--config", none], ["--config: ", "No such file"]),
                ([*serve, "--gateway-token-file", none], ["--gateway-token-file: "]),
                ([*serve, "--tls-cert", none, "--tls-key", key], ["--tls-cert: "]),
                ([*serve, "--tls-cert", cert, "--tls-key", none], ["--tls-key: "]),
                ([*serve, "--tls-cert", cert, "--tls-key", other_key], ["--tls-key", other_key]),
                ([*directory, "--tls-cert", cert, "--tls-key", other_key], ["--tls-key"]),
                ([*directory, "--tls-cert", cert, "--tls-key", key, "--tls-client-ca", key],
                 ["--tls-client-ca: ", f"{key}: it holds no PEM certificate"]),
                ([*serve, "--tls-cert", key, "--tls-key", key],
                 [f"{key}: it holds no PEM certificate"]),
                ([*serve, "--tls-cert", cert, "--tls-key", self.password],
                 [f"{self.password}: it holds no PEM private key"]),
                ([*gateway, "--gateway-token-file", none], ["--gateway-token-file: "]),
                ([*gateway, *token, "--directory-ca", none], ["--directory-ca: "]),
                ([*gateway, "--directory-ca", cert, "--directory-cert", cert, "--directory-key",
                  other_key], ["--directory-key", other_key]),
                ([*gateway, *token, "--directory-ca", self.password],
                 [f"{self.password}: it holds no PEM certificate"]),
                (["search", "--bind-dn", ADMIN, "--password-file", none], ["--password-file: "]),
                (["search", "--tls-ca", none], ["--tls-ca: ", "No such file"]),
                (["passwd", "--password-file", none], ["--password-file: ", "No such file"]),
                (["passwd", "--server", "127.0.0.1:1", "--bind-dn", ADMIN, "--bind-password-file",
                  none], ["--bind-password-file: "]),
                (["import", "--data", self.data, none], [none, "No such file"])]:
            with self.subTest(command=command):
                self.assert_usage(self.run_twintree(*command), f"twintree {command[0]}: ", *texts)

    def test_a_command_that_there_is_not_is_named(self):
        self.assert_usage(self.run_twintree("srve", "--data", "x"),
                          "there is no command 'srve'; did you mean serve?")

    def test_certificates_of_gateways_need_an_authority(self):
        done = self.run_twintree("directory", "--data", self.data, "--suffix", SUFFIX,
                                 *self.certificate(), "--gateway-name", "gateway")
        self.assert_usage(done, "twintree directory: ", "--gateway-name needs --tls-client-ca")

    def test_nobody_is_asked_for_the_passphrase_of_a_key(self):
        cert, key = self.certificate()[1::2]
        encrypted = self.folder / "encrypted.key"
        subprocess.run(["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out",
                        encrypted], check=True, capture_output=True)
        pair = ["--tls-cert", cert, "--tls-key", encrypted]
        store = ["--data", self.data, "--suffix", SUFFIX]
        gateway = ["gateway", "--directory", "127.0.0.1:1", "--directory-ca", cert]
        for command in (["serve", *store, *pair], ["directory", *store, *pair],
                        [*gateway, "--gateway-token-file", self.password, *pair],
                        [*gateway, "--directory-cert", cert, "--directory-key", encrypted]):
            with self.subTest(command=command):
                done = self.run_twintree(*command)
                self.assert_usage(done, str(encrypted), "encrypted; 'openssl pkey -in KEY")
                self.assertNotIn("pass phrase", done.stderr)

    def expired_certificate(self):
        """The same flags as of certificate(), for one that was good in 2020."""
        flags = self.certificate("expired")
        cert, key = flags[1::2]
        config = self.file("ca.cnf", "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nserial=serial\n"
                                     "new_certs_dir=.\ndefault_md=sha256\npolicy=any\n"
                                     "[any]\ncommonName=supplied\n")
        self.file("index", "")
        self.file("serial", "01\n")
        request = self.folder / "expired.csr"
        for arguments in (
                ["req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", request],
                ["ca", "-batch", "-selfsign", "-config", config, "-keyfile", key, "-in", request,
                 "-startdate", "20200101000000Z", "-enddate", "20200102000000Z", "-notext", "-out",
                 cert]):
            subprocess.run(["openssl", *arguments], check=True, capture_output=True,
                           cwd=self.folder)
        return flags

    def test_a_certificate_that_has_expired_is_warned_of(self):
        self.load()
        server = self.serve(*self.expired_certificate(), "--ldaps-listen=")
        reasons = [event["reason"] for event in self.events(server, "certificate_not_valid")]
        self.assertEqual(reasons, ["it has expired on 2020-01-02 00:00:00 UTC"])
        directory = Server(
            "directory",
            [binary(), "directory", f"--data={self.folder / 'other'}", f"--suffix={SUFFIX}",
             *self.expired_certificate()],
            {flag: name for flag, name in LISTENERS.items() if name != "ldap"},
            self.folder / "directory-log")
        self.addCleanup(directory.kill)
        directory.start()
        directory.wait_for_listeners()
        directory.wait_until_ready()
        self.assertEqual(len(self.events(directory, "certificate_not_valid")), 1)
        directory.signal(signal.SIGHUP)
        wait_until(lambda: len(self.events(directory, "certificate_not_valid")) == 2, 10,
                   "the warning after SIGHUP")

    def test_a_gateway_that_connects_at_once_warns_of_nothing(self):
        self.load()
        directory = self.serve("--gateway-token-file", self.password)
        gateway = Server("gateway", [
            binary(), "gateway", f"--directory={directory.addresses['grpc']}",
            f"--gateway-token-file={self.password}"],
            {flag: name for flag, name in LISTENERS.items() if name != "grpc"},
            self.folder / "gateway-log")
        self.addCleanup(gateway.kill)
        gateway.start()
        gateway.wait_for_listeners()
        gateway.wait_until_ready()
        warnings = [event for event in gateway.events() if event["level"].lower() == "warning"]
        self.assertEqual(warnings, [])

    def test_an_address_that_is_taken_is_told_with_protocol_and_reason(self):
        for flag, protocol in [("--ldap-listen", "LDAP"), ("--ldaps-listen", "LDAPS"),
                               ("--grpc-listen", "gRPC"), ("--http-listen", "HTTP")]:
            for certificate in ([], self.certificate()):
                if protocol == "LDAPS" and not certificate:
                    continue
                with socket.create_server(("127.0.0.1", 0)) as taken, self.subTest(flag=flag):
                    address = f"127.0.0.1:{taken.getsockname()[1]}"
                    listeners = {name: "127.0.0.1:0" for name in LISTENERS}
                    if certificate:
                        listeners["--ldaps-listen"] = "127.0.0.1:0"
                    listeners[flag] = address
                    done = self.run_twintree(
                        "serve", "--data", self.data, "--suffix", SUFFIX, *certificate,
                        *(part for item in listeners.items() for part in item))
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(f"cannot listen for {protocol} on {address}: Address already in"
                                  " use", done.stderr)

    def test_a_folder_of_a_socket_that_is_not_there_is_told(self):
        path = self.folder / "none" / "socket"
        for flag, address in [("--grpc-listen", f"unix:{path}"), ("--ldapi-listen", path)]:
            done = self.run_twintree("serve", "--data", self.data, "--suffix", SUFFIX,
                                     *(f"{name}=127.0.0.1:0" for name in LISTENERS if name != flag),
                                     f"{flag}={address}")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, "cannot listen for .*/none.*: No such file")

    def test_every_address_of_the_machine_is_written_alike(self):
        self.load()
        server = Server("serve", [binary(), "serve", f"--data={self.data}",
                                  *(f"{flag}=*:0" for flag in LISTENERS)], {},
                        self.folder / "log-any")
        self.addCleanup(server.kill)
        server.start()
        wait_until(lambda: self.events(server, "ready"), 20, "ready")
        self.assertEqual({event["protocol"] for event in self.events(server, "listening")},
                         set(LISTENERS.values()))

    def test_errors_of_the_parser_name_the_command(self):
        self.assert_usage(self.run_twintree("directory", "--datta", "x"), "twintree directory: ")

    def test_a_client_without_tls_is_told_when_the_server_wants_it(self):
        self.load()
        certificate = self.certificate()
        server = self.serve(*certificate, "--grpc-tls", "require", "--ldaps-listen=")
        plain = ["search", "--server", server.addresses["grpc"], "--scope", "base"]
        done = self.run_twintree(*plain)
        self.assertEqual(done.returncode, 52)
        self.assertIn("if the server takes TLS only, give --tls-ca", done.stderr)
        done = self.run_twintree("passwd", "--server", server.addresses["grpc"], "--bind-dn", ADMIN,
                                 "--bind-password-file", self.password, "--password-file",
                                 self.password)
        self.assertIn("give --tls-ca", done.stderr)

    def test_a_client_with_tls_is_told_when_the_server_has_none(self):
        self.load()
        done = self.run_twintree("search", "--server", self.serve().addresses["grpc"], "--tls-ca",
                                 self.certificate()[1])
        self.assertIn("speaks plain text only, leave --tls-ca out", done.stderr)

    def test_what_grpc_has_to_say_is_in_no_commands_output(self):
        self.load()
        server = self.serve(*self.certificate(), "--ldaps-listen=")
        wrong = self.certificate("other")[1]
        client = ["--server", server.addresses["grpc"], "--tls-ca", wrong]
        for arguments in (["search", *client, "--scope", "base"],
                          ["passwd", *client, "--bind-dn", ADMIN, "--bind-password-file",
                           self.password, "--password-file", self.password]):
            done = self.run_twintree(*arguments)
            self.assertEqual(done.returncode, 52)
            self.assertIn("is of no authority in --tls-ca", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_what_grpc_repeats_is_logged_once_in_a_while(self):
        self.load()
        self.file("token", "secret", 0o600)
        directory = self.serve(*self.certificate(), "--ldaps-listen=", "--gateway-token-file",
                               self.folder / "token")
        gateway = Server("gateway", [
            binary(), "gateway", f"--directory={directory.addresses['grpc']}",
            f"--gateway-token-file={self.folder / 'token'}",
            f"--directory-ca={self.certificate('other')[1]}"],
            {"--ldap-listen": "ldap", "--http-listen": "http"}, self.folder / "log-gateway")
        self.addCleanup(gateway.kill)
        gateway.start()
        gateway.wait_for_listeners()
        # An event with a count comes when the interval has passed, after some attempts.
        counted = wait_until(lambda: [event for event in self.events(gateway, "grpc_message")
                                      if "suppressed" in event], 30, "a count of messages")
        self.assertGreater(int(counted[0]["suppressed"]), 0)
        self.assertEqual(len(self.events(gateway, "grpc_message")), 2)
        reasons = [event["reason"] for event in self.events(gateway, "not_ready")]
        self.assertIn("is of no authority in --directory-ca", reasons[-1])
        self.assertIn(directory.addresses["grpc"], reasons[-1])

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
        events = self.events(self.serve(), "unknown_variable")
        names = [event["name"] for event in events]
        self.assertIn("TWINTREE_SUFIX", names)
        self.assertEqual([event["did_you_mean"] for event in events if "did_you_mean" in event],
                         ["TWINTREE_SUFFIX"])

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

    def test_relative_names_in_a_config_file_begin_at_the_working_directory(self):
        self.load()
        (self.folder / "etc").mkdir()
        config = self.file("etc/config.yaml", "data: data\n")
        done = self.run_twintree("export", "--config", config)
        self.assertIn("dc: example", done.stdout, done.stderr)

    # Search

    def searchable(self):
        """A command that searches two entries below the suffix."""
        self.load(TOP + "".join(f"\ndn: uid={uid},{SUFFIX}\nobjectClass: account\nuid: {uid}\nl: {l}\n"
                                for uid, l in [("ann", "Bonn"), ("ben", "Kiel")]))
        server = self.serve("--access", "open")
        return ["search", "--server", server.addresses["grpc"], "--base", SUFFIX]

    def test_the_filter_may_stand_first_and_without_parentheses(self):
        search = self.searchable()
        ann = f"dn: uid=ann,{SUFFIX}\nl: Bonn\n\n"
        for words in (["(uid=ann)", "l"], ["uid=ann", "l"], ["&(uid=ann)(l=Bonn)", "l"],
                      ["--filter", "(uid=ann)", "l"], ["--filter", "uid=ann", "l"]):
            done = self.run_twintree(*search, *words)
            self.assertEqual(done.stdout, ann, f"{words}\n{done.stderr}")
        done = self.run_twintree(*search, "uid=ann", "1.1")
        self.assertEqual(done.stdout, f"dn: uid=ann,{SUFFIX}\n\n", done.stderr)
        done = self.run_twintree(*search, "uid=ann", "@account")
        self.assertIn("l: Bonn", done.stdout, done.stderr)

    def test_a_search_takes_one_filter_and_attributes(self):
        for words, text in [(["--filter", "(uid=*)", "(uid=ann)"], "two filters"),
                            (["uid=ann", "uid=ben"], "two filters: 'uid=ann' and 'uid=ben'"),
                            (["cn", "uid=ann"], "the filter 'uid=ann' must stand before"),
                            (["uid=ann", "given name"], "'given name' is neither"),
                            ([""], "'' is neither")]:
            done = self.run_twintree("search", "--server", "127.0.0.1:1", *words)
            self.assert_usage(done, "twintree search: ", text)

    def test_limits_of_servers_are_none_of_the_client(self):
        search = self.searchable()
        config = self.file("config.yaml", "size-limit: 1\ntime-limit: 1\n")
        done = self.run_twintree(*search, "--config", config, "uid=*", "l",
                                 TWINTREE_SIZE_LIMIT="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("dn: "), 2)
        done = self.run_twintree(*search, "--size-limit", "1", "uid=*", "l")
        self.assertEqual(done.returncode, 4, done.stderr)

    def set_password(self, server, *flags, typed="new\n"):
        return subprocess.run(
            [binary(), "passwd", "--server", server, "--bind-dn", ADMIN, "--bind-password-file",
             str(self.password), *flags], capture_output=True, text=True, check=False, input=typed,
            timeout=30 * PATIENCE, cwd=self.folder, env=environment())

    def test_a_password_is_set_by_the_server(self):
        self.load(TOP + f"\ndn: uid=ann,{SUFFIX}\nobjectClass: account\n"
                  "objectClass: simpleSecurityObject\nuid: ann\nuserPassword: old\n")
        server = self.serve("--root-dn", ADMIN, "--root-password-file", self.password)
        address = server.addresses["grpc"]
        ann = f"uid=ann,{SUFFIX}"
        done = self.set_password(address, "--dn", ann)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        for password, code in [("new", 0), ("old", 49)]:
            done = self.run_twintree("search", "--server", address, "--bind-dn", ann,
                                     "--password-file", self.file("ann.pw", password, 0o600),
                                     "--scope", "base")
            self.assertEqual(done.returncode, code, done.stderr)
        done = self.set_password(address, "--dn", f"uid=bob,{SUFFIX}")
        self.assertEqual(done.returncode, 32, done.stderr)
        self.password = self.file("wrong.pw", "wrong", 0o600)
        self.assertEqual(self.set_password(address, "--dn", ann).returncode, 49)

    def test_a_server_that_does_not_answer_is_given_up(self):
        silent = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        done = self.run_twintree("search", "--server", address, "--timeout", "1")
        self.assertEqual(done.returncode, 3, done.stderr)
        done = self.set_password(address, "--timeout", "1")
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_pages_go_on_after_a_restart(self):
        import ldap3
        people = "".join(f"\ndn: uid=p{i},{SUFFIX}\nobjectClass: account\nuid: p{i}\n"
                         for i in range(5))
        self.load(TOP + people)
        server = self.serve("--access", "open")
        page = {"search_base": SUFFIX, "search_filter": "(uid=*)", "search_scope": ldap3.SUBTREE,
                "paged_size": 3}

        def ask(cookie):
            address = f"127.0.0.1:{server.port('ldap')}"
            with ldap3.Connection(address, auto_bind=True) as connection:
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

    def test_search_prints_types_only_and_has_a_time_limit(self):
        search = self.searchable()
        done = self.run_twintree(*search, "--types-only", "uid=ann", "l", "uid")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "(?m)^l:")
        for value in ("Bonn", "uid: ann"):
            self.assertNotIn(value, done.stdout)
        done = self.run_twintree(*search, "--time-limit", "30", "uid=ann", "l")
        self.assertIn("l: Bonn", done.stdout, done.stderr)
        done = self.run_twintree(*search, "--time-limit", "-1", "uid=ann")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--time-limit", done.stderr)

    # Other commands

    def test_check_tells_of_a_damaged_store(self):
        self.load()
        done = self.run_twintree("check", "--data", self.data)
        self.assertEqual((done.returncode, "problem:" in done.stdout), (0, False), done.stderr)
        with sqlite3.connect(self.data / "twintree.db") as store:
            self.assertGreater(store.execute("DELETE FROM term").rowcount, 0)
        store.close()
        for flags, status in [([], 1), (["--rebuild"], 1), ([], 0)]:
            done = self.run_twintree("check", "--data", self.data, *flags)
            self.assertEqual(done.returncode, status, f"{flags}: {done.stdout}{done.stderr}")
            self.assertEqual("problem: " in done.stdout, status == 1, done.stdout)

    def test_import_reads_standard_input(self):
        done = subprocess.run([binary(), "import", "--data", self.data, "-"], input=TOP, text=True,
                              capture_output=True, check=False, timeout=30 * PATIENCE,
                              env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_twintree("export", "--data", self.data)
        self.assertIn(f"dn: {SUFFIX}\n", done.stdout, done.stderr)

    def test_the_version_is_data_on_standard_output(self):
        first = self.run_twintree("version")
        self.assertRegex(first.stdout, r"\Atwintree \d+\.\d+\.\d+ \(.+\)\n\Z")
        self.assertEqual((first.returncode, first.stderr), (0, ""))
        self.assertEqual(self.run_twintree("--version").stdout, first.stdout)

    def test_help_teaches(self):
        for command, texts in [
                ("search", ["Examples:", "--base dc=example,dc=com", "--timeout", "Exit status"]),
                ("passwd", ["Examples:", "--timeout", "Exit status"]),
                ("gateway", ["Example:", "--directory 127.0.0.1:8389", "--gateway-token-file"]),
                ("directory", ["Example", "--gateway-token-file token", "--grpc-max-connection-age"]),
                ("version", ["Prints what this build is"])]:
            done = self.run_twintree(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            for text in texts:
                self.assertIn(text, done.stdout, command)

    # Settings

    def test_a_flag_wins_over_the_environment_and_that_over_the_file(self):
        for name in ("file", "variable", "flag"):
            ldif = TOP.replace("example", name)
            done = self.run_twintree("import", "--data", self.folder / name,
                                     self.file(f"{name}.ldif", ldif))
            self.assertEqual(done.returncode, 0, done.stderr)
        config = self.file("config.yaml", f"data: {self.folder / 'file'}\n")
        variable = {"TWINTREE_DATA": str(self.folder / "variable")}
        flag = ["--data", self.folder / "flag"]
        for winner, flags, variables in [("file", [], {}), ("variable", [], variable),
                                         ("flag", flag, variable), ("flag", flag, {})]:
            done = self.run_twintree("export", "--config", config, *flags, **variables)
            self.assertIn(f"dn: dc={winner},dc=com\n", done.stdout, done.stderr)

    def test_servers_listen_on_the_documented_ports(self):
        text = self.run_twintree("serve", "--help").stdout
        for flag, port in [("ldap", 1389), ("ldaps", 1636), ("grpc", 8389), ("http", 9389)]:
            self.assertRegex(text, rf"--{flag}-listen HOST:PORT=127\.0\.0\.1:{port} ")

    def test_the_access_log_names_connection_operation_and_no_secret(self):
        self.load()
        flags = ["--root-dn", ADMIN, "--root-password-file", self.password]
        for more, wanted in [(["--access-log"], True), ([], False)]:
            server = self.serve(*flags, *more)
            with Connection(server.port("ldap")) as client:
                self.assertEqual(client.bind(ADMIN, "secret").code, 0)
                self.assertEqual(client.search(SUFFIX, "base").code, 0)
            self.run_twintree("search", "--server", server.addresses["grpc"], "--bind-dn", ADMIN,
                              "--password-file", self.password, "--base", SUFFIX)
            self.assertEqual(server.terminate(), 0)
            lines = self.events(server, "operation")
            told = [(line["protocol"], line["kind"], line["result"]) for line in lines]
            expected = [("ldap", "bind", "0"), ("ldap", "search", "0"), ("grpc", "search", "0")]
            for line in expected:
                self.assertEqual(line in told, wanted, told)
            ldap = [line for line in lines if line["protocol"] == "ldap"]
            self.assertEqual(len({line["conn"] for line in ldap}), 1 if wanted else 0)
            self.assertNotIn("secret", server.log())

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
                                      env=variables, stdout=log, stderr=log)
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
