#!/usr/bin/python3
"""Kills the directory in the middle of concurrent writes, again and again, and looks what is left.

    crash_test.py --wiring serve|split|slapd [--rounds 20] [--seed N]

Six clients add, modify, rename, move and delete entries, each in a subtree of its own, and remember
what was answered. After each SIGKILL and restart every answered write must be there, and the one
write of each client that was not answered must have happened as a whole or not at all. In the end
`twintree check` must find nothing.
"""

import argparse
import random
import sys
import time

from ber_client import Closed, TimedOut
from crash_client import CrashClient
from harness import Deployment, elapsed
from procedure_case import Clients, make_box
from processes import PATIENCE
from slapd import Slapd

CLIENTS = 6


def run_round(deployment, clients, generator):
    """Writes from all clients until the directory is killed at a random moment."""
    with Clients() as threads:
        for client in clients:
            threads.start(client.write, deployment)
        time.sleep(generator.uniform(0.2, 1.2) * PATIENCE)
        deployment.directory.kill()
        if generator.random() < 0.5:
            deployment.gateway.kill()


def check_round(deployment, clients):
    """Complaints about the store after a restart."""
    seconds, _ = elapsed(lambda: deployment.start(suffix=False))
    complaints = []
    if seconds > 10 * PATIENCE:
        complaints.append(f"ready only after {seconds:.1f} s")
    with deployment.admin(timeout=30 * PATIENCE) as admin:
        for client in clients:
            complaints += client.reconcile(admin)
    return complaints


def run(deployment, rounds, generator):
    """The number of rounds that went wrong."""
    box = make_box(deployment, "crash")
    clients = [CrashClient(number, box, random.Random(generator.random()))
               for number in range(CLIENTS)]
    with deployment.admin() as admin:
        for client in clients:
            client.set_up(admin)
    failed = 0
    for number in range(1, rounds + 1):
        run_round(deployment, clients, generator)
        try:
            complaints = check_round(deployment, clients)
        except (Closed, TimedOut) as error:
            complaints = [str(error)]
        answered = sum(client.answered for client in clients)
        print(f"{'FAIL' if complaints else 'ok'}   round {number}: {answered} writes answered so far",
              flush=True)
        for complaint in complaints[:10]:
            print(f"     {complaint}", flush=True)
        failed += bool(complaints)
    if answered < 10 * rounds:
        print(f"FAIL only {answered} writes answered: nothing was tested")
        failed += 1
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wiring", choices=["serve", "split", "slapd"], required=True,
                        help="slapd: Debian's, to test the tests")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    target = Slapd() if arguments.wiring == "slapd" else Deployment(arguments.wiring)
    with target as deployment:
        failed = run(deployment, arguments.rounds, random.Random(arguments.seed))
        deployment.stop()
        deployment.check()
    print(f"{failed} failures in {arguments.rounds} rounds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
