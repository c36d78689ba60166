"""Runs twintree-load against each server in turn."""

import json
import os
import platform
import subprocess
import time

import servers
import works

# After writes, servers tidy up in the background; the next measurement is not to pay for it.
_PAUSE_SECONDS = 1


class Results:
    """All figures. `runs`: {"work", "server", "round", "figures": what twintree-load wrote}."""

    def __init__(self, loads):
        self.loads = loads
        self.runs = []

    def add(self, work, server, number, figures):
        self.runs.append({"work": work, "server": server, "round": number, "figures": figures})

    def of(self, work, server):
        """The figures of every round, in order."""
        return [run["figures"] for run in self.runs
                if run["work"] == work and run["server"] == server]

    def works(self):
        return list(dict.fromkeys(run["work"] for run in self.runs))

    def wrong(self):
        """Work, server and what was wrong, of runs with wrong answers."""
        return [(run["work"], run["server"], what)
                for run in self.runs
                for what in [*run["figures"]["wrong_answers"], run["figures"]["note"]] if what]


def generate(chosen, folder):
    """The LDIF file. Without the line "version: 1", which slapadd does not take."""
    path = folder / "people.ldif"
    with open(path, "wb") as out:
        with subprocess.Popen([chosen.bin / "twintree-load", "generate", "--entries",
                               str(chosen.entries)], stdout=subprocess.PIPE) as maker:
            for line in maker.stdout:
                if line.startswith(b"dn:"):
                    out.write(line)
                    break
            while piece := maker.stdout.read(1 << 20):
                out.write(piece)
        if maker.returncode != 0:
            raise servers.StartError("twintree-load generate failed")
    return path


def measure(chosen, running, folder, say):
    """Every work on every server, round by round, beginning with another server each time."""
    results = Results({server.name: {"seconds": server.load_seconds, "bytes": server.size_bytes,
                                     "entries": chosen.entries} for server in running})
    for name in chosen.works:
        for number in range(chosen.rounds):
            first = number % len(running)
            for server in running[first:] + running[:first]:
                figures = _run(chosen, works.ALL[name], server, folder)
                results.add(name, server.name, number, figures)
                say(f"{name}, round {number + 1}, {server.name}: {_summary(figures)}")
                time.sleep(_PAUSE_SECONDS if works.ALL[name].writes else 0)
    return results


def _run(chosen, work, server, folder):
    path = folder / "run.json"
    path.unlink(missing_ok=True)
    command = [chosen.bin / "twintree-load", "run", work.scenario,
               "--target", f"ldap://127.0.0.1:{server.ldap_port}",
               "--connections", work.connections, "--entries", chosen.entries,
               "--duration", chosen.duration,
               "--server-pids", ",".join(map(str, server.pids)), "--json", path]
    if work.scenario != "delete":
        command += ["--warmup", chosen.warmup]
    if work.writes:
        command += ["--bind-dn", servers.ADMIN, "--password-file", server.password_file]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False)
    if not path.exists():
        raise servers.StartError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return json.loads(path.read_text(encoding="utf-8"))


def _summary(figures):
    total = figures["total"]
    text = f"{total['operations_per_second']:.0f} operations/s"
    if total["entries"] > 2 * total["operations"]:
        text += f", {total['entries_per_second']:.0f} entries/s"
    text += (f", {figures['cpu']['server_us_per_operation']:.1f} us CPU, "
             f"p50 {total['latency_us']['p50'] / 1000:.3f} ms")
    if figures["wrong_answers"]:
        text += f", WRONG ANSWERS: {figures['wrong_answers']}"
    if figures["note"]:
        text += f", {figures['note']}"
    return text


def machine():
    """What the figures were measured on."""
    model = "unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        for line in cpuinfo:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    version = []
    if os.path.exists(servers.SLAPD):
        slapd = subprocess.run([servers.SLAPD, "-VV"], capture_output=True, text=True, check=False)
        version = (slapd.stdout + slapd.stderr).strip().splitlines()
    return {"cpus": len(os.sched_getaffinity(0)), "model": model, "kernel": platform.release(),
            "slapd": version[0].strip() if version else "unknown"}
