"""A check controller of the standard library: it lists everything again and again, and writes JSON patches
that test the resourceVersion.
"""

import json
import os
import signal
import ssl
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

import yaml
from kube import CONFLICT, KUEUE, NOT_FOUND, TOO_MANY_REQUESTS, material
from objects import (
    FINAL,
    VERDICTS,
    Object,
    active_condition,
    condition,
    conditions_with,
    entries_of,
    entry,
    is_ours,
    may_act,
)

SWEEP_SECONDS, PAGE, TEST_FAILED = 0.3, 250, 422


class Client:
    """Requests to the API server and to the budget office."""

    def __init__(self) -> None:
        with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
            config = yaml.safe_load(file)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        trust = ssl.create_default_context(cadata=material(cluster, "certificate-authority").decode())
        self.opener = build_opener(ProxyHandler({}), HTTPSHandler(context=trust))
        self.server, self.token = cluster["server"], user["token"]

    def call(self, method: str, path: str, body: Any = None) -> Object:
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": "acme-poller/2"}
        headers["Content-Type"] = "application/json-patch+json" if body else "application/json"
        data = None if body is None else json.dumps(body).encode()
        with self.opener.open(
            Request(self.server + path, data, headers, method=method), timeout=10
        ) as answer:
            return json.load(answer)

    def read_all(self, plural: str) -> list[Object]:
        items: list[Object] = []
        query = {"limit": PAGE}
        while True:
            page = self.call("GET", f"{KUEUE}/{plural}?{urlencode(query)}")
            items += page["items"]
            if not page["metadata"].get("continue"):
                return items
            query["continue"] = page["metadata"]["continue"]

    def ask(self, workload: Object, check: str) -> Object:
        namespace, name = workload["metadata"]["namespace"], workload["metadata"]["name"]
        query = urlencode({"namespace": namespace, "workload": name, "check": check})
        with self.opener.open(f"{VERDICTS}?{query}", timeout=5) as answer:
            return json.load(answer)

    def patch(self, path: str, document: Object, steps: list[Object]) -> None:
        """Write a status, unless the object has changed since it was listed."""
        revision = document["metadata"]["resourceVersion"]
        test = {"op": "test", "path": "/metadata/resourceVersion", "value": revision}
        self.call("PATCH", f"{KUEUE}/{path}/status", [test, *steps])


def activate(client: Client, check: Object) -> None:
    active = active_condition(check, message="swept every 300 ms")
    if condition(check, "Active") != active:
        status = {**check.get("status", {}), "conditions": conditions_with(check, active)}
        steps = [{"op": "add", "path": "/status", "value": status}]
        client.patch(f"admissionchecks/{check['metadata']['name']}", check, steps)


def judge(client: Client, workload: Object, own: set[str]) -> None:
    if not may_act(workload):
        return
    steps = []
    for index, old in enumerate(entries_of(workload)):
        if old["name"] in own and old["state"] not in FINAL:
            new = entry(old, client.ask(workload, old["name"]))
            if new != old:
                steps.append({"op": "replace", "path": f"/status/admissionChecks/{index}", "value": new})
    if steps:
        metadata = workload["metadata"]
        client.patch(f"namespaces/{metadata['namespace']}/workloads/{metadata['name']}", workload, steps)


def attempt(step: Callable[..., None], *arguments: Any) -> None:
    """Take a step; what went wrong is looked at again in the next sweep."""
    try:
        step(*arguments)
    except HTTPError as problem:
        if problem.code not in (NOT_FOUND, CONFLICT, TEST_FAILED):
            print(f"{step.__name__}: {problem}", flush=True)
        if problem.code == TOO_MANY_REQUESTS:
            time.sleep(float(problem.headers.get("Retry-After", 1)))
    except (URLError, OSError, ValueError) as problem:
        print(f"{step.__name__}: {problem}", flush=True)


def sweep(client: Client) -> None:
    # Workloads first: a check that was deleted since then is not in the younger list.
    workloads, checks = client.read_all("workloads"), client.read_all("admissionchecks")
    own = [check for check in checks if is_ours(check)]
    for check in own:
        attempt(activate, client, check)
    for workload in workloads:
        attempt(judge, client, workload, {check["metadata"]["name"] for check in own})


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sweeper = Client()
    while True:
        attempt(sweep, sweeper)
        time.sleep(SWEEP_SECONDS)
