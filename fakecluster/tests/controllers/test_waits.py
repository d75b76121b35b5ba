"""A key whose request waits for a webhook holds up no other key (FK-455)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Queue
from typing import Any

import pytest

from fakecluster import FakeCluster
from fakecluster.tests.hooks import HookServer, allow, configuration, deny

from .test_scheduling import node, pod

JOBS, PODS = "/apis/batch/v1/namespaces/default/jobs", "/api/v1/namespaces/default/pods"
BINDINGS = {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods/binding"]}
STATUSES = {**BINDINGS, "operations": ["UPDATE"], "resources": ["pods/status"]}
SECONDS = 10
"""A wait that lasts as long has failed."""


class HangingHook:
    """Answers at once, but for one name: what is asked about it, save a status, waits for a release."""

    def __init__(self) -> None:
        self.hangs, self.release = threading.Event(), threading.Event()
        self.reviewed: Queue[tuple[str, str]] = Queue()
        """Names and resources of what it was asked about besides."""
        self.allows = True

    def __call__(self, review: Any) -> Any:
        request = review["request"]
        owners = (request["object"].get("metadata") or {}).get("ownerReferences") or ()
        name = owners[0]["name"] if owners else request["name"]
        resource = request.get("subResource", "")
        if name != "held":
            self.reviewed.put((name, resource))
        if name != "held" or resource == "status":
            return allow(review)
        self.hangs.set()
        self.release.wait(SECONDS)
        return allow(review) if self.allows else deny(review, "not here")


@pytest.fixture
def hook() -> Iterator[HangingHook]:
    hanging = HangingHook()
    yield hanging
    hanging.release.set()


def job(name: str) -> Any:
    spec = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
    return {"metadata": {"name": name}, "spec": {"template": {"spec": spec}}}


def test_other_jobs_get_their_pods_while_a_webhook_hangs(hook: HangingHook) -> None:
    with HookServer(hook) as server, FakeCluster(controllers="jobs", clock="wall") as cluster:
        cluster.apply([configuration(server.client)])
        cluster.request("POST", JOBS, job("held"))
        assert hook.hangs.wait(SECONDS)

        cluster.request("POST", JOBS, job("free"))

        assert hook.reviewed.get(timeout=SECONDS) == ("free", "")


def test_a_pod_that_is_being_bound_keeps_its_room(hook: HangingHook) -> None:
    with HookServer(hook) as server, FakeCluster(controllers="pods,nodes", clock="wall") as cluster:
        cluster.apply([node(), configuration(server.client, rules=[BINDINGS, STATUSES])])
        cluster.request("POST", PODS, pod("held", {"cpu": "1"}))
        assert hook.hangs.wait(SECONDS)

        cluster.request("POST", PODS, pod("late", {"cpu": "1"}))

        assert hook.reviewed.get(timeout=SECONDS) == ("late", "status")


def test_room_of_a_refused_binding_is_free_again(hook: HangingHook) -> None:
    hook.allows = False
    with HookServer(hook) as server, FakeCluster(controllers="pods,nodes", clock="wall") as cluster:
        cluster.apply([node(), configuration(server.client, rules=[BINDINGS, STATUSES])])
        cluster.request("POST", PODS, pod("held", {"cpu": "1"}))
        assert hook.hangs.wait(SECONDS)
        cluster.request("POST", PODS, pod("late", {"cpu": "1"}))
        assert hook.reviewed.get(timeout=SECONDS) == ("late", "status")

        hook.release.set()

        assert hook.reviewed.get(timeout=SECONDS) == ("late", "binding")
