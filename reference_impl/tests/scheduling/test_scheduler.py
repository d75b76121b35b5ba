"""The scheduler between queue manager and API server:
what it writes, tells and takes back (Q-141, Q-232…Q-241).
"""

from __future__ import annotations

import asyncio

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.scheduling.cycle import Cycle
from reference_impl.kueue.scheduling.evictions import Evictions, SchedulerWrites
from reference_impl.kueue.scheduling.metrics import METRICS
from reference_impl.kueue.scheduling.outcomes import OutcomeWriter
from reference_impl.kueue.scheduling.preemption.classical import ClassicalPreemptor
from reference_impl.kueue.scheduling.scheduler import RETRY_SECONDS, Scheduler
from reference_impl.kueue.workload.metric_definitions import METRICS as WORKLOAD_METRICS
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store

from .queue_side import Cluster, group, pod_set

V0_19 = dialect("v0.19")


STORED = object()
"""What is found is what the cluster began with."""


class Server:
    """A client whose applies are kept, or fail with an error;
    `stored` is what it finds afterwards, or why it finds nothing.
    """

    def __init__(self, error=None, stored=None):
        self.applied = []
        self.error = error
        self.stored = stored
        self.read = 0

    async def find(self, _resource, _key):
        self.read += 1
        if isinstance(self.stored, Exception):
            raise self.stored
        return self.stored

    async def apply(self, resource, obj, *, manager, subresource="", force=True):
        del resource, force
        if self.error is not None:
            raise self.error
        self.applied.append((manager, subresource, obj))
        return obj


class EventHandlers:
    """A recorder that keeps what it is told."""

    def __init__(self):
        self.told = []

    def normal(self, obj, reason, note):
        self.told.append(("Normal", reason, note))

    def record(self, _obj, kind, reason, note):
        self.told.append((kind, reason, note))


class Bench:
    """A scheduler over a queue manager, with one task and one write at a time."""

    def __init__(self, cluster, error=None, stored=STORED, *, strict=False):
        self.cluster, self.notes = cluster, EventHandlers()
        self.store = Store()
        for workload in cluster.objects.values():
            self.store.put(workload.api_key, workload.object)
        self.server = Server(error, next(iter(self.store), None) if stored is STORED else stored)
        self.metrics = Registry((*METRICS, *WORKLOAD_METRICS))
        clock = WallClock()
        self.writes = []
        writer = OutcomeWriter(self.server, clock, self.notes, self.metrics, V0_19.queues, strict=strict)
        queue_manager = cluster.queue_manager
        self.evictions = Evictions(
            ledger=queue_manager.ledger,
            rules=V0_19.workload,
            wording=V0_19.queues.preemption_wording,
            client=self.server,
            clock=clock,
            recorder=self.notes,
            metrics=self.metrics,
            strict=strict,
        )
        preemptor = ClassicalPreemptor(
            queue_manager.ledger, queue_manager.catalogue, leaving=self.evictions.is_leaving
        )
        cycle = Cycle(queue_manager.ledger, queue_manager.catalogue, preemptor, V0_19.scheduling)
        self.scheduler = Scheduler(
            queue_manager, cycle, V0_19.workload, clock, self.metrics, self.store, writer, self.evictions
        )
        self.writes_of = SchedulerWrites(writer, self.evictions)
        self.later = []
        self.scheduler.later = self.later.append
        writer.enqueue, writer.failed = self.writes.append, self.scheduler.take_back
        writer.written = self.scheduler.resume
        self.evictions.enqueue = self.writes.append
        self.writer = writer

    def run(self):
        asyncio.run(self._run())
        return self

    async def _run(self):
        await self.scheduler.reconcile("cycle")
        while self.writes:
            await self.writes_of.reconcile(self.writes.pop(0))

    @property
    def status(self):
        return self.server.applied[-1][2]["status"]

    def conditions(self):
        return {
            condition["type"]: (condition["status"], condition["reason"], condition["message"])
            for condition in self.status["conditions"]
        }


def alone(cores, **spec):
    return Cluster().flavors().queue("cq", group("cpu", default=[cores]), **spec)


CHECKED = {"admissionChecksStrategy": {"admissionChecks": [{"name": "c"}]}}


def make_checked(state, **status):
    cluster = Cluster()
    check = {"metadata": {"name": "c"}, "status": {"conditions": [{"type": "Active", "status": "True"}]}}
    cluster.notes.check(None, check)
    entry = {"name": "c", "state": state, "message": "", "lastTransitionTime": "2023-11-14T22:00:00Z"}
    return (
        cluster.flavors()
        .queue("cq", group("cpu", default=[2]), **CHECKED)
        .cpu("w", 1, status={"admissionChecks": [entry], **status})
    )


def test_without_checks_it_is_admitted_in_the_same_write_ac_284():
    bench = Bench(alone(2).cpu("w", 1)).run()

    assert bench.conditions() == {
        "QuotaReserved": ("True", "QuotaReserved", "Quota reserved in ClusterQueue cq"),
        "Admitted": ("True", "Admitted", "The workload is admitted"),
    }
    assert [(kind, reason) for kind, reason, _ in bench.notes.told] == [
        ("Normal", "QuotaReserved"),
        ("Normal", "Admitted"),
    ]


def test_the_write_is_an_apply_without_a_revision_ac_370():
    bench = Bench(alone(2).cpu("w", 1)).run()
    manager, subresource, body = bench.server.applied[0]

    assert (manager, subresource) == ("kueue-admission", "status")
    assert "resourceVersion" not in body["metadata"]


DIRECT = {"Ready": True, "Pending": False}


@pytest.mark.parametrize(("state", "expected"), DIRECT.items(), ids=DIRECT)
def test_a_check_decides_about_admission_at_once_ac_384(state, expected):
    bench = Bench(make_checked(state)).run()

    assert ("Admitted" in bench.conditions()) is expected


def test_a_reservation_ends_an_eviction_ac_266():
    evicted = {
        "type": "Evicted",
        "status": "True",
        "reason": "AdmissionCheck",
        "message": "old text",
        "lastTransitionTime": "2023-11-14T22:00:00Z",
    }

    assert Bench(make_checked("Pending", conditions=[evicted])).run().conditions()["Evicted"] == (
        "False",
        "QuotaReserved",
        "Previously: old text",
    )


def test_who_does_not_fit_is_told_why_ac_251():
    bench = Bench(alone(1).cpu("w", 2)).run()
    reason = (
        "couldn't assign flavors to pod set main: insufficient quota for cpu in flavor default, previously "
        "considered podsets requests (0) + current podset request (2) > maximum capacity (1)"
    )

    assert bench.conditions() == {"QuotaReserved": ("False", "Pending", reason)}
    assert bench.status["resourceRequests"] == [{"name": "main", "resources": {"cpu": "2"}}]
    assert bench.notes.told == [("Warning", "Pending", reason)]


def test_nothing_is_written_twice_q_241():
    cluster = alone(1).cpu("w", 2)
    first = Bench(cluster).run()
    written = {**cluster.objects["ns/w"].object, "status": first.status}
    cluster.put(Workload(written))
    cluster.queue("cq", group("cpu", default=[1])).wake()

    second = Bench(cluster).run()

    assert second.server.applied == []
    assert [reason for _, reason, _ in second.notes.told] == ["Pending"]


def test_a_reservation_that_cannot_be_written_is_tried_again_s_014():
    cluster = alone(2).cpu("w", 1)
    bench = Bench(cluster, ApiError(500, "InternalError", "no")).run()

    assert cluster.pending() == (1, 0)
    assert bench.later == [RETRY_SECONDS]
    assert cluster.queue_manager.ledger.of_cluster_queue("cq").reserving == 0
    assert bench.metrics.value("kueue_quota_reserved_workloads_total", "cq", "") == 0


def test_a_workload_that_is_gone_is_not_queued_again_q_234():
    cluster = alone(2).cpu("w", 1)
    Bench(cluster, ApiError(404, "NotFound", "gone"), None).run()

    assert cluster.pending() == (0, 0)


NO_ANSWER = UnreachableError("reset by peer")


def test_a_reservation_counts_as_long_as_nobody_knows_whether_it_was_written():
    cluster = alone(2).cpu("w", 1)
    bench = Bench(cluster, NO_ANSWER, NO_ANSWER).run()

    asyncio.run(bench.writer.reconcile(Key("ns", "w")))

    assert bench.server.read == 2
    assert cluster.queue_manager.ledger.of_cluster_queue("cq").reserving == 1
    assert bench.later == []


def test_a_reservation_that_was_written_although_no_answer_came_stays():
    cluster = alone(2).cpu("w", 1)
    workload = cluster.objects["ns/w"].object
    written = Bench(alone(2).cpu("w", 1)).run().server.applied[0][2]["status"]
    bench = Bench(cluster, NO_ANSWER, {**workload, "status": written}).run()

    assert cluster.queue_manager.ledger.of_cluster_queue("cq").reserving == 1
    assert [reason for _, reason, _ in bench.notes.told] == ["QuotaReserved", "Admitted"]


def test_beside_other_replicas_the_write_holds_for_the_revision_seen():
    cluster = alone(2).cpu("w", 1)
    cluster.objects["ns/w"].metadata["resourceVersion"] = "7"
    bench = Bench(cluster, strict=True).run()

    assert bench.server.applied[0][2]["metadata"]["resourceVersion"] == "7"


def test_what_waits_is_looked_at_again_when_it_has_changed_meanwhile():
    cluster = alone(1).cpu("w", 2)
    cluster.objects["ns/w"].metadata["resourceVersion"] = "7"
    bench = Bench(cluster, ApiError(409, "Conflict", "changed"), strict=True).run()

    assert bench.later == [RETRY_SECONDS]


def test_a_reservation_counts_before_it_is_written_q_141():
    cluster = alone(2).cpu("w", 1)
    bench = Bench(cluster)

    asyncio.run(bench.scheduler.reconcile("cycle"))

    assert cluster.queue_manager.ledger.of_cluster_queue("cq").reserving == 1
    assert bench.server.applied == []
    assert bench.writes == [Key("ns", "w")]


@pytest.mark.parametrize(("cores", "result"), [(1, "success"), (3, "inadmissible")])
def test_a_cycle_is_counted_and_timed_mt_001_mt_002(cores, result):
    metrics = Bench(alone(2).cpu("w", cores)).run().metrics

    results = ("success", "inadmissible")
    assert [metrics.value("kueue_admission_attempts_total", label) for label in results] == [
        label == result for label in results
    ]
    assert 0 <= metrics.value("kueue_admission_attempt_duration_seconds", result) < 60


def test_a_cycle_without_heads_is_not_counted_mt_001():
    assert Bench(alone(2)).run().metrics.exposition() == ""


def test_a_reservation_is_counted_for_both_queues_mt_020_mt_024():
    cluster = alone(2).cpu("w", 1)
    cluster.objects["ns/w"].spec["priorityClassRef"] = {"name": "high"}

    metrics = Bench(cluster).run().metrics

    local, of_queue = ("cq", "ns", "high"), ("cq", "high")
    for prefix, labels in (("kueue_", of_queue), ("kueue_local_queue_", local)):
        assert metrics.value(f"{prefix}quota_reserved_workloads_total", *labels) == 1
        assert metrics.value(f"{prefix}admitted_workloads_total", *labels) == 1
        assert metrics.value(f"{prefix}quota_reserved_wait_time_seconds", *labels) > 60
        assert metrics.value(f"{prefix}admission_wait_time_seconds", *labels) > 60


@pytest.mark.parametrize(
    ("cluster", "observed"),
    [(alone(2).cpu("w", 1), False), (make_checked("Ready"), True)],
    ids=["no check", "a check that was ready before"],
)
def test_the_wait_for_checks_is_observed_only_where_there_are_checks_mt_023(cluster, observed):
    text = Bench(cluster).run().metrics.exposition()

    assert ("kueue_admission_checks_wait_time_seconds_count" in text) is observed


def test_what_failed_is_tried_again_neither_at_once_nor_late_q_234():
    assert 0 < RETRY_SECONDS <= 1


def test_what_waits_is_tried_again_a_second_after_the_first_notice_q_050():
    assert V0_19.queues.requeue_batch_seconds == 1


def test_a_pod_set_without_requests_gets_no_flavors_r_09():
    bench = Bench(alone(2).workload("w", pod_set())).run()

    assert bench.status["admission"]["podSetAssignments"] == [{"name": "main", "count": 1}]


def test_what_is_held_beyond_the_quota_stays_and_nothing_comes_on_top_d_04():
    cluster = alone(4).cpu("a", 4)
    Bench(cluster).run()
    cluster.queue("cq", group("cpu", default=[1])).cpu("b", 1)

    bench = Bench(cluster).run()

    assert [reason for _, reason, _ in bench.notes.told] == ["Pending"]
    assert [body["metadata"]["name"] for _, _, body in bench.server.applied] == ["b"]
    assert cluster.queue_manager.ledger.of_cluster_queue("cq").reserving == 1


def rivals():
    """Two heads that both fit, but not together."""
    cluster = Cluster().flavors()
    for name in ("a", "b"):
        cluster.queue(name, group("cpu", default=[0]), cohortName="all")
    cluster.queue("lender", group("cpu", default=[2]), cohortName="all")
    return Bench(cluster.cpu("first", 2, queue="a").cpu("second", 2, queue="b"))


def test_the_next_cycle_sees_what_was_written_of_a_head_that_was_skipped_q_241():
    bench = rivals()
    attempts = []
    bench.scheduler.metrics.observe = lambda *labels, value: attempts.append(labels)

    async def written(revision):
        stored = bench.store.get(Key("ns", "second"))
        metadata = {**stored["metadata"], "resourceVersion": "4"}
        bench.store.put(Key("ns", "second"), {**stored, "metadata": metadata})
        bench.scheduler.resume(Key("ns", "second"), {"metadata": {"resourceVersion": revision}})
        await bench.scheduler.reconcile("cycle")
        return len(attempts)

    async def play():
        await bench.scheduler.reconcile("cycle")
        await bench.scheduler.reconcile("cycle")
        return [len(attempts), await written("5"), await written("4")]

    assert asyncio.run(play()) == [1, 1, 2]


def test_a_head_whose_message_cannot_be_written_is_tried_again_q_241():
    bench = rivals()
    asyncio.run(bench.scheduler.reconcile("cycle"))
    bench.scheduler.resume(Key("ns", "second"), None)

    assert asyncio.run(bench.scheduler.reconcile("cycle")) is not None


def test_what_was_seen_before_its_answer_came_lets_the_next_cycle_begin_q_241():
    bench, written = rivals(), []
    asyncio.run(bench.scheduler.reconcile("cycle"))
    bench.cluster.silence.work = lambda: written.append("work")

    bench.scheduler.resume(Key("ns", "second"), {"metadata": {"resourceVersion": "1"}})

    assert written == ["work"]


def test_an_event_of_a_failed_attempt_regards_the_workload_as_it_was_qc_04():
    bench = Bench(alone(1).cpu("w", 2))
    regarded = []
    bench.notes.record = lambda obj, *_: regarded.append(obj)
    bench.run()

    assert regarded == [bench.cluster.objects["ns/w"].object]


@pytest.mark.parametrize(
    ("revision", "stored"),
    [("6", True), ("7", True), ("8", False), ("", True)],
    ids=["overtaken", "just this", "to come", "not told"],
)
def test_what_was_written_is_seen_with_its_revision_or_a_later_one_q_041(revision, stored):
    bench = Bench(alone(2).cpu("head", 1))
    ((key, obj),) = bench.store.items()
    bench.store.put(key, {**obj, "metadata": {**obj["metadata"], "resourceVersion": "7"}})

    assert bench.scheduler._shows(key, revision) is stored
