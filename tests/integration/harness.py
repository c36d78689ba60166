"""Starts the real `twintree` programs for a test, in either wiring.

    with Deployment("split") as deployment:
        with deployment.admin() as connection:
            connection.add(...)
        deployment.stop()              # SIGTERM; fails unless every process exits with 0

The programs are looked for in the folder that TWINTREE_BIN_DIR names. Everything a deployment
writes is in one temporary folder; every process is ended by its ID when the deployment closes.
"""

import http.client
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

import metrics_page
from processes import PATIENCE, Process, StartError, environment, wait_until
from target import ADMIN, PASSWORD, SUFFIX, Target

START_TIMEOUT = 10
# Flags that have a listener behind them, and the protocol its log line names.
LDAP_LISTENERS = {"--ldap-listen": "ldap", "--ldaps-listen": "ldaps"}
GRPC_LISTENER = {"--grpc-listen": "grpc"}
HTTP_LISTENER = {"--http-listen": "http"}


def binary(name="twintree"):
    folder = os.environ.get("TWINTREE_BIN_DIR")
    if not folder:
        sys.exit("TWINTREE_BIN_DIR does not say where the programs are")
    path = Path(folder) / name
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is no program; build it first")
    return path


class Server(Process):
    """One process of ours with listeners on ports that the system chose.

    A restart uses the ports of the first start, as a service with a fixed address would.
    """

    def __init__(self, name, command, listeners, log_path, **options):
        super().__init__(name, command, log_path, **options)
        self._base = list(self.command)
        self._listeners = listeners
        self.addresses = {}  # protocol to "HOST:PORT"

    def start(self):
        chosen = [f"{flag}={self.addresses.get(protocol, '127.0.0.1:0')}"
                  for flag, protocol in self._listeners.items()]
        self.command = self._base + chosen
        super().start()

    def wait_for_listeners(self, timeout=START_TIMEOUT):
        """Learns the addresses from the log: event `listening`, `protocol` and `address`."""
        def complete():
            if not self.alive():
                raise StartError(f"{self.name} ended with {self._child.returncode}:\n{self.log()}")
            for event in self.events():
                if event.get("event") == "listening":
                    self.addresses[event["protocol"]] = event["address"]
            return set(self._listeners.values()) <= set(self.addresses)

        wait_until(complete, timeout, f"{self.name} listening")

    def port(self, protocol):
        return int(self.addresses[protocol].rpartition(":")[2])

    def http(self, path, timeout=2.0, headers=None):
        """(status, body, headers) of a GET; status 0 if nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port("http"),
                                                timeout=timeout * PATIENCE)
        try:
            connection.request("GET", path, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.read().decode(), dict(response.getheaders())
        except (OSError, http.client.HTTPException):
            return 0, "", {}
        finally:
            connection.close()

    def ready(self):
        return self.http("/readyz")[0] == 200

    def live(self):
        return self.http("/livez")[0] == 200

    def wait_until_ready(self, timeout=START_TIMEOUT):
        def ready_or_dead():
            if not self.alive():
                raise StartError(f"{self.name} ended with {self._child.returncode}:\n{self.log()}")
            return self.ready()

        wait_until(ready_or_dead, timeout, f"{self.name} ready")

    def metrics(self):
        """The metrics page, parsed."""
        status, body, _ = self.http("/metrics", timeout=10)
        if status != 200:
            raise AssertionError(f"/metrics of {self.name} answers {status}")
        return metrics_page.parse(body)


class Deployment(Target):
    """`serve`, or one `directory` with some `gateway`s (`split`).

    `directory_flags` and `gateway_flags` are for that role; in `serve` both go to the one process.
    `access` is the value of --access; None leaves the flag out.
    `wrapper(deployment)` is a command that starts the program; `run_folder` is where sockets go.
    Other options are those of Process.
    """

    def __init__(self, wiring="serve", *, access="open", tls=True, gateways=1, directory_flags=(),
                 gateway_flags=(), wrapper=None, data=None, **process_options):
        super().__init__(wiring)
        self.wiring = wiring
        self.data = Path(data) if data else self.folder / "data"
        self.root_password_file = self._secret_file("root-password", PASSWORD)
        self.run_folder = self.folder / "run"
        for folder in (self.data, self.run_folder):
            folder.mkdir(exist_ok=True)
        self.run_folder.chmod(0o770)
        self._wrapper = list(wrapper(self)) if wrapper else []
        self._options = process_options
        self._tls = tls
        self.ldapi_path = str(self.run_folder / "ldapi")
        directory_flags = [*([f"--access={access}"] if access else []), *directory_flags]
        if wiring == "serve":
            self.directory = self._serve([*directory_flags, *gateway_flags])
            self.gateways = [self.directory]
        elif wiring == "split":
            self._token_file = self._secret_file("gateway-token", secrets.token_hex(32))
            self.directory = self._directory(directory_flags)
            self._gateway_flags = list(gateway_flags)
            self._gateway_count = gateways
            self.gateways = []
        else:
            raise ValueError(f"wiring {wiring}")

    def _secret_file(self, name, secret):
        path = self.folder / name
        path.write_text(secret + "\n", encoding="ascii")
        path.chmod(0o640)  # for the group too: tests run servers under other user IDs
        return path

    def _server(self, name, command, listeners, flags):
        return Server(name, [*self._wrapper, binary(), command, *flags], listeners,
                      self.folder / f"{name}.log", **self._options)

    def _directory_flags(self):
        return [f"--data={self.data}", f"--suffix={SUFFIX}", f"--root-dn={ADMIN}",
                f"--root-password-file={self.root_password_file}"]

    def _ldap_flags(self, ldapi):
        flags = [f"--ldapi-listen={ldapi}"]
        if self._tls:
            flags += [f"--tls-cert={self.certificates.certificate}",
                      f"--tls-key={self.certificates.key}"]
        return flags

    def _ldap_listeners(self):
        return LDAP_LISTENERS if self._tls else {"--ldap-listen": "ldap"}

    def _serve(self, flags):
        listeners = {**self._ldap_listeners(), **GRPC_LISTENER, **HTTP_LISTENER}
        return self._server("serve", "serve", listeners, [
            *self._directory_flags(), *self._ldap_flags(self.ldapi_path), *flags])

    def _directory(self, flags):
        return self._server("directory", "directory", {**GRPC_LISTENER, **HTTP_LISTENER}, [
            *self._directory_flags(), f"--gateway-token-file={self._token_file}", *flags])

    def _gateway(self, number):
        listeners = {**self._ldap_listeners(), **HTTP_LISTENER}
        ldapi = self.ldapi_path if number == 0 else f"{self.ldapi_path}-{number}"
        return self._server(f"gateway{number}", "gateway", listeners, [
            f"--directory={self.directory.addresses['grpc']}",
            f"--gateway-token-file={self._token_file}", *self._ldap_flags(ldapi),
            *self._gateway_flags])

    # Life

    def processes(self):
        return list(dict.fromkeys([self.directory, *self.gateways]))

    def start(self, *, ready=True, suffix=True):
        """Starts what does not run, waits until it is ready, and adds the suffix entry."""
        if not self.directory.alive():
            self.directory.start()
        self.directory.wait_for_listeners()
        if self.wiring == "split" and not self.gateways:
            self.gateways = [self._gateway(number) for number in range(self._gateway_count)]
        for gateway in self.gateways:
            if not gateway.alive():
                gateway.start()
            gateway.wait_for_listeners()
        if ready:
            for process in self.processes():
                process.wait_until_ready()
            if suffix:
                self.add_suffix()

    @property
    def gateway(self):
        return self.gateways[0]

    @property
    def ldap_port(self):
        return self.gateway.port("ldap")

    @property
    def ldaps_port(self):
        return self.gateway.port("ldaps")

    def stop(self, timeout=30):
        """SIGTERM to all, gateways first. Errors: AssertionError unless each exits with 0."""
        for process in reversed(self.processes()):
            code = process.terminate(timeout)
            if code != 0:
                raise AssertionError(f"{process.name} exited with {code} on SIGTERM")

    def kill(self):
        for process in self.processes():
            process.kill()

    def close(self):
        if sys.exc_info()[0] is not None:
            self.show_logs()
        for process in self.processes():
            process.kill()
        super().close()

    def show_logs(self):
        """Prints the end of each log, for whoever looks into a failure."""
        for process in self.processes():
            if os.path.exists(process.log_path):
                tail = process.log(whole=True).splitlines()[-30:]
                print(f"--- end of the log of {process.name}", *tail, sep="\n", flush=True)

    def assert_clean_log(self):
        """Errors: AssertionError if a process logged anything at level error."""
        for process in self.processes():
            if errors := process.errors():
                raise AssertionError(f"{process.name} logged {errors[:5]}")

    def resident_bytes(self):
        return sum(process.resident_bytes() for process in self.processes())

    def open_connections(self):
        """The gauge of open LDAP connections, all gateways together."""
        return sum(gateway.metrics().value("twintree_ldap_connections")
                   for gateway in self.gateways)

    def open_snapshots(self):
        """The gauge of snapshots of the store that searches hold."""
        return self.directory.metrics().value("twintree_store_open_snapshots")

    # Administration

    def run(self, *arguments, timeout=120, input=None):
        """Runs a `twintree` command to its end."""
        return subprocess.run([binary(), *map(str, arguments)], capture_output=True, text=True,
                              timeout=timeout * PATIENCE, check=False, input=input,
                              env=environment())

    def check(self):
        """`twintree check` of the stopped store. Errors: AssertionError if it finds anything."""
        done = self.run("check", "--data", self.data)
        if done.returncode != 0:
            raise AssertionError(f"check: {done.returncode}\n{done.stdout}{done.stderr}")

    def import_ldif(self, path):
        """Imports a file: over gRPC if the command can, else into the store of the stopped server."""
        if "--server" in self.run("import", "--help").stdout:
            done = self.run("import", "--server", self.directory.addresses["grpc"],
                            "--bind-dn", ADMIN, "--password-file", self.root_password_file, path)
        else:
            self.stop()
            done = self.run("import", "--data", self.data, "--suffix", SUFFIX, path)
            self.start(suffix=False)
        return done.returncode == 0, done.stdout + done.stderr


def elapsed(action):
    """(seconds, answer) of a call."""
    start = time.monotonic()
    answer = action()
    return time.monotonic() - start, answer
