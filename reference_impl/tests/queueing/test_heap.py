"""Parking equals in one step: the same as parking them one by one (P-050, Q-042…Q-050)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl import instants
from reference_impl.queueing.cluster_queue import ClusterQueue
from reference_impl.queueing.heap import Heap
from reference_impl.queueing.line import Standing
from reference_impl.queueing.pending import Pending
from reference_impl.queueing.strategies import SHARED_FATE, Reason
from reference_impl.workload.view import Workload

STEADY = settings(derandomize=True, deadline=None, max_examples=250, suppress_health_check=list(HealthCheck))
NOW = 1_700_000_000.0
LATER = NOW + 60
LOCAL_QUEUES = ("ns/a", "ns/b", "shut/a")
NAMES = tuple(f"w{number}" for number in range(8))
REASONS = (Reason.NO_FIT, Reason.PREEMPTION_NO_CANDIDATES, Reason.GENERIC, Reason.PENDING_PREEMPTION)


def pending(name: str, cpu: int, priority: int, queue: str, *, delayed: bool) -> Pending:
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
    return Pending.of(Workload({"metadata": metadata, "spec": spec, "status": status}), frozenset())


ALL = st.fixed_dictionaries(
    {
        name: st.builds(
            lambda *made, name=name: pending(name, *made[:3], delayed=made[3]),
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


def admits(waiting: Pending) -> bool:
    return waiting.workload.namespace != "shut"


@dataclass
class OneByOne:
    """A BestEffortFIFO queue in which every Workload is parked, and woken, by itself."""

    heap: dict[str, Pending] = field(default_factory=dict)
    parked: dict[str, Pending] = field(default_factory=dict)
    doomed: set[str] = field(default_factory=set)
    sticky: str = ""

    def rank(self, key: str) -> Any:
        return (key != self.sticky, *self.heap[key].rank[1:])

    def push(self, new: Pending) -> None:
        if new.key in self.heap or new.key in self.parked:
            return
        free = new.workload.backoff_over(NOW) and new.shape not in self.doomed
        (self.heap if free else self.parked)[new.key] = new

    def restore(self, new: Pending) -> None:
        if new.key not in self.parked:
            self.heap[new.key] = new

    def delete(self, key: str) -> None:
        self.heap.pop(key, None)
        self.parked.pop(key, None)
        self.sticky = "" if self.sticky == key else self.sticky

    def head(self) -> str | None:
        return min(self.heap, key=self.rank, default=None)

    def cycle(self, key: str, reason: Reason) -> None:
        tried = self.heap.pop(key)
        if reason is Reason.PENDING_PREEMPTION:
            self.sticky = key
            if tried.workload.backoff_over(NOW):
                self.heap[key] = tried
                return
        self.parked[key] = tried
        if reason in SHARED_FATE:
            self.doomed.add(tried.shape)
            for name in [name for name, each in self.heap.items() if each.shape == tried.shape]:
                self.parked[name] = self.heap.pop(name)

    def wake(self, now: float) -> None:
        self.doomed.clear()
        for key, each in [*self.parked.items()]:
            if each.workload.backoff_over(now) and admits(each):
                self.heap[key] = self.parked.pop(key)


@STEADY
@given(ALL, STEPS)
def test_what_is_tried_next_and_what_is_parked_is_the_same_one_by_one(
    known: dict[str, Pending], steps: list[tuple[str, Any]]
) -> None:
    queue, plain = ClusterQueue(), OneByOne()
    for kind, what in steps:
        if kind == "cycle":
            popped = queue.pop()
            if popped is not None:
                plain.cycle(popped.key, what)
                queue.requeue(popped, what, NOW)
        elif kind == "wake":
            plain.wake(what)
            queue.wake(admits, what)
        elif kind == "delete":
            plain.delete(known[what].key)
            queue.delete(known[what].key)
        else:
            getattr(plain, kind)(known[what])
            queue.push(known[what], NOW) if kind == "push" else queue.restore(known[what])
        head = queue.head()
        assert (None if head is None else head.key) == plain.head()
        assert {key for key in queue.entries if queue.is_parked(key)} == plain.parked.keys()
        assert queue.active == len(plain.heap)


def test_of_equals_that_were_put_aside_those_are_taken_back_whose_delay_is_over() -> None:
    """Q-035: one that is delayed does not keep the others of its shape back."""
    heap, made = Heap(), (pending(name, 1, 0, "ns/a", delayed=name == "a") for name in ("a", "b"))
    late, early = (Standing(True, *each.rank[1:], each) for each in made)
    for each in (late, early):
        heap.add(each, aside=False)
    heap.shelve(late.pending.shape)

    heap.unshelve(lambda each: each.workload.requeue_at is None)

    assert (heap.shelved, heap.is_shelved(late), heap.is_shelved(early)) == (1, True, False)


def test_of_equals_that_were_put_aside_those_of_the_local_queues_asked_for_are_taken_back() -> None:
    """Q-045: the namespace of one LocalQueue may be shut while that of another is not."""
    heap, made = Heap(), (pending(queue[:2], 1, 0, queue, delayed=False) for queue in ("shut/a", "ns/a"))
    shut, other = (Standing(True, *each.rank[1:], each) for each in made)
    for each in (shut, other):
        heap.add(each, aside=False)
    heap.shelve(shut.pending.shape)

    heap.unshelve(admits)

    assert (heap.shelved, heap.is_shelved(shut), heap.is_shelved(other)) == (1, True, False)
