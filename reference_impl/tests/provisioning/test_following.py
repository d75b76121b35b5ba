"""Events that reconcile a Workload, and what is known between write and event (PA-030, PA-007, PC-06)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api.resource import Key, key_of
from reference_impl.kueue.provisioning import triggers
from reference_impl.kueue.provisioning.triggers import Triggers
from reference_impl.runtime.store import Store
from reference_impl.runtime.write_through_cache import WriteThroughCache

from .objects import request, workload

REFERENCE = {"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": "p"}


def check(name: str = "c1", ours: bool = True) -> Any:
    controller = "kueue.x-k8s.io/provisioning-request" if ours else "example.com/other"
    return {"metadata": {"name": name}, "spec": {"controllerName": controller, "parameters": REFERENCE}}


def config(**spec: Any) -> Any:
    return {"metadata": {"name": "p"}, "spec": {"provisioningClassName": "c", **spec}}


class Following:
    """Triggers over one Workload with one check."""

    def __init__(self) -> None:
        self.looked: list[Any] = []
        self.judged: list[Any] = []
        workloads, checks, self.requests = Store(), Store(), Store()
        workloads.add_index(triggers.BY_CHECK, triggers.checks_of)
        checks.add_index(triggers.BY_CONFIG, triggers.config_of)
        self.requests.add_index(triggers.BY_OWNER, triggers.owners_of)
        workloads.put(Key("ns", "wl"), workload().object)
        checks.put(Key("", "c1"), check())
        self.on = Triggers(workloads, checks, self.requests, self.looked.append, self.judged.append)


@pytest.fixture
def following() -> Following:
    """Return it anew."""
    return Following()


def test_workloads(following: Following) -> None:
    """One without checks and requests is none of ours;
    deleted ones leave their requests to their owners (PA-144).
    """
    following.on.on_workload(None, workload().object)
    following.on.on_workload(None, workload(entries=[]).object)
    following.on.on_workload(workload().object, None)
    assert following.looked == [Key("ns", "wl")]
    following.requests.put(Key("ns", "wl-c1-1"), request().object)
    following.on.on_workload(None, workload(entries=[]).object)
    assert len(following.looked) == 2


def test_requests_that_come_change_and_go(following: Following) -> None:
    """PA-030."""
    following.on.on_request(None, request().object)
    following.on.on_request(request().object, None)
    assert following.looked == [Key("ns", "wl")] * 2


def test_checks_of_others_are_left_alone(following: Following) -> None:
    """PA-028."""
    following.on.on_check(None, check(ours=False))
    assert (following.looked, following.judged) == ([], [])
    following.on.on_check(check(), None)
    assert (following.looked, following.judged) == ([Key("ns", "wl")], [])


@pytest.mark.parametrize(
    ("old", "new", "looks"),
    [
        (None, config(), True),
        (config(), None, True),
        (config(), config(provisioningClassName="d"), True),
        (config(), config(parameters={"a": "b"}), True),
        (config(), config(managedResources=["gpu"]), True),
        (config(), config(retryStrategy={"backoffLimitCount": 9}), False),
        (config(), config(podSetMergePolicy="IdenticalPodTemplates"), False),
    ],
)
def test_configurations(following: Following, old: Any, new: Any, looks: bool) -> None:
    """PA-030, PA-135: some changes are only felt later."""
    following.on.on_config(old, new)
    assert following.judged == [Key("", "c1")]
    assert following.looked == ([Key("ns", "wl")] if looks else [])


class Informer:
    """A store that tells one handler."""

    def __init__(self) -> None:
        self.store = Store()
        self.store.add_index(triggers.BY_OWNER, triggers.owners_of)
        self.position = 0
        self._handlers: list[Any] = []

    def add_handler(self, handler: Any) -> None:
        self._handlers.append(handler)

    def see(self, obj: Any, *, gone: bool = False, at: int = 0) -> None:
        key = key_of(obj)
        self.position = at or int(obj["metadata"]["resourceVersion"])
        old = self.store.get(key)
        self.store.put(key, None if gone else obj)
        for handler in self._handlers:
            handler(old or obj, None if gone else obj)


def at(revision: int) -> Any:
    obj = request().object
    return {**obj, "metadata": {**obj["metadata"], "resourceVersion": str(revision)}}


def test_what_was_written_is_known_until_it_is_seen() -> None:
    """No second request is made between the answer to a write and its event."""
    informer = Informer()
    noted = WriteThroughCache(informer, triggers.BY_OWNER, triggers.owners_of)  # type: ignore[arg-type]
    key = key_of(at(5))
    noted.record_write(at(5))
    assert noted.get(key) == at(5)
    assert noted.by_index("ns/wl") == (at(5),)
    informer.see(at(4))
    assert noted.get(key) == at(5)
    assert noted.by_index("ns/wl") == (at(5),)
    informer.see(at(6))
    assert noted.get(key) == at(6)
    noted.record_write(at(6))
    informer.see(at(6), gone=True, at=7)
    assert noted.get(key) is None
    assert noted.by_index("ns/wl") == ()


def test_what_went_before_the_answer_came_is_gone() -> None:
    """Events may be faster than the answer; what they told counts."""
    informer = Informer()
    noted = WriteThroughCache(informer, triggers.BY_OWNER, triggers.owners_of)  # type: ignore[arg-type]
    informer.see(at(5), gone=True, at=6)
    noted.record_write(at(5))
    assert noted.get(key_of(at(5))) is None
    assert noted.by_index("ns/wl") == ()
