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

from harness import Deployment
from processes import PATIENCE, Process, wait_until
from target import SUFFIX, free_port

SEARCHES = 25
COMPARES = 7


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
    with deployment.connect() as connection:
        for _ in range(SEARCHES):
            if connection.search(SUFFIX, "base").code != 0:
                raise AssertionError("search failed")
        for _ in range(COMPARES):
            if connection.compare(SUFFIX, "dc", "example").code != 6:
                raise AssertionError("compare failed")


def check_scrape(deployment):
    prometheus = Prometheus(deployment)
    prometheus.start()
    try:
        processes = len(deployment.processes())
        wait_until(lambda: prometheus.total("up") == processes, 20, "all targets scraped")
        requests = 'twintree_ldap_requests_total{operation="%s",result_code="%s"}'
        counted = (requests % ("search", "success"), requests % ("compare", "compareTrue"))
        before = [prometheus.total(query) for query in counted]
        send(deployment)
        wait_until(lambda: [prometheus.total(query) for query in counted]
                   == [before[0] + SEARCHES, before[1] + COMPARES], 20, "counters that add up")
        built = prometheus.ask("twintree_build_info")
        if len(built) != processes:
            raise AssertionError(f"build info of {len(built)} processes")
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
