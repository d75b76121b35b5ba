"""What a change of queues, cohorts, checks, flavors and namespaces wakes (Q-050, Q-051)."""

from __future__ import annotations

from typing import Any

import pytest

from ..scheduling.queue_side import Cluster, flavor, group
from .queue_events import acts_of, bare_pod_set, cluster_queue, local_queue, make_cluster

QUEUE_EVENTS = {
    "Q-062 a LocalQueue comes": (
        lambda cluster: cluster.notes.local_queue(None, local_queue("new")),
        [("cq", "soon"), ("ns/new", "soon"), "work"],
    ),
    "a LocalQueue says nothing new": (
        lambda cluster: cluster.notes.local_queue(local_queue(), local_queue()),
        [("ns/lq", "soon"), "work"],
    ),
    "Q-063 a LocalQueue changes": (
        lambda cluster: cluster.notes.local_queue(local_queue(), local_queue(to="other")),
        [("other", "soon"), ("cq", "fewer"), ("ns/lq", "soon"), "work"],
    ),
    "Q-061 a LocalQueue is deleted": (
        lambda cluster: cluster.notes.local_queue(local_queue(), None),
        [("cq", "fewer"), ("ns/lq", "soon"), "work"],
    ),
    "Q-060 a LocalQueue is stopped": (
        lambda cluster: cluster.notes.local_queue(local_queue(), local_queue(stopPolicy="Hold")),
        [("cq", "fewer"), ("ns/lq", "soon"), "work"],
    ),
    "a LocalQueue that was stopped is deleted": (
        lambda cluster: cluster.notes.local_queue(local_queue("other", stopPolicy="Hold"), None),
        [("ns/other", "soon"), "work"],
    ),
    "Q-064 a ClusterQueue comes": (
        lambda cluster: cluster.notes.cluster_queue(None, cluster_queue("new")),
        ["wake", ("new", "soon"), "work"],
    ),
    "Q-064 a ClusterQueue changes": (
        lambda cluster: cluster.notes.cluster_queue(cluster_queue(), cluster_queue(stopPolicy="Hold")),
        ["wake", ("cq", "soon"), ("ns/lq", "soon"), "work"],
    ),
    "a ClusterQueue says nothing new": (
        lambda cluster: cluster.notes.cluster_queue(cluster_queue(), cluster_queue()),
        [("cq", "soon"), ("ns/lq", "soon"), "work"],
    ),
    "Q-064 a ClusterQueue is deleted": (
        lambda cluster: cluster.notes.cluster_queue(cluster_queue(), None),
        [("cq", "soon"), ("ns/lq", "soon"), "work"],
    ),
    "Q-051 a flavor changes": (
        lambda cluster: cluster.notes.flavor(None, flavor(nodeLabels={"a": "b"})),
        [("cq", "soon"), "wake", "work"],
    ),
    "a flavor says nothing new": (lambda cluster: cluster.notes.flavor(None, flavor()), []),
    "Q-051 a flavor is deleted": (
        lambda cluster: cluster.notes.flavor(flavor(), None),
        [("cq", "soon"), "wake", "work"],
    ),
    "a flavor that no queue names": (lambda cluster: cluster.notes.flavor(None, flavor("other")), ["work"]),
    "Q-066 a Cohort is deleted": (
        lambda cluster: cluster.notes.cohort({"metadata": {"name": "all"}}, None),
        [],
    ),
}


@pytest.mark.parametrize(("act", "expected"), QUEUE_EVENTS.values(), ids=QUEUE_EVENTS)
def test_whom_a_change_around_queues_concerns(act: Any, expected: list[Any]) -> None:
    cluster = make_cluster()
    cluster.notes.cohort(None, {"metadata": {"name": "all"}})

    assert acts_of(cluster, act) == expected


def cohort(**spec: Any) -> Any:
    return {"metadata": {"name": "all"}, "spec": spec}


COHORT_EVENTS = {
    "Q-051 comes": (None, cohort(), True),
    "Q-051 changes": (cohort(), cohort(parentName="root"), True),
    "says nothing new": (cohort(), cohort(), False),
}


@pytest.mark.parametrize(("old", "new", "wakes"), COHORT_EVENTS.values(), ids=COHORT_EVENTS)
def test_a_cohort_wakes_its_queues(old: Any, new: Any, wakes: bool) -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4]), cohortName="all")

    assert acts_of(cluster, lambda cluster: cluster.notes.cohort(old, new)) == (["wake"] if wakes else [])


def check(active: str = "True", controller: str = "c", **metadata: Any) -> Any:
    conditions = [{"type": "Active", "status": active}]
    return {
        "metadata": {"name": "a", **metadata},
        "spec": {"controllerName": controller},
        "status": {"conditions": conditions},
    }


CHECK_EVENTS = {
    "AC-404 becomes inactive": (check("False"), True),
    "AC-404 Unknown is not active": (check("Unknown"), True),
    "says nothing new": (check(), False),
    "another controller": (check(controller="d"), True),
    "AC-402 terminates": (check("False", deletionTimestamp="2026-01-01T00:00:00Z"), False),
    "is gone": (None, True),
}


@pytest.mark.parametrize(("new", "wakes"), CHECK_EVENTS.values(), ids=CHECK_EVENTS)
def test_a_check_wakes_the_queues_that_ask_it(new: Any, wakes: bool) -> None:
    strategy = {"admissionChecks": [{"name": "a"}]}
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4]), admissionChecksStrategy=strategy)
    cluster.notes.check(None, check())

    expected = [("cq", "soon"), "wake", "work"] if wakes else []

    assert acts_of(cluster, lambda cluster: cluster.notes.check(check(), new)) == expected


def test_a_strict_head_is_looked_at_again_when_a_flavor_changed_p_036() -> None:
    wants = {"nodeSelector": {"zone": "a"}}
    cluster = Cluster().flavors(flavor(nodeLabels={"zone": "b"}))
    cluster.queue("cq", group("cpu", default=[4]), queueingStrategy="StrictFIFO")
    cluster.workload("w", bare_pod_set(**wants)).run()
    blocked = cluster.run()

    cluster.notes.flavor(None, flavor(nodeLabels={"zone": "a"}))

    assert (blocked, cluster.run()) == ({}, {"w": "reserved"})


def namespace(**labels: str) -> Any:
    return {"metadata": {"name": "ns", "labels": labels}}


NAMESPACE_EVENTS = {
    "Q-051 is selected now": (namespace(), namespace(team="x"), True),
    "is selected no more": (namespace(team="x"), namespace(), False),
    "is selected as before": (namespace(team="x"), namespace(team="x", more="y"), False),
    "comes": (None, namespace(team="x"), False),
    "goes": (namespace(team="x"), None, False),
}


@pytest.mark.parametrize(("old", "new", "wakes"), NAMESPACE_EVENTS.values(), ids=NAMESPACE_EVENTS)
def test_a_namespace_wakes_the_queues_that_select_it_only_now_q_051(old: Any, new: Any, wakes: bool) -> None:
    cluster = Cluster().flavors()
    cluster.queue("cq", group("cpu", default=[4]), namespaceSelector={"matchLabels": {"team": "x"}})
    cluster.queue("open", group("cpu", default=[4]))
    cluster.notes.namespace(namespace(), None)
    if old is not None:
        cluster.notes.namespace(None, old)

    expected = [("cq", "soon"), "wake"] if wakes else []

    assert [
        acted for acted in acts_of(cluster, lambda acted: acted.notes.namespace(old, new)) if acted != "work"
    ] == expected


SELECTED = {
    "selected": (namespace(team="x"), True),
    "not selected": (namespace(), False),
    "gone": (None, False),
}


@pytest.mark.parametrize(("new", "wakes"), SELECTED.values(), ids=SELECTED)
def test_what_is_parked_is_woken_while_its_namespace_is_selected_q_050(new: Any, wakes: bool) -> None:
    cluster = Cluster().flavors()
    cluster.queue("cq", group("cpu", default=[4]), namespaceSelector={"matchLabels": {"team": "x"}})
    cluster.cpu("w", 1).run()
    assert cluster.pending() == (0, 1)

    cluster.notes.namespace(namespace(), new)
    cluster.queue_manager.wake_trees({"cq"})
    cluster.wake()

    assert cluster.pending() == ((1, 0) if wakes else (0, 1))
