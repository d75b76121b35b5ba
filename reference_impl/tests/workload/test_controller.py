"""What becomes of a decision: one write, its events and metrics,
and when to look again (AC-322, AC-374, AC-380).
"""

from __future__ import annotations

import asyncio
import io
from collections import defaultdict
from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.api.kinds import CLUSTER_QUEUES, COHORTS, LOCAL_QUEUES, RESOURCE_FLAVORS, WORKLOADS
from reference_impl.api.resource import Key, key_of
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.workload.context_reader import WorldReader
from reference_impl.kueue.workload.controller import WorkloadController, WorkloadPart
from reference_impl.kueue.workload.metric_definitions import METRICS
from reference_impl.kueue.workload.workload_context import ReservationState
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store

from ..runtime.clocks import HandClock
from .objects import ADMISSION, ADMITTED, NOW, RESERVED, check, condition, workload

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

    def __init__(self, is_known: bool = True) -> None:
        self.known, self.queued = is_known, []

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

    def __init__(
        self, subject: Any, name: str = "v0.19", *, is_known: bool = True, error: Any = None
    ) -> None:
        self.client, self.recorder, self.queues = Client(error), Recorder(), Queues(is_known)
        self.metrics, self.reservations = Registry(METRICS), Reservations()
        workloads, local_queues, cluster_queues = Store(), Store(), Store()
        workloads.put(Key("ns", "w"), subject.object)
        local_queues.put(Key("ns", "lq"), {"metadata": {"name": "lq"}})
        groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "f1", "resources": []}]}]
        strategy = {"admissionChecks": [{"name": "a"}]}
        cluster_queue = {"resourceGroups": groups, "admissionChecksStrategy": strategy}
        cluster_queues.put(Key("", "cq"), {"metadata": {"name": "cq"}, "spec": cluster_queue})
        self.controller = WorkloadController(
            rules=dialect(name).workload,
            client=self.client,
            clock=HandClock(NOW),
            recorder=self.recorder,
            metrics=self.metrics,
            workloads=workloads,
            world_reader=WorldReader(
                local_queues=local_queues,
                cluster_queues=cluster_queues,
                admission_checks=Store(),
                queues=self.queues,
                reservations=self.reservations if name == "kep993" else None,
            ),
        )

    def run(self, name: str = "w") -> RequeueAfter | None:
        return asyncio.run(self.controller.reconcile(Key("ns", name)))


class Reservations:
    """Keeps whose victims are to be told."""

    def __init__(self) -> None:
        self.preempting: list[str] = []

    def reservation_state(self, _subject: Any) -> ReservationState:
        return ReservationState(preemptions=1, has_unissued_preemptions=True, is_covered=False)

    def preempt(self, subject: Any) -> None:
        self.preempting.append(subject.key)


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


def hold_back(seconds: float) -> Any:
    return workload(requeueState={"requeueAt": instants.render(NOW + seconds)})


def test_a_workload_is_queued_before_its_backoff_is_forgotten_ac_322() -> None:
    bench = Bench(hold_back(-1))

    assert bench.run() is None
    assert (bench.queues.queued, len(bench.client.applied)) == (["ns/w"], 1)


def test_without_a_local_queue_the_backoff_stays_and_it_is_tried_again_c_23() -> None:
    bench = Bench(hold_back(-1), is_known=False)

    assert bench.run() == RequeueAfter()
    assert bench.client.applied == []


def test_a_backoff_that_runs_is_looked_at_when_it_ends_ac_322() -> None:
    assert Bench(hold_back(5)).run() == RequeueAfter(5.0)


def test_a_workload_that_is_gone_needs_nothing() -> None:
    assert Bench(RETRY).run("other") is None


def test_victims_of_a_reservation_are_told_by_who_planned_them_ac_443() -> None:
    awaiting = condition("QuotaReserved", message="Quota reserved; waiting for 1 preemption(s)")
    bench = Bench(workload(awaiting, checks=[check("a", "Ready")], admission=ADMISSION), "kep993")

    bench.run()

    assert (bench.reservations.preempting, bench.client.applied) == (["ns/w"], [])


def test_what_is_evicted_itself_has_no_victims_told_ac_467() -> None:
    bench = Bench(RETRY, "kep993")

    bench.run()

    assert (bench.reservations.preempting, len(bench.client.applied)) == ([], 1)


class Informer:
    """A store whose changes are told by hand."""

    def __init__(self) -> None:
        self.store, self.handlers = Store(), []
        self.add_index, self.add_handler = self.store.add_index, self.handlers.append

    def tells(self, old: Any, new: Any) -> None:
        if new is not None:
            self.store.put(key_of(new), new)
        for handler in self.handlers:
            handler(old, new)


class Runtime:
    """What a part asks for when it is assembled."""

    client = None

    def __init__(self) -> None:
        self.clock, self.metrics, self.told = HandClock(NOW), Registry(()), []
        self.log = Logger(clock=self.clock, stream=io.StringIO())
        self.informers: Any = defaultdict(Informer)

    def informer(self, resource: Any) -> Informer:
        return self.informers[resource]

    def recorder(self, name: str) -> Recorder:
        self.told.append(name)
        return Recorder()


def assemble(name: str) -> tuple[Runtime, Any]:
    """Return the runtime and the controller of a dialect, which know two Workloads."""
    runtime = Runtime()
    (controller,) = WorkloadPart(dialect(name).workload, Queues()).assemble(runtime)  # type: ignore[arg-type]
    awaiting = condition("QuotaReserved", message="Quota reserved; waiting for 1 preemption(s)")
    for waiting in (workload(metadata={"name": "waits"}), workload(awaiting, metadata={"name": "reserved"})):
        runtime.informers[WORKLOADS].store.put(waiting.api_key, waiting.object)
    runtime.informers[LOCAL_QUEUES].store.put(Key("ns", "lq"), LOCAL_QUEUE)
    return runtime, controller


LOCAL_QUEUE = {"metadata": {"namespace": "ns", "name": "lq"}, "spec": {"clusterQueue": "cq"}}
CLUSTER_QUEUE = {"metadata": {"name": "cq"}, "spec": {"stopPolicy": "Hold"}}
HOLDING = workload(RESERVED, metadata={"name": "new"}).object
FOLLOWED = {
    "AC-328 a Workload": ("v0.19", WORKLOADS, HOLDING, ["new"]),
    "AC-328 a LocalQueue": ("v0.19", LOCAL_QUEUES, LOCAL_QUEUE, ["waits", "reserved"]),
    "AC-328 a ClusterQueue": ("v0.19", CLUSTER_QUEUES, CLUSTER_QUEUE, ["waits", "reserved"]),
    "a Cohort": ("v0.19", COHORTS, {"metadata": {"name": "all"}}, []),
    "AC-476 a Cohort, by the KEP": ("kep993", COHORTS, {"metadata": {"name": "all"}}, ["reserved"]),
    "AC-476 a flavor, by the KEP": ("kep993", RESOURCE_FLAVORS, {"metadata": {"name": "f"}}, ["reserved"]),
    "AC-470 a Workload, by the KEP": ("kep993", WORKLOADS, HOLDING, ["new", "reserved"]),
}


@pytest.mark.parametrize(("name", "resource", "new", "expected"), FOLLOWED.values(), ids=FOLLOWED)
def test_what_a_change_makes_the_controller_look_at(
    name: str, resource: Any, new: Any, expected: list[str]
) -> None:
    runtime, controller = assemble(name)

    runtime.informers[resource].tells(None, new)

    assert [key.name for key in controller.queue._ready] == expected


def test_the_controller_reports_by_its_name_and_brings_its_series_ac_380() -> None:
    runtime, controller = assemble("v0.19")

    assert (controller.name, runtime.told) == ("kueue-workload-controller", ["kueue-workload-controller"])
    runtime.metrics.increment("kueue_finished_workloads_total", "cq", "")
