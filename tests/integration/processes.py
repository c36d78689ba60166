"""Child processes of a test: started, watched, and ended by process ID whatever happens."""

import atexit
import ctypes
import json
import os
import re
import signal
import subprocess
import time

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)
_running = set()

SANITIZE = os.environ.get("TWINTREE_SANITIZE", "")
# Sanitized programs are slower and take more memory: their limits in time are wider by this
# factor, and limits in memory do not apply.
PATIENCE = 5 if SANITIZE else 1


def environment():
    """The environment for programs of ours: without what tests are told by it, which is no setting."""
    told = ("TWINTREE_BIN_DIR", "TWINTREE_SOURCE_DIR", "TWINTREE_SANITIZE", "TWINTREE_EXECUTABLE")
    return {name: value for name, value in os.environ.items() if name not in told}


class StartError(Exception):
    """A process that ended, or was not ready in time."""


def _die_with_parent():
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_all():
    for process in list(_running):
        process.kill()


atexit.register(_end_all)


def wait_until(condition, timeout, what, pause=0.02):
    """The first true answer of `condition()`. Errors: TimeoutError that says `what`.

    The timeout is for programs without a sanitizer.
    """
    timeout *= PATIENCE
    end = time.monotonic() + timeout
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {timeout:g} s")
        time.sleep(pause)


class Process:
    """One child with its log in a file. Start it from the main thread: it dies with the thread.

    `preexec` runs in the child before the program; `user` and `group` are numbers.
    """

    def __init__(self, name, command, log_path, *, preexec=None, user=None, group=None):
        self.name = name
        self.command = [str(part) for part in command]
        self.log_path = log_path
        self._preexec = preexec
        self._identity = {} if user is None else {"user": user, "group": group, "extra_groups": []}
        self._child = None
        self._log_start = 0

    def start(self):
        def prepare():
            _die_with_parent()
            if self._preexec:
                self._preexec()

        with open(self.log_path, "ab") as log:
            self._log_start = log.tell()
            self._child = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=prepare, env=environment(), **self._identity)
        _running.add(self)

    @property
    def pid(self):
        return self._child.pid

    def alive(self):
        return self._child is not None and self._child.poll() is None

    def signal(self, number):
        self._child.send_signal(number)

    def wait(self, timeout):
        """Exit code. Errors: TimeoutError while the process lives; wider with a sanitizer."""
        timeout *= PATIENCE
        try:
            code = self._child.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"{self.name} did not end within {timeout:g} s") from error
        _running.discard(self)
        return code

    def terminate(self, timeout=30):
        """Sends SIGTERM and returns the exit code."""
        self.signal(signal.SIGTERM)
        return self.wait(timeout)

    def kill(self):
        """Ends the process with SIGKILL, if it lives, and waits for its end."""
        if self.alive():
            self._child.kill()
            self._child.wait()
        _running.discard(self)

    # Log

    def log(self, whole=False):
        """Text since the last start, or since the first."""
        with open(self.log_path, "rb") as log:
            log.seek(0 if whole else self._log_start)
            return log.read().decode("utf-8", "replace")

    def events(self, whole=False):
        """The structured lines of the log as dictionaries of text."""
        parsed = (_parse_line(line) for line in self.log(whole).splitlines())
        return [event for event in parsed if event]

    def errors(self):
        """Log lines at level error or above since the first start."""
        return [event for event in self.events(whole=True)
                if event.get("level", "").lower() in ("error", "critical", "fatal")]

    # What the kernel knows

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1]) * 1024

    def open_sockets(self):
        """Sockets alone: a store opens files as its threads come to read."""
        folder = f"/proc/{self.pid}/fd"
        count = 0
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:
                pass  # closed meanwhile
        return count

    def open_files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def _parse_line(line):
    line = line.strip()
    if line.startswith("{"):
        try:
            event = {key: str(value) for key, value in json.loads(line).items()}
            return {"event": event.pop("msg", ""), **event}
        except ValueError:
            return None
    text = re.match(r"\S+ (debug|info|warning|error) (\S+)", line)
    if not text:
        return None
    pairs = re.findall(r'([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)', line[text.end() :])
    return {"level": text[1], "event": text[2], **{key: value.strip('"') for key, value in pairs}}
