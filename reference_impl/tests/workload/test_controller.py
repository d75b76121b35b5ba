"""What becomes of a decision: one write, its events and metrics, and when to look again (AC-322, AC-374,
AC-380).
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reference_impl import instants
from reference_impl.api.resource import Key
from reference_impl.dialects import dialect
from reference_impl.runtime.controller import Again
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store
from reference_impl.workload.controller import WorkloadController
from reference_impl.workload.metric_definitions import METRICS
from reference_impl.workload.world_reader import WorldReader

from ..runtime.clocks import HandClock
from .objects import ADMITTED, NOW, RESERVED, check, workload

OWNER = {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "job-uid"}


class Client:
    """Keeps applied objects, or fails."""

    def __init__(self, error: ApiError | None = None) -> None:
        self.applied: list[Any] = []
        self.error = error

    async def apply(self, _resource: Any, body: Any, **_: Any) -> Any:
        if self.error is not None:
            raise self.error
        self.applied.append(body)
        return body


class Recorder:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def record(self, regarding: Any, kind: str, reason: str, note: str) -> None:
        self.told.append((kind, regarding, reason, note))


class Queues:
    """A queue side with LocalQueue lq, or with none."""

    def __init__(self, known: bool = True) -> None:
        self.known, self.queued = known, []

    def cluster_queue_for(self, namespace: str, local_queue: str) -> tuple[str, bool]:
        return "cq", self.known

    def is_active(self, cluster_queue: str) -> bool:
        return True

    def requeue(self, subject: Any) -> None:
        if not self.known:
            raise LookupError
        self.queued.append(subject.key)


class Bench:
    """A controller that knows one Workload."""

    def __init__(self, subject: Any, name: str = "v0.19", *, known: bool = True, error: Any = None) -> None:
        self.client, self.recorder, self.queues = Client(error), Recorder(), Queues(known)
        self.metrics = Registry(METRICS)
        workloads, local_queues, cluster_queues = Store(), Store(), Store()
        workloads.put(Key("ns", "w"), subject.object)
        local_queues.put(Key("ns", "lq"), {"metadata": {"name": "lq"}})
        groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "f1", "resources": []}]}]
        strategy = {"admissionChecks": [{"name": "a"}]}
        cluster_queue = {"resourceGroups": groups, "admissionChecksStrategy": strategy}
        cluster_queues.put(Key("", "cq"), {"metadata": {"name": "cq"}, "spec": cluster_queue})
        self.controller = WorkloadController(
            rules=dialect(name).workload, client=self.client, clock=HandClock(NOW), recorder=self.recorder, metrics=self.metrics,
            workloads=workloads,
            world_reader=WorldReader(
                local_queues=local_queues, cluster_queues=cluster_queues, admission_checks=Store(), queues=self.queues
            ),
        )  # fmt: skip

    def run(self, name: str = "w") -> Again | None:
        return asyncio.run(self.controller.reconcile(Key("ns", name)))


RETRY = workload(RESERVED, ADMITTED, checks=[check("a", "Retry", "no")])


def test_a_decision_is_written_and_told_and_counted_ac_374() -> None:
    bench = Bench(RETRY)

    assert bench.run() is None
    assert len(bench.client.applied) == 1
    assert bench.queues.queued == []
    assert [
        (kind, regarding["metadata"]["name"], reason) for kind, regarding, reason, _ in bench.recorder.told
    ] == [("Normal", "w", "EvictedDueToAdmissionCheck")]
    assert bench.metrics.value("kueue_evicted_workloads_total", "cq", "", "AdmissionCheck", "") == 1


def test_what_is_not_written_is_neither_told_nor_counted_ac_374() -> None:
    bench = Bench(RETRY, error=ApiError(409, "Conflict", "changed"))

    with pytest.raises(ApiError):
        bench.run()

    assert (bench.recorder.told, bench.metrics.exposition()) == ([], "")


def test_a_rejected_check_is_told_with_a_warning_ac_380() -> None:
    bench = Bench(workload(RESERVED, checks=[check("a", "Rejected", "no")]))

    bench.run()

    assert [(kind, reason) for kind, _, reason, _ in bench.recorder.told] == [
        ("Warning", "AdmissionCheckRejected")
    ]


def test_owners_are_told_of_the_end_d_08() -> None:
    owned = workload(checks=[check("a", "Rejected")], metadata={"ownerReferences": [OWNER]})
    bench = Bench(owned, "v0.6")

    bench.run()

    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "ns", "uid": "job-uid"},
    }
    assert bench.recorder.told == [("Normal", job, "WorkloadFinished", "Admission checks [a] are rejected")]


def test_without_owners_nothing_is_told_of_the_end_d_08() -> None:
    bench = Bench(workload(checks=[check("a", "Rejected")]), "v0.6")

    bench.run()

    assert (len(bench.client.applied), bench.recorder.told) == (1, [])


def held_back(seconds: float) -> Any:
    return workload(requeueState={"requeueAt": instants.render(NOW + seconds)})


def test_a_workload_is_queued_before_its_backoff_is_forgotten_ac_322() -> None:
    bench = Bench(held_back(-1))

    assert bench.run() is None
    assert (bench.queues.queued, len(bench.client.applied)) == (["ns/w"], 1)


def test_without_a_local_queue_the_backoff_stays_and_it_is_tried_again_c_23() -> None:
    bench = Bench(held_back(-1), known=False)

    assert bench.run() == Again()
    assert bench.client.applied == []


def test_a_backoff_that_runs_is_looked_at_when_it_ends_ac_322() -> None:
    assert Bench(held_back(5)).run() == Again(5.0)


def test_a_workload_that_is_gone_needs_nothing() -> None:
    assert Bench(RETRY).run("other") is None
