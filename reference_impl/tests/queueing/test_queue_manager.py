"""What the queue side knows of queues and Workloads,
and whom it tells of a change (Q-050, Q-051, Q-311, Q-380).
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import CORRECTED, EPOCH, Cluster, flavor, group


class Listener:
    """EventHandlers what it is told, in order."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def work(self) -> None:
        self.told.append("work")

    def wake(self) -> None:
        self.told.append("wake")

    def dirty_cluster_queue(self, name: str, *, soon: bool) -> None:
        self.told.append((name, "soon" if soon else "later"))

    def dirty_local_queue(self, key: str, *, soon: bool) -> None:
        self.told.append((key, "soon" if soon else "later"))

    def fewer_pending(self, name: str) -> None:
        self.told.append((name, "fewer"))


def local_queue(name: str = "lq", to: str = "cq", **spec: Any) -> Any:
    return {"metadata": {"namespace": "ns", "name": name}, "spec": {"clusterQueue": to, **spec}}


def cluster_queue(name: str = "cq", **spec: Any) -> Any:
    groups = [group("cpu", default=[4])]
    return {"metadata": {"name": name}, "spec": {"namespaceSelector": {}, "resourceGroups": groups, **spec}}


def cluster(**more: Any) -> Cluster:
    """ClusterQueue cq of 4 cores, fed by LocalQueue lq."""
    return Cluster(**more).flavors().queue("cq", group("cpu", default=[4]), local="lq")


def told(found: Cluster, act: Any) -> list[Any]:
    """What the listener of a cluster is told while something happens to it."""
    found.queue_manager.listener = listener = Listener()
    act(found)
    return listener.told


def admitted(found: Cluster, name: str = "w") -> Cluster:
    found.cpu(name, 1, queue="lq").run_all()
    return found


KNOWN = {
    "Q-060 no such LocalQueue": ("other", ("", False)),
    "a LocalQueue of no ClusterQueue": ("lost", ("gone", False)),
    "both": ("lq", ("cq", True)),
}


@pytest.mark.parametrize(("name", "expected"), KNOWN.values(), ids=KNOWN)
def test_cluster_queue_of_a_local_queue(name: str, expected: tuple[str, bool]) -> None:
    found = cluster()
    found.notes.local_queue(None, local_queue("lost", to="gone"))

    assert found.queue_manager.cluster_queue_for("ns", name) == expected


WORKLOAD_EVENTS = {
    "comes": (cluster, lambda found: found.cpu("w", 1, queue="lq"), ["work"]),
    "gets its reservation": (
        lambda: cluster().cpu("w", 1, queue="lq"),
        lambda found: found.run_all(),
        ["work"],
    ),
    "is deleted": (lambda: admitted(cluster()), lambda found: found.remove("w"), ["wake", "work"]),
    "is deleted while it waits": (
        lambda: cluster().cpu("w", 1, queue="lq"),
        lambda found: found.remove("w"),
        ["wake", "work"],
    ),
}


@pytest.mark.parametrize(("start", "act", "acts"), WORKLOAD_EVENTS.values(), ids=WORKLOAD_EVENTS)
def test_a_workload_makes_the_status_of_its_queues_change_with_the_next_batch_q_380(
    start: Any, act: Any, acts: list[str]
) -> None:
    found = told(start(), act)

    assert [each for each in found if isinstance(each, str)] == acts
    assert {each for each in found if not isinstance(each, str)} == {("cq", "later"), ("ns/lq", "later")}


def changed(found: Cluster, **status: Any) -> Any:
    before = found.objects["ns/w"]
    return found.put(Workload({**before.object, "status": {**before.status, **status}}))


def reprioritized(found: Cluster) -> Any:
    before = found.objects["ns/w"]
    return found.put(Workload({**before.object, "spec": {**before.spec, "priority": 7}}))


def of_another_class(found: Cluster) -> Any:
    before = found.objects["ns/w"]
    named = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"}
    spec = {**before.spec, "priority": 7, "priorityClassRef": named}
    return found.put(Workload({**before.object, "spec": spec}))


HELD = {
    "Q-051 the priority of another class": (of_another_class, True),
    "QC-05 another priority without a class": (reprioritized, False),
    "Q-051 reclaimed pods": (
        lambda found: changed(found, reclaimablePods=[{"name": "main", "count": 1}]),
        True,
    ),
    "a verdict": (lambda found: changed(found, admissionChecks=[{"name": "c", "state": "Ready"}]), False),
    "Q-051 released": (lambda found: changed(found, conditions=[], admission=None), True),
    "Q-140 switched off": (
        lambda found: found.put(
            Workload(
                {**found.objects["ns/w"].object, "spec": {**found.objects["ns/w"].spec, "active": False}}
            )
        ),
        True,
    ),
}


@pytest.mark.parametrize(("act", "wakes"), HELD.values(), ids=HELD)
def test_what_holds_quota_wakes_others_when_it_gives_some_back(act: Any, wakes: bool) -> None:
    assert ("wake" in told(admitted(cluster()), act)) is wakes


def test_every_other_priority_wakes_without_the_defect_qc_05() -> None:
    assert "wake" in told(admitted(cluster(follows=CORRECTED)), reprioritized)


def below(*objects: str, **more: Any) -> Cluster:
    """Queue cq in cohort low, which is below high where it has an object; these of the two have one."""
    found = cluster(**more)
    for name in objects:
        parent = {"parentName": "high"} if name == "low" else {}
        found.notes.cohort(None, {"metadata": {"name": "low" if name == "root" else name}, "spec": parent})
    return found.queue("cq", group("cpu", default=[4]), cohortName="low", local="lq")


STATUS_WAKES = {
    "below a Cohort object": (below("low"), True),
    "one more object further up": (below("high", "low"), True),
    "the object is the root": (below("root"), False),
    "an implicit cohort": (below(), False),
    "a Cohort object elsewhere": (below("high"), False),
    "without the defect": (below("low", follows=CORRECTED), False),
}


@pytest.mark.parametrize(("found", "wakes"), STATUS_WAKES.values(), ids=STATUS_WAKES)
def test_a_status_of_a_cluster_queue_wakes_its_tree_below_a_cohort_object_qc_03(
    found: Cluster, wakes: bool
) -> None:
    before = cluster_queue(cohortName="low")
    after = {**before, "status": {"pendingWorkloads": 1}}

    assert ("wake" in told(found, lambda each: each.notes.cluster_queue(before, after))) is wakes


def test_what_ended_and_is_deleted_later_wakes_again_only_when_it_goes() -> None:
    found = admitted(cluster())
    done = {
        "type": "Finished",
        "status": "True",
        "reason": "Succeeded",
        "message": "",
        "lastTransitionTime": "x",
    }
    conditions = [*found.objects["ns/w"].conditions, done]

    assert "wake" in told(found, lambda each: changed(each, conditions=conditions))
    assert "wake" not in told(found, lambda each: changed(each, clusterName="x"))


QUEUE_EVENTS = {
    "Q-062 a LocalQueue comes": (
        lambda found: found.notes.local_queue(None, local_queue("new")),
        [("cq", "soon"), ("ns/new", "soon"), "work"],
    ),
    "a LocalQueue says nothing new": (
        lambda found: found.notes.local_queue(local_queue(), local_queue()),
        [("ns/lq", "soon"), "work"],
    ),
    "Q-063 a LocalQueue changes": (
        lambda found: found.notes.local_queue(local_queue(), local_queue(to="other")),
        [("other", "soon"), ("cq", "fewer"), ("ns/lq", "soon"), "work"],
    ),
    "Q-061 a LocalQueue is deleted": (
        lambda found: found.notes.local_queue(local_queue(), None),
        [("cq", "fewer"), ("ns/lq", "soon"), "work"],
    ),
    "Q-060 a LocalQueue is stopped": (
        lambda found: found.notes.local_queue(local_queue(), local_queue(stopPolicy="Hold")),
        [("cq", "fewer"), ("ns/lq", "soon"), "work"],
    ),
    "a LocalQueue that was stopped is deleted": (
        lambda found: found.notes.local_queue(local_queue("other", stopPolicy="Hold"), None),
        [("ns/other", "soon"), "work"],
    ),
    "Q-064 a ClusterQueue comes": (
        lambda found: found.notes.cluster_queue(None, cluster_queue("new")),
        ["wake", ("new", "soon"), "work"],
    ),
    "Q-064 a ClusterQueue changes": (
        lambda found: found.notes.cluster_queue(cluster_queue(), cluster_queue(stopPolicy="Hold")),
        ["wake", ("cq", "soon"), ("ns/lq", "soon"), "work"],
    ),
    "a ClusterQueue says nothing new": (
        lambda found: found.notes.cluster_queue(cluster_queue(), cluster_queue()),
        [("cq", "soon"), ("ns/lq", "soon"), "work"],
    ),
    "Q-064 a ClusterQueue is deleted": (
        lambda found: found.notes.cluster_queue(cluster_queue(), None),
        [("cq", "soon"), ("ns/lq", "soon"), "work"],
    ),
    "Q-051 a flavor changes": (
        lambda found: found.notes.flavor(None, flavor(nodeLabels={"a": "b"})),
        [("cq", "soon"), "wake", "work"],
    ),
    "a flavor says nothing new": (lambda found: found.notes.flavor(None, flavor()), []),
    "Q-051 a flavor is deleted": (
        lambda found: found.notes.flavor(flavor(), None),
        [("cq", "soon"), "wake", "work"],
    ),
    "a flavor that no queue names": (lambda found: found.notes.flavor(None, flavor("other")), ["work"]),
    "Q-066 a Cohort is deleted": (
        lambda found: found.notes.cohort({"metadata": {"name": "all"}}, None),
        [],
    ),
}


@pytest.mark.parametrize(("act", "expected"), QUEUE_EVENTS.values(), ids=QUEUE_EVENTS)
def test_whom_a_change_around_queues_concerns(act: Any, expected: list[Any]) -> None:
    found = cluster()
    found.notes.cohort(None, {"metadata": {"name": "all"}})

    assert told(found, act) == expected


def cohort(**spec: Any) -> Any:
    return {"metadata": {"name": "all"}, "spec": spec}


COHORT_EVENTS = {
    "Q-051 comes": (None, cohort(), True),
    "Q-051 changes": (cohort(), cohort(parentName="root"), True),
    "says nothing new": (cohort(), cohort(), False),
}


@pytest.mark.parametrize(("old", "new", "wakes"), COHORT_EVENTS.values(), ids=COHORT_EVENTS)
def test_a_cohort_wakes_its_queues(old: Any, new: Any, wakes: bool) -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[4]), cohortName="all")

    assert told(found, lambda each: each.notes.cohort(old, new)) == (["wake"] if wakes else [])


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
    found = Cluster().flavors().queue("cq", group("cpu", default=[4]), admissionChecksStrategy=strategy)
    found.notes.check(None, check())

    expected = [("cq", "soon"), "wake", "work"] if wakes else []

    assert told(found, lambda each: each.notes.check(check(), new)) == expected


def test_a_strict_head_is_looked_at_again_when_a_flavor_changed_p_036() -> None:
    wants = {"nodeSelector": {"zone": "a"}}
    found = Cluster().flavors(flavor(nodeLabels={"zone": "b"}))
    found.queue("cq", group("cpu", default=[4]), queueingStrategy="StrictFIFO")
    found.workload("w", _pods(**wants)).run()
    blocked = found.run()

    found.notes.flavor(None, flavor(nodeLabels={"zone": "a"}))

    assert (blocked, found.run()) == ({}, {"w": "reserved"})


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
    found = Cluster().flavors()
    found.queue("cq", group("cpu", default=[4]), namespaceSelector={"matchLabels": {"team": "x"}})
    found.queue("open", group("cpu", default=[4]))
    found.notes.namespace(namespace(), None)
    if old is not None:
        found.notes.namespace(None, old)

    expected = [("cq", "soon"), "wake"] if wakes else []

    assert [
        each for each in told(found, lambda each: each.notes.namespace(old, new)) if each != "work"
    ] == expected


SELECTED = {
    "selected": (namespace(team="x"), True),
    "not selected": (namespace(), False),
    "gone": (None, False),
}


@pytest.mark.parametrize(("new", "wakes"), SELECTED.values(), ids=SELECTED)
def test_what_is_parked_is_woken_while_its_namespace_is_selected_q_050(new: Any, wakes: bool) -> None:
    found = Cluster().flavors()
    found.queue("cq", group("cpu", default=[4]), namespaceSelector={"matchLabels": {"team": "x"}})
    found.cpu("w", 1).run()
    assert found.pending() == (0, 1)

    found.notes.namespace(namespace(), new)
    found.queue_manager.wake_trees({"cq"})
    found.wake()

    assert found.pending() == ((1, 0) if wakes else (0, 1))


def limit_range(cpu: str, **metadata: Any) -> Any:
    limits = [{"type": "Container", "defaultRequest": {"cpu": cpu}}]
    return {"metadata": {"namespace": "ns", "name": "limits", **metadata}, "spec": {"limits": limits}}


def requested(found: Cluster) -> int:
    """Return the CPU that the waiting Workload asks for, in thousandths."""
    (entry,) = found.queue_manager.queues.cluster_queues["cq"].entries.values()
    (requests,) = entry.pending.requests
    return requests.requests.get("cpu", 0)


def test_a_limit_range_changes_what_waiting_workloads_ask_for_q_051() -> None:
    bare = {"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "c"}]}}}
    found = cluster().workload("w", bare, queue="lq")
    seen = [requested(found)]
    steps = (None, limit_range("1"), limit_range("2"), limit_range("2", labels={"a": "b"}), None)
    for old, new in itertools.pairwise(steps):
        assert (told(found, lambda each: each.notes.limit_range(old, new)) == ["work"]) is (len(seen) != 3)  # noqa: B023
        seen.append(requested(found))

    assert seen == [0, 1000, 2000, 2000, 0]


def test_a_limit_range_of_another_namespace_changes_nothing_q_051() -> None:
    bare = {"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "c"}]}}}
    found = cluster().workload("w", bare, queue="lq")

    found.notes.limit_range(None, limit_range("1", namespace="other"))

    assert requested(found) == 0


def test_a_runtime_class_changes_what_workloads_that_name_it_ask_for_q_051() -> None:
    found = cluster().workload("w", _pods(runtimeClassName="kata"), queue="lq")
    kata = {"metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "500m"}}}
    seen = [requested(found)]
    for old, new in ((None, {**kata, "metadata": {"name": "other"}}), (None, kata), (kata, None)):
        assert told(found, lambda each: each.notes.runtime_class(old, new)) == ["work"]  # noqa: B023
        seen.append(requested(found))

    assert seen == [1000, 1000, 1500, 1000]


def test_a_workload_to_which_the_cluster_adds_nothing_waits_as_it_is_q_092() -> None:
    found = cluster().cpu("w", 1, queue="lq")

    assert found.queue_manager.pending(found.objects["ns/w"]).workload is found.objects["ns/w"]


def test_what_may_not_wait_any_more_leaves_its_queue_q_003() -> None:
    found = cluster().cpu("w", 1, queue="lq")
    held = {"type": "QuotaReserved", "status": "False", "reason": "OnHold", "message": ""}

    changed(found, conditions=[held])

    assert listed(found) == []


def test_waking_asks_for_a_cycle_q_050() -> None:
    assert told(cluster(), lambda each: each.queue_manager.wake_now()) == ["work"]


def _pods(**spec: Any) -> Any:
    container = {"name": "c", "resources": {"requests": {"cpu": 1}}}
    return {"name": "main", "count": 1, "template": {"spec": {"containers": [container], **spec}}}


def test_heads_of_a_cohort_that_were_seen_come_along_with_a_new_one_q_226() -> None:
    found = Cluster().flavors()
    for name in ("one", "two"):
        found.queue(name, group("cpu", default=[2]), cohortName="all", queueingStrategy="StrictFIFO")
    found.cpu("big", 9, queue="one").run()
    alone = found.run()

    both = set(found.cpu("w", 1, queue="two").run())

    assert (alone, both) == ({}, {"big", "w"})


def test_heads_of_another_tree_do_not_come_along_p_036() -> None:
    found = Cluster().flavors()
    for name in ("one", "two"):
        found.queue(name, group("cpu", default=[2]), queueingStrategy="StrictFIFO")
    found.cpu("big", 9, queue="one").run()

    assert set(found.cpu("w", 1, queue="two").run()) == {"w"}


def listed(found: Cluster) -> list[str]:
    """The Workloads that wait in cq."""
    return [
        each.workload.name for each in QueueView(found.queue_manager.queues).cluster_queue("cq").page(0, 9)
    ]


def released(found: Cluster, seconds: int | None) -> Cluster:
    """Give back what an admitted Workload holds; it is to wait for so many seconds before it is tried again."""
    again = (
        {}
        if seconds is None
        else {"requeueState": {"count": 1, "requeueAt": instants.render(EPOCH + seconds)}}
    )
    held = {"type": "Requeued", "status": "False", "reason": "PodsReadyTimeout"}
    return changed(found, conditions=[held], admission=None, **again)


class TestBackoff:
    def test_what_is_released_is_not_listed_before_its_backoff_is_over_vc_24(self) -> None:
        found = released(admitted(cluster()), 60)
        assert listed(found) == []

        found.now = EPOCH + 60
        found.queue_manager.requeue(found.objects["ns/w"])

        assert listed(found) == ["w"]

    def test_a_backoff_that_ends_this_very_second_is_over_q_342(self) -> None:
        assert listed(released(admitted(cluster()), 0)) == ["w"]

    def test_what_comes_back_after_its_backoff_asks_for_a_cycle(self) -> None:
        found = released(admitted(cluster()), 60)

        assert told(found, lambda each: each.queue_manager.requeue(each.objects["ns/w"])) == ["work"]

    def test_what_is_released_lets_others_be_tried(self) -> None:
        seen = told(admitted(cluster()), lambda each: released(each, 60))

        assert [each for each in seen if isinstance(each, str)] == ["wake", "work"]

    def test_another_change_lists_it_at_once_vc_24(self) -> None:
        found = reprioritized(released(admitted(cluster()), 60))

        assert listed(found) == ["w"]
        assert found.queue_manager.queues.cluster_queues["cq"].head() is None

    def test_requeued_false_alone_does_not_keep_it_off_vc_24(self) -> None:
        assert listed(released(admitted(cluster()), None)) == ["w"]
