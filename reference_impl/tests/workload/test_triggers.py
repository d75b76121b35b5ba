"""Which changes elsewhere make a Workload worth another look (AC-328, AC-470, AC-476, AC-488)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api.resource import Json, key_of
from reference_impl.kueue.workload import triggers
from reference_impl.kueue.workload.triggers import Triggers
from reference_impl.runtime.store import Store

from .objects import ADMISSION, ADMITTED, RESERVED, condition, workload


def make_object(name: str, *conditions: Any, **fields: Any) -> Json:
    return workload(*conditions, metadata={"name": name}, **fields).object


SOME = (
    make_object("pending"),
    make_object("reserved", RESERVED),
    make_object("admitted", RESERVED, ADMITTED),
    make_object("elsewhere", spec={"queueName": "other"}),
)
QUEUE = {
    "kind": "ClusterQueue",
    "metadata": {"name": "cq"},
    "spec": {"stopPolicy": "None", "cohortName": "one"},
}
LOCAL_QUEUE = {
    "kind": "LocalQueue",
    "metadata": {"name": "lq", "namespace": "ns"},
    "spec": {"clusterQueue": "cq"},
}


def with_spec(queue: Json, **spec: Any) -> Json:
    return {**queue, "spec": {**queue["spec"], **spec}}


@pytest.fixture
def keys() -> list[str]:
    return []


@pytest.fixture
def follow(keys: list[str]) -> Triggers:
    workloads, local_queues = Store(), Store()
    workloads.add_index(triggers.BY_LOCAL_QUEUE, triggers.local_queue_of)
    workloads.add_index(triggers.BY_WAITING, triggers.what_it_waits_for)
    local_queues.add_index(triggers.BY_CLUSTER_QUEUE, triggers.cluster_queue_of)
    for obj in SOME:
        workloads.put(key_of(obj), obj)
    local_queues.put(key_of(LOCAL_QUEUE), LOCAL_QUEUE)
    return Triggers(workloads, local_queues, lambda key: keys.append(key.name))


QUOTA = {
    "came": (None, QUEUE, ["reserved"]),
    "went": (QUEUE, None, ["reserved"]),
    "has another quota": (QUEUE, with_spec(QUEUE, cohortName="two"), ["reserved"]),
    "has another status": (QUEUE, {**QUEUE, "status": {"pendingWorkloads": 1}}, []),
}


@pytest.mark.parametrize(("old", "new", "looked_at"), QUOTA.values(), ids=QUOTA)
def test_reservations_are_looked_at_when_quota_changes(
    follow: Triggers, keys: list[str], old: Json | None, new: Json | None, looked_at: list[str]
) -> None:
    """AC-476, AC-488."""
    follow.on_quota(old, new)

    assert keys == looked_at


IN_THE_QUEUE = ["pending", "reserved", "admitted"]
QUEUES = {
    "came": (None, QUEUE, IN_THE_QUEUE),
    "went": (QUEUE, None, IN_THE_QUEUE),
    "is stopped": (QUEUE, with_spec(QUEUE, stopPolicy="Hold"), IN_THE_QUEUE),
    "has other checks": (QUEUE, with_spec(QUEUE, admissionChecksStrategy={}), IN_THE_QUEUE),
    "is deleted": (QUEUE, {**QUEUE, "metadata": {"name": "cq", "deletionTimestamp": "now"}}, IN_THE_QUEUE),
    "has another cohort": (QUEUE, with_spec(QUEUE, cohortName="two"), []),
    "is another one": (None, {**QUEUE, "metadata": {"name": "cq2"}}, []),
}


@pytest.mark.parametrize(("old", "new", "looked_at"), QUEUES.values(), ids=QUEUES)
def test_everything_in_a_cluster_queue_is_looked_at_when_it_changes(
    follow: Triggers, keys: list[str], old: Json | None, new: Json | None, looked_at: list[str]
) -> None:
    """AC-328."""
    follow.on_cluster_queue(old, new)

    assert keys == looked_at


def test_everything_in_a_local_queue_is_looked_at_when_it_changes(follow: Triggers, keys: list[str]) -> None:
    """AC-328."""
    follow.on_local_queue(LOCAL_QUEUE, LOCAL_QUEUE)
    assert keys == []

    follow.on_local_queue(LOCAL_QUEUE, with_spec(LOCAL_QUEUE, stopPolicy="Hold"))
    assert keys == IN_THE_QUEUE


@pytest.mark.parametrize(("old", "new"), [(None, LOCAL_QUEUE), (LOCAL_QUEUE, None)], ids=["comes", "goes"])
def test_everything_in_a_local_queue_is_looked_at_when_it_comes_or_goes(
    follow: Triggers, keys: list[str], old: Json | None, new: Json | None
) -> None:
    """AC-253, AC-328."""
    follow.on_local_queue(old, new)

    assert keys == IN_THE_QUEUE


def test_a_changed_workload_is_looked_at_and_one_that_is_gone_is_not(
    follow: Triggers, keys: list[str]
) -> None:
    follow.on_workload(SOME[0], SOME[1])
    follow.on_workload(SOME[1], None)

    assert keys == ["reserved"]


def test_a_workload_without_a_queue_is_in_the_index_of_none() -> None:
    nameless = workload(spec={"queueName": None}).object
    del nameless["spec"]["queueName"]

    assert triggers.local_queue_of(nameless) == ("ns/",)


AWAITING = condition(
    "QuotaReserved", message="Quota reserved in ClusterQueue cq; waiting for 2 preemption(s)"
)
RECLAIMED = {"reclaimablePods": [{"name": "main", "count": 1}]}
WAITS, HOLDS = make_object("other"), make_object("other", RESERVED)
HOLDING = {
    "comes and waits": (None, WAITS, False),
    "comes with a reservation": (None, HOLDS, True),
    "AC-473 is reserved": (WAITS, HOLDS, True),
    "AC-473 gives its quota back": (HOLDS, WAITS, True),
    "AC-473 goes": (HOLDS, None, True),
    "goes while it waits": (WAITS, None, False),
    "AC-473 needs fewer pods": (HOLDS, make_object("other", RESERVED, **RECLAIMED), True),
    "needs fewer pods while it waits": (WAITS, make_object("other", **RECLAIMED), False),
    "AC-473 has other flavors": (
        HOLDS,
        make_object("other", RESERVED, admission={**ADMISSION, "podSetAssignments": []}),
        True,
    ),
    "AC-470 is switched off": (HOLDS, make_object("other", RESERVED, spec={"active": False}), True),
    "is evicted and holds on": (HOLDS, make_object("other", RESERVED, condition("Evicted")), False),
    "is admitted": (HOLDS, make_object("other", RESERVED, ADMITTED), False),
}


@pytest.mark.parametrize(("old", "new", "is_looked_at"), HOLDING.values(), ids=HOLDING)
def test_reservations_that_wait_for_preemptions_are_looked_at_when_quota_is_taken_or_given_back(
    follow: Triggers, keys: list[str], old: Json | None, new: Json | None, is_looked_at: bool
) -> None:
    """AC-470, AC-473."""
    waits = make_object("awaits", AWAITING)
    follow._workloads.put(key_of(waits), waits)

    follow.on_holding(old, new)

    assert keys == (["awaits"] if is_looked_at else [])


def test_a_local_queue_without_a_spec_is_in_the_index_of_no_cluster_queue() -> None:
    names = [triggers.cluster_queue_of(obj) for obj in ({}, {"spec": None}, {"spec": {}}, LOCAL_QUEUE)]

    assert names == [("",), ("",), ("",), ("cq",)]
