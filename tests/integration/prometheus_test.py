#!/usr/bin/python3
"""A real Prometheus scrapes every process, and its counters add up to what was sent.

    prometheus_test.py --wiring serve|split

Needs Debian's package prometheus, which script/bootstrap installs.
"""

import argparse
import json
import shutil
import subprocess
import sys
import urllib.parse
import urllib.request

from grpc_door import Client, person
from harness import Deployment
from processes import PATIENCE, Process, wait_until
from target import SUFFIX, free_port

SEARCHES = 25
COMPARES = 7
ADDS = 5


class Prometheus(Process):
    def __init__(self, deployment):
        self.port = free_port()
        targets = [process.addresses["http"] for process in deployment.processes()]
        config = deployment.folder / "prometheus.yml"
        config.write_text(json.dumps({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s"},
            "scrape_configs": [{"job_name": "twintree", "static_configs": [{"targets": targets}]}],
        }), encoding="ascii")  # JSON is YAML
        super().__init__("prometheus", [
            shutil.which("prometheus"), f"--config.file={config}",
            f"--storage.tsdb.path={deployment.folder / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{self.port}"], deployment.folder / "prometheus.log")

    def ask(self, query):
        """Label set to value of an instant query."""
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode(
            {"query": query})
        try:
            with urllib.request.urlopen(url, timeout=5 * PATIENCE) as response:
                answer = json.load(response)
        except OSError:
            return {}
        return {json.dumps(sample["metric"], sort_keys=True): float(sample["value"][1])
                for sample in answer["data"]["result"]}

    def total(self, query):
        return sum(self.ask(f"sum({query})").values())


def check_page(process):
    status, page, _ = process.http("/metrics")
    done = subprocess.run(["promtool", "check", "metrics"], input=page, text=True,
                          capture_output=True, check=False)
    if (status, done.returncode, done.stdout + done.stderr) != (200, 0, ""):
        raise AssertionError(f"{process.name}: {status}\n{done.stdout}{done.stderr}")


def send(deployment):
    """SEARCHES, COMPARES and ADDS over LDAP, and as many less one over gRPC."""
    with deployment.admin() as connection:
        for _ in range(SEARCHES):
            if connection.search(SUFFIX, "base").code != 0:
                raise AssertionError("search failed")
        for _ in range(COMPARES):
            if connection.compare(SUFFIX, "dc", "example").code != 6:
                raise AssertionError("compare failed")
        for number in range(ADDS):
            added = connection.add(f"cn=ldap{number},{SUFFIX}", {
                "objectClass": ["person"], "cn": [f"ldap{number}"], "sn": ["x"]})
            if added.code != 0:
                raise AssertionError("add failed")
    client = Client(deployment.directory.addresses["grpc"])
    for _ in range(SEARCHES - 1):
        client.search(base_dn=SUFFIX, scope="SEARCH_SCOPE_BASE")
    for _ in range(COMPARES - 1):
        client.call("CompareEntry", dn=SUFFIX, attribute="dc", value=b"example")
    for number in range(ADDS - 1):
        client.call("CreateEntry", entry=person(f"cn=grpc{number},{SUFFIX}"))


def counted(deployment):
    """Each query with what send() adds to it."""
    both = 'twintree_operations_total{instance="%s",operation="%s",result="%s"}'
    ldap = 'twintree_ldap_operations_total{instance="%s",operation="%s",result="%s"}'
    grpc = 'grpc_server_handled_total{instance="%s",grpc_method="%s",grpc_code="OK"}'
    directory = deployment.directory.addresses["http"]
    gateway = deployment.gateway.addresses["http"]
    operations = (("search", "success", "SearchEntries", SEARCHES),
                  ("compare", "compareTrue", "CompareEntry", COMPARES),
                  ("add", "success", "CreateEntry", ADDS))
    expected = {}
    for operation, result, method, number in operations:
        expected[ldap % (gateway, operation, result)] = number
        expected[grpc % (directory, method)] = number - 1
        expected[both % (directory, operation, result)] = number + number - 1
        if gateway != directory:  # what it asked the directory for
            expected[both % (gateway, operation, result)] = number
    expected[f'twintree_ldap_search_entries_total{{instance="{gateway}"}}'] = SEARCHES
    expected[f'twintree_search_entries_total{{instance="{directory}"}}'] = 2 * SEARCHES - 1
    expected[f'twintree_search_candidates_count{{instance="{directory}"}}'] = 2 * SEARCHES - 1
    expected['twintree_ldap_binds_total{mechanism="simple",result="success"}'] = 1
    for writes in ("twintree_store_entries", "twintree_store_committed_writes_total",
                   "twintree_changes_last_sequence"):
        expected[writes] = 2 * ADDS - 1
    return expected


def check_scrape(deployment):
    prometheus = Prometheus(deployment)
    prometheus.start()
    try:
        processes = len(deployment.processes())
        wait_until(lambda: prometheus.total("up") == processes, 20, "all targets scraped")
        expected = counted(deployment)
        before = {query: prometheus.total(query) for query in expected}
        send(deployment)

        def grown():
            return {query: prometheus.total(query) - before[query] for query in expected}

        try:
            wait_until(lambda: grown() == expected, 20, "counters that add up")
        except TimeoutError as error:
            wrong = {query: (number, expected[query]) for query, number in grown().items()
                     if number != expected[query]}
            raise AssertionError(f"grown by, expected: {wrong}") from error
        for info in ("twintree_build_info", "twintree_config_hash_info"):
            if len(prometheus.ask(info)) != processes:
                raise AssertionError(f"{info} of {len(prometheus.ask(info))} processes")
    finally:
        prometheus.terminate()
        prometheus.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--wiring", choices=("serve", "split"), required=True)
    options = parser.parse_args()
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        print("no prometheus or promtool here; script/bootstrap installs them", file=sys.stderr)
        return 1
    with Deployment(options.wiring, tls=False) as deployment:
        deployment.start()
        for process in deployment.processes():
            check_page(process)
        check_scrape(deployment)
        deployment.stop()
    print("scraped; the counters add up")
    return 0


if __name__ == "__main__":
    sys.exit(main())
