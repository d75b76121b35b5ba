"""Parking equals in one step: the same as parking them one by one (P-050, Q-042…Q-050)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.api import instants
from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.heap import Heap
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queue_order import RankedWorkload
from reference_impl.kueue.queueing.strategies import EQUIVALENT_REASONS, RequeueReason
from reference_impl.kueue.workload.view import Workload

STEADY = settings(derandomize=True, deadline=None, max_examples=250, suppress_health_check=list(HealthCheck))
NOW = 1_700_000_000.0
LATER = NOW + 60
LOCAL_QUEUES = ("ns/a", "ns/b", "shut/a")
NAMES = tuple(f"w{number}" for number in range(8))
REASONS = (
    RequeueReason.NO_FIT,
    RequeueReason.PREEMPTION_NO_CANDIDATES,
    RequeueReason.GENERIC,
    RequeueReason.PENDING_PREEMPTION,
)


def pending(name: str, cpu: int, priority: int, queue: str, *, delayed: bool) -> PendingWorkload:
    namespace, local = queue.split("/")
    container = {"resources": {"requests": {"cpu": str(cpu)}}}
    status = {"requeueState": {"requeueAt": instants.render(LATER)}} if delayed else {}
    spec = {
        "queueName": local,
        "priority": priority,
        "podSets": [{"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}],
    }
    metadata = {
        "name": name,
        "namespace": namespace,
        "uid": name,
        "creationTimestamp": instants.render(NOW),
        "generation": 1,
    }
    return PendingWorkload.of(Workload({"metadata": metadata, "spec": spec, "status": status}), frozenset())


ALL = st.fixed_dictionaries(
    {
        name: st.builds(
            lambda *arguments, name=name: pending(name, *arguments[:3], delayed=arguments[3]),
            st.integers(1, 2),
            st.integers(0, 1),
            st.sampled_from(LOCAL_QUEUES),
            st.sampled_from((False, False, False, True)),
        )
        for name in NAMES
    }
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("push", "restore", "delete")), st.sampled_from(NAMES)),
        st.tuples(st.just("cycle"), st.sampled_from(REASONS)),
        st.tuples(st.just("wake"), st.sampled_from((NOW, LATER))),
    ),
    min_size=5,
    max_size=30,
)


def admits(waiting: PendingWorkload) -> bool:
    return waiting.workload.namespace != "shut"


@dataclass
class OneByOne:
    """A BestEffortFIFO queue in which every Workload is parked, and woken, by itself."""

    heap: dict[str, PendingWorkload] = field(default_factory=dict)
    parked: dict[str, PendingWorkload] = field(default_factory=dict)
    doomed: set[str] = field(default_factory=set)
    sticky: str = ""

    def rank(self, key: str) -> Any:
        return (key != self.sticky, *self.heap[key].rank[1:])

    def push(self, new: PendingWorkload) -> None:
        if new.key in self.heap or new.key in self.parked:
            return
        free = new.workload.is_backoff_over(NOW) and new.scheduling_hash not in self.doomed
        (self.heap if free else self.parked)[new.key] = new

    def restore(self, new: PendingWorkload) -> None:
        if new.key not in self.parked:
            self.heap[new.key] = new

    def delete(self, key: str) -> None:
        self.heap.pop(key, None)
        self.parked.pop(key, None)
        self.sticky = "" if self.sticky == key else self.sticky

    def head(self) -> str | None:
        return min(self.heap, key=self.rank, default=None)

    def cycle(self, key: str, reason: RequeueReason) -> None:
        tried = self.heap.pop(key)
        if reason is RequeueReason.PENDING_PREEMPTION:
            self.sticky = key
            if tried.workload.is_backoff_over(NOW):
                self.heap[key] = tried
                return
        self.parked[key] = tried
        if reason in EQUIVALENT_REASONS:
            self.doomed.add(tried.scheduling_hash)
            for name in [
                name
                for name, workload in self.heap.items()
                if workload.scheduling_hash == tried.scheduling_hash
            ]:
                self.parked[name] = self.heap.pop(name)

    def wake(self, current_time: float) -> None:
        self.doomed.clear()
        for key, workload in [*self.parked.items()]:
            if workload.workload.is_backoff_over(current_time) and admits(workload):
                self.heap[key] = self.parked.pop(key)


@STEADY
@given(ALL, STEPS)
def test_what_is_tried_next_and_what_is_parked_is_the_same_one_by_one(
    workloads: dict[str, PendingWorkload], steps: list[tuple[str, Any]]
) -> None:
    queue, plain = ClusterQueue(), OneByOne()
    for kind, argument in steps:
        if kind == "cycle":
            popped = queue.pop()
            if popped is not None:
                plain.cycle(popped.key, argument)
                queue.requeue(popped, argument, NOW)
        elif kind == "wake":
            plain.wake(argument)
            queue.queue_inadmissible_workloads(admits, argument)
        elif kind == "delete":
            plain.delete(workloads[argument].key)
            queue.delete(workloads[argument].key)
        else:
            getattr(plain, kind)(workloads[argument])
            queue.push(workloads[argument], NOW) if kind == "push" else queue.restore(workloads[argument])
        head = queue.head()
        assert (None if head is None else head.key) == plain.head()
        assert {key for key in queue.entries if queue.is_inadmissible(key)} == plain.parked.keys()
        assert queue.active == len(plain.heap)


def test_of_equals_that_were_put_aside_those_are_taken_back_whose_delay_is_over() -> None:
    """Q-035: one that is delayed does not keep the others of its shape back."""
    heap, arguments = Heap(), (pending(name, 1, 0, "ns/a", delayed=name == "a") for name in ("a", "b"))
    late, early = (RankedWorkload(True, *workload.rank[1:], workload) for workload in arguments)
    for workload in (late, early):
        heap.add(workload, aside=False)
    heap.shelve(late.pending.scheduling_hash)

    heap.unshelve(lambda workload: workload.workload.requeue_at is None)

    assert (heap.shelved, heap.is_shelved(late), heap.is_shelved(early)) == (1, True, False)


def test_of_equals_that_were_put_aside_those_of_the_local_queues_asked_for_are_taken_back() -> None:
    """Q-045: the namespace of one LocalQueue may be shut while that of another is not."""
    heap, arguments = Heap(), (pending(queue[:2], 1, 0, queue, delayed=False) for queue in ("shut/a", "ns/a"))
    shut, other = (RankedWorkload(True, *workload.rank[1:], workload) for workload in arguments)
    for workload in (shut, other):
        heap.add(workload, aside=False)
    heap.shelve(shut.pending.scheduling_hash)

    heap.unshelve(admits)

    assert (heap.shelved, heap.is_shelved(shut), heap.is_shelved(other)) == (1, True, False)


def hold(name: str, **status: Any) -> RankedWorkload:
    """Return a Workload of one shape and LocalQueue."""
    plain = pending(name, 1, 0, "ns/a", delayed=False).workload
    workloads = PendingWorkload.of(Workload({**plain.object, "status": status}), frozenset())
    return RankedWorkload(True, *workloads.rank[1:], workloads)


def shelve(*standings: RankedWorkload) -> Heap:
    """Return a heap with equals that were put aside one after another."""
    heap = Heap()
    for standing in standings:
        heap.add(standing, aside=False)
        heap.shelve(standing.pending.scheduling_hash)
    return heap


def until(instant: float) -> Any:
    return {"requeueState": {"requeueAt": instants.render(instant)}}


HELD_BACK = {"conditions": [{"type": "Requeued", "status": "False", "reason": "r", "message": ""}]}
DELAYS = {
    "one delay is over": (until(NOW), until(LATER)),
    "one has no delay": ({}, until(LATER)),
    "one is held back": ({}, HELD_BACK),
    "one is held back, one delay is over": (until(NOW), HELD_BACK),
}


@pytest.mark.parametrize(("free", "late"), DELAYS.values(), ids=DELAYS)
@pytest.mark.parametrize("names", ["ab", "ba"])
def test_what_is_delayed_is_taken_back_by_itself_q_035(free: Any, late: Any, names: str) -> None:
    free, late = hold(names[0], **free), hold(names[1], **late)
    heap = shelve(free, late)

    heap.unshelve(lambda workload: workload.workload.is_backoff_over(NOW))

    assert ([*heap], heap.is_shelved(late), heap.shelved) == ([free], True, 1)


@pytest.mark.parametrize("order", ["abc", "cab", "bca"])
def test_equals_that_are_put_aside_later_come_to_those_that_were_q_045(order: str) -> None:
    workloads = {name: hold(name) for name in order}
    heap = shelve(*workloads.values())
    assert (heap.shelved, heap.first(), [*heap]) == (3, None, [])
    assert all(heap.is_shelved(workload) for workload in workloads.values())

    heap.unshelve(lambda _: True)

    assert (heap.shelved, heap.first(), [*heap]) == (0, workloads["a"], [workloads[name] for name in "abc"])


@pytest.mark.parametrize("newcomer", ["a", "c"])
def test_what_is_taken_back_comes_to_its_equals_in_order_q_050(newcomer: str) -> None:
    workloads = {name: hold(name) for name in "abc"}
    heap = shelve(*(workload for name, workload in workloads.items() if name != newcomer))
    heap.add(workloads[newcomer], aside=False)

    heap.unshelve(lambda _: True)

    assert [*heap] == [workloads[name] for name in "abc"]
    for name in "abc":
        assert heap.first() == workloads[name]
        heap.remove(workloads[name])


def test_what_was_put_aside_may_leave_without_the_others() -> None:
    first, other = hold("a"), hold("b")
    heap = shelve(first, other)

    heap.remove(first)

    assert (heap.shelved, heap.is_shelved(first), heap.is_shelved(other)) == (1, False, True)


@pytest.mark.parametrize("aside", [False, True], ids=["to be tried", "put aside"])
def test_nothing_is_kept_of_a_shape_that_is_gone(aside: bool) -> None:
    heap = Heap()
    for workload in (hold("a"), hold("b")):
        heap.add(workload, aside=aside)
        heap.remove(workload)

    assert (heap.shelved, heap._groups, heap._shelves) == (0, {}, {})
