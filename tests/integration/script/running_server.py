"""A script/server that runs in the background while a test talks to it."""

import random
import signal
import socket
import subprocess
import threading

LIMIT_SECONDS = 60
DEFAULT_PORTS = (1389, 8389, 9389, 1636)


def free_port_offset():
    """An offset by which none of script/server's default ports is in use."""
    for _ in range(1000):
        offset = random.randrange(10000, 50000)
        if all(is_free(port + offset) for port in DEFAULT_PORTS):
            return offset
    raise RuntimeError("no free ports")


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class RunningServer:
    """Starts script/server and collects its output; a context manager that ends it in any case."""

    def __init__(self, script, arguments, environment):
        self.process = subprocess.Popen(
            [str(script), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )
        self.lines = []
        self.ready = threading.Event()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            if "Ctrl-C ends it" in line:
                self.ready.set()
        self.ready.set()

    @property
    def output(self):
        return "".join(self.lines)

    def wait_until_ready(self):
        if not self.ready.wait(LIMIT_SECONDS) or "Ctrl-C ends it" not in self.output:
            raise AssertionError(f"script/server did not get ready:\n{self.output}")

    def stop(self, number=signal.SIGTERM):
        """Sends the signal to the script alone and returns its exit status."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self):
        status = self.process.wait(LIMIT_SECONDS)
        self.reader.join(LIMIT_SECONDS)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.wait()
