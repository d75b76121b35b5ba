"""A queue manager that is told of one change after another knows what the objects say when they are counted
anew (Q-050, Q-311, Q-380, P-051).
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from reference_impl.kueue import defects
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.resources import FlavorResource, Quota
from reference_impl.kueue.quota.tree import fits_now
from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import Cluster, Silence, flavor, group

RETRIED = next(defect for defect in defects.DEFECTS if defect.id == "BUG-166")
CPU = FlavorResource("default", "cpu")
COHORTS = {"a": "all", "b": "all", "c": ""}
LOCAL_QUEUES = ("one", "two", "three", "four")
TEAM = {"team": "x"}
STEPS = 30
TRUE = {"status": "True", "reason": "r", "message": "", "lastTransitionTime": "2023-11-14T23:00:00Z"}


class Listener(Silence):
    """Remembers that a cycle, or the waking of what is parked, was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def work(self) -> None:
        self.asked.add("cycle")

    def wake(self) -> None:
        self.asked.add("wake")


class Story:
    """Queues, cohorts, a flavor, a namespace and Workloads that come, change and go."""

    def __init__(self, seed: int) -> None:
        self.drawn = Random(seed)
        # Nothing is tried again behind a stopped LocalQueue otherwise (BUG-166).
        self.found = Cluster(follows=defects.without(dialect("v0.19"), (RETRIED,)))
        self.queue_manager, self.notes = self.found.queue_manager, self.found.notes
        self.queue_manager.listener = self.listener = Listener()
        self.queues: dict[str, Any] = {}
        self.local_queues: dict[str, Any] = {}
        self.flavors: dict[str, Any] = {}
        self.cohorts: dict[str, Any] = {}
        self.labels: dict[str, str] = {}
        self.flavor("default")
        for name in COHORTS:
            self.cluster_queue(name)
        for at, name in enumerate(LOCAL_QUEUES):
            self.local_queue(name, {"clusterQueue": "abca"[at]})
        self.settle()

    # -- what happens

    def step(self) -> None:
        kinds = [self.add] * 6 + [self.ends] * 3 + [self.changes] * 3
        kinds += [
            self.any_cluster_queue,
            self.any_local_queue,
            self.any_cohort,
            self.relabels,
            self.any_flavor,
        ]
        self.drawn.choice(kinds)()

    def add(self) -> None:
        name = f"w{len(self.found.objects):02}-{self.drawn.randrange(10**6)}"
        sizes = {"queue": self.drawn.choice(LOCAL_QUEUES), "priority": self.drawn.randint(0, 2)}
        self.found.cpu(name, self.drawn.randint(1, 3), **sizes)

    def ends(self) -> None:
        chosen = self.some_workload()
        if chosen is not None and self.drawn.random() < 0.5:
            self.found.remove(chosen.name)
        elif chosen is not None:
            self.condition(chosen, "Finished")

    def changes(self) -> None:
        chosen, drawn = self.some_workload(), self.drawn
        if chosen is None:
            return
        if chosen.has_counted_quota and drawn.random() < 0.4:
            status = {key: workload for key, workload in chosen.status.items() if key != "admission"}
            self.put(chosen, status={**status, "conditions": []})
        elif drawn.random() < 0.3:
            self.put(chosen, spec={**chosen.spec, "active": not chosen.is_active})
        elif chosen.has_counted_quota or drawn.random() < 0.5:
            named = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "any"}
            self.put(chosen, spec={**chosen.spec, "priority": drawn.randint(0, 3), "priorityClassRef": named})
        else:
            self.put(chosen, spec={**chosen.spec, "queueName": drawn.choice(LOCAL_QUEUES)})

    def condition(self, chosen: Workload, kind: str) -> None:
        conditions = [*chosen.conditions, {**TRUE, "type": kind}]
        self.put(chosen, status={**chosen.status, "conditions": conditions})

    def put(self, chosen: Workload, **fields: Any) -> None:
        self.found.put(Workload({**chosen.object, **fields}))

    def some_workload(self) -> Workload | None:
        alive = [workload for workload in self.found.objects.values() if not workload.is_finished]
        return self.drawn.choice(alive) if alive else None

    def any_cluster_queue(self) -> None:
        self.cluster_queue(self.drawn.choice([*COHORTS]), gone=self.drawn.random() < 0.2)

    def cluster_queue(self, name: str, *, gone: bool = False) -> None:
        spec = {
            "namespaceSelector": {} if COHORTS[name] else {"matchLabels": TEAM},
            "resourceGroups": [group("cpu", default=[self.drawn.randint(0, 4)])],
            "queueingStrategy": self.drawn.choice(["StrictFIFO", "BestEffortFIFO", "BestEffortFIFO"]),
            "stopPolicy": self.drawn.choice(["None", "None", "None", "Hold"]),
            **({"cohortName": COHORTS[name]} if COHORTS[name] else {}),
        }
        new = None if gone else {"metadata": {"name": name}, "spec": spec}
        self.tell(self.notes.cluster_queue, self.queues, name, new)

    def any_local_queue(self) -> None:
        spec = {"clusterQueue": self.drawn.choice([*COHORTS])}
        stop = {"stopPolicy": self.drawn.choice(["None", "Hold"])}
        self.local_queue(
            self.drawn.choice(LOCAL_QUEUES), None if self.drawn.random() < 0.2 else {**spec, **stop}
        )

    def local_queue(self, name: str, spec: Any) -> None:
        new = None if spec is None else {"metadata": {"namespace": "ns", "name": name}, "spec": spec}
        self.tell(self.notes.local_queue, self.local_queues, name, new)

    def any_cohort(self) -> None:
        spec = {"resourceGroups": [group("cpu", default=[self.drawn.randint(0, 3)])]}
        gone = self.drawn.random() < 0.3
        self.tell(
            self.notes.cohort,
            self.cohorts,
            "all",
            None if gone else {"metadata": {"name": "all"}, "spec": spec},
        )

    def relabels(self) -> None:
        old, self.labels = self.labels, self.drawn.choice([{}, TEAM])
        before, after = ({"metadata": {"name": "ns", "labels": workload}} for workload in (old, self.labels))
        self.notes.namespace(before, after)

    def any_flavor(self) -> None:
        self.flavor("default", gone=self.drawn.random() < 0.3)

    def flavor(self, name: str, *, gone: bool = False) -> None:
        self.tell(self.notes.flavor, self.flavors, name, None if gone else flavor(name))

    def tell(self, note: Any, objects: dict[str, Any], name: str, new: Any) -> None:
        """Say it as an informer does: the object before, the object after."""
        old = objects.pop(name, None)
        if new is not None:
            objects[name] = new
        if old is not None or new is not None:
            note(old, new)

    def settle(self) -> None:
        """Do what the queue_manager asks for, until it asks for nothing."""
        counts = self.listener.asked
        while counts:
            if "wake" in counts:
                counts.discard("wake")
                self.queue_manager.wake_now()
            counts.discard("cycle")
            self.found.run_all()

    # -- what the objects say

    def cluster_queue_of(self, workload: Workload) -> str:
        """Name the ClusterQueue in which a Workload waits, empty where its LocalQueue takes none."""
        spec = (self.local_queues.get(workload.queue_name) or {}).get("spec")
        return spec["clusterQueue"] if spec and spec.get("stopPolicy", "None") == "None" else ""

    def holding(self) -> dict[str, Workload]:
        return {
            key: workload
            for key, workload in self.found.objects.items()
            if workload.has_counted_quota and workload.admission
        }

    def waiting(self) -> dict[str, Workload]:
        objects = self.found.objects.items()
        return {
            key: workload
            for key, workload in objects
            if workload.is_queueable and self.cluster_queue_of(workload)
        }

    def used(self, name: str) -> int:
        return sum(
            cpu_of(workload) for workload in self.holding().values() if queue_of_usage(workload) == name
        )

    def figures(self) -> dict[str, Any]:
        """Return what the status of each queue tells, counted from the objects."""
        waits = Counter(self.cluster_queue_of(workload) for workload in self.waiting().values())
        waits += Counter(workload.queue_name for workload in self.waiting().values())
        holds = Counter(queue_of_usage(workload) for workload in self.holding().values())
        holds += Counter(workload.queue_name for workload in self.holding().values())
        admitted = Counter(
            workload.queue_name for workload in self.holding().values() if workload.is_admitted
        )
        names = (*self.queues, *LOCAL_QUEUES)
        return {name: (waits[name], holds[name], admitted[name]) for name in names}


def queue_of_usage(workload: Workload) -> str:
    assert workload.admission is not None
    return str(workload.admission["clusterQueue"])


def cpu_of(workload: Workload) -> int:
    (pods,) = workload.spec["podSets"]
    return int(pods["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"]) * 1000


def knows_who_holds_quota(story: Story) -> None:
    ledger, holding = story.queue_manager.ledger, story.holding()
    assert {key: holding.cluster_queue for key, holding in ledger.holdings.items()} == {
        key: queue_of_usage(workload) for key, workload in holding.items()
    }
    for name in COHORTS:
        own = [workload for workload in holding.values() if queue_of_usage(workload) == name]
        account = ledger.of_cluster_queue(name)
        assert (account.reserving, account.admitted) == (
            len(own),
            sum(workload.is_admitted for workload in own),
        )
        assert account.reserved_usage[CPU] == story.used(name)
        assert [holder.workload.key for holder in ledger.holders(name)] == [
            key for _, key in sorted((ledger.holdings[workload.key].rank, workload.key) for workload in own)
        ]
        for local in LOCAL_QUEUES:
            assert ledger.of_local_queue(name, f"ns/{local}").reserving == sum(
                workload.queue_name == local for workload in own
            )


def knows_the_quota_that_is_left(story: Story) -> None:
    anew = CohortTrees()
    for name, cohort in story.cohorts.items():
        anew.set_cohort(name, "", {CPU: Quota(nominal_of(cohort))})
    for name, queue in story.queues.items():
        anew.set_queue(name, COHORTS[name], {CPU: Quota(nominal_of(queue))})
        anew.add(name, {CPU: story.used(name)})
    objects = story.queue_manager.ledger.cohort_trees
    assert objects.queues.keys() == anew.queues.keys()
    assert objects.cohorts.keys() == anew.cohorts.keys()
    for name, node in (objects.queues | objects.cohorts).items():
        other = (anew.queues | anew.cohorts)[name]
        assert (name, node.usage_of(CPU), node.total(CPU)) == (name, other.usage_of(CPU), other.total(CPU))


def nominal_of(obj: Any) -> int:
    (line,) = obj["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
    return int(line["nominalQuota"]) * 1000


def knows_who_waits(story: Story) -> None:
    queues, waiting, view = story.queue_manager.queues, story.waiting(), QueueView(story.queue_manager.queues)
    objects = story.queue_manager.catalogue.cluster_queues
    assert queues.cluster_queues.keys() == objects.keys() == story.queues.keys()
    for name in story.queues:
        queue = queues.cluster_queues[name]
        own = [workload for workload in waiting.values() if story.cluster_queue_of(workload) == name]
        ranks = {
            workload.key: (workload.key != queue.sticky, *story.queue_manager.pending(workload).rank[1:])
            for workload in own
        }
        queue_view = view.cluster_queue(name)
        assert queue_view is not None
        assert [workload.workload.key for workload in queue_view.page(0, 99)] == sorted(
            ranks, key=ranks.__getitem__
        )
        assert queue.active == sum(not queue.is_inadmissible(workload.key) for workload in own)
    for local in LOCAL_QUEUES:
        own = [workload for workload in waiting.values() if workload.queue_name == local]
        queue = queues.cluster_queues.get(story.cluster_queue_of(own[0])) if own else None
        assert queues.waiting_in(f"ns/{local}") == len(own)
        assert queues.parked_in(f"ns/{local}") == sum(
            queue.is_inadmissible(workload.key) for workload in own if queue
        )


def lets_nothing_wait_that_fits(story: Story) -> None:
    """Q-050: what waits is tried again when it may fit. A StrictFIFO head keeps what it waits for, so trees
    without one are looked at.
    """
    strict = {
        name
        for name, workload in story.queues.items()
        if workload["spec"]["queueingStrategy"] == "StrictFIFO"
    }
    forest = story.queue_manager.ledger.cohort_trees
    for workload in story.waiting().values():
        name = story.cluster_queue_of(workload)
        if (
            name not in story.queues
            or not story.queue_manager.is_active(name)
            or strict & {*forest.members(name)}
        ):
            continue
        if COHORTS[name] or story.labels == TEAM:
            assert cpu_of(workload) > fits_now(forest.queues[name], CPU), workload.key


def tells_whose_status_changed(story: Story, before: dict[str, Any]) -> None:
    names = {name.removeprefix("ns/") for name in (*story.listener.dirty, *story.listener.fewer)}
    after = story.figures()
    assert {name for name in after if name in before and before[name] != after[name]} <= names


@pytest.mark.parametrize("seed", range(40))
def test_what_a_queue_manager_knows_is_what_the_objects_say(seed: int) -> None:
    story = Story(seed)
    for _ in range(STEPS):
        before = story.figures()
        story.listener.dirty.clear()
        story.listener.fewer.clear()
        story.step()
        story.settle()
        knows_who_holds_quota(story)
        knows_the_quota_that_is_left(story)
        knows_who_waits(story)
        lets_nothing_wait_that_fits(story)
        tells_whose_status_changed(story, before)
