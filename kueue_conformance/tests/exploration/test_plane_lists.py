"""Statements of the model about the lists of pending Workloads, and the counts beside them."""

import pytest

from kueue_conformance.exploration.control_planes.pending_lists import PendingList
from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.exploration.control_planes.statements.pending_lists import counts, pending
from kueue_conformance.scenarios.dialect import known_dialects

from .test_plane_model import LOCAL, queue, snapshot, workload

CREATED = "2026-01-01T12:00:00Z"


def waiting(name, priority=0, *true):
    """Return a Workload of a LocalQueue, with a priority and conditions that are True."""
    result = workload(name, "9", *true)
    result["metadata"] = {"name": name, "namespace": "n", "creationTimestamp": CREATED, "uid": f"uid-{name}"}
    result["spec"]["priority"] = priority
    return result


def item(name, place, priority=0, **fields):
    metadata = {"name": name, "namespace": "n", "creationTimestamp": CREATED}
    positions = {"positionInClusterQueue": place, "positionInLocalQueue": place}
    return {"metadata": metadata, "priority": priority, "localQueueName": "local", **positions, **fields}


def listed(*items, code=200, page=None):
    return PendingList(code, items, items[1:3] if page is None else page)


FIRST, SECOND = waiting("w-1", 5), waiting("w-2")
ITEMS = item("w-1", 0, 5), item("w-2", 1)


def state(lists, *workloads, local=LOCAL, pending_count=2):
    queues = [queue("q", "4")]
    queues[0]["status"]["pendingWorkloads"] = pending_count
    objects = snapshot(Workload=workloads or (FIRST, SECOND), ClusterQueue=queues, LocalQueue=[local])
    return State(objects, dialect=known_dialects()["v0.20"], lists=lists)


@pytest.mark.parametrize(
    ("shown", "broken"),
    [
        pytest.param(listed(*ITEMS), set(), id="as the documents say"),
        pytest.param(listed(*reversed(ITEMS)), {"pending-order", "pending-positions"}, id="turned round"),
        pytest.param(listed(ITEMS[0]), {"pending-members"}, id="one is missing"),
        pytest.param(listed(*ITEMS, item("w-3", 2)), {"pending-members"}, id="one too many"),
        pytest.param(listed(ITEMS[0], item("w-2", 2)), {"pending-positions"}, id="from one"),
        pytest.param(listed(*ITEMS, page=ITEMS), {"pending-page"}, id="another page"),
        pytest.param(listed(item("w-1", 0, 0), ITEMS[1]), {"pending-fields"}, id="another priority"),
        pytest.param(listed(code=404), {"pending-code"}, id="not found"),
    ],
)
def test_a_list_has_what_waits_in_its_order(shown, broken):
    assert {found.statement for found in pending(state({("ClusterQueue", "q"): shown}))} == broken


@pytest.mark.parametrize(("policy", "broken"), [("None", set()), ("Hold", {"pending-code"})])
def test_a_stopped_local_queue_has_no_list(policy, broken):
    local = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": policy}}

    shown = pending(state({("LocalQueue", "local"): listed(*ITEMS)}, local=local))

    assert {found.statement for found in shown} == broken


def test_what_has_quota_is_not_listed():
    reserved = waiting("w-1", 5, "QuotaReserved")

    shown = pending(state({("ClusterQueue", "q"): listed(*ITEMS)}, reserved, SECOND))

    assert {found.statement for found in shown} == {"pending-members"}


@pytest.mark.parametrize(("count", "is_wrong"), [(2, False), (1, True)])
def test_a_status_counts_what_is_listed(count, is_wrong):
    lists = {("ClusterQueue", "q"): listed(*ITEMS)}

    assert bool([*counts(state(lists, pending_count=count))]) == is_wrong
