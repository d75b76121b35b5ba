"""The scheduler between board and API server: what it writes, tells and takes back (Q-141, Q-232…Q-241)."""

from __future__ import annotations

import asyncio

import pytest

from reference_impl.api.resource import Key
from reference_impl.dialects import dialect
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store
from reference_impl.scheduling.cycle import Cycle
from reference_impl.scheduling.metrics import METRICS
from reference_impl.scheduling.outcomes import Writer
from reference_impl.scheduling.preemption import NoPreemption
from reference_impl.scheduling.scheduler import RETRY_SECONDS, Scheduler
from reference_impl.workload.series import METRICS as WORKLOAD_METRICS
from reference_impl.workload.view import Workload

from .boards import Cluster, group, pod_set

V0_19 = dialect("v0.19")


class Server:
    """A client whose applies are kept, or fail with an error; `stored` is what it finds afterwards, or why it finds nothing."""

    def __init__(self, error=None, stored=None):
        self.applied = []
        self.error = error
        self.stored = stored
        self.read = 0

    async def get(self, _resource, _key):
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


class Notes:
    """A recorder that keeps what it is told."""

    def __init__(self):
        self.told = []

    def normal(self, obj, reason, note):
        self.told.append(("Normal", reason, note))

    def warning(self, obj, reason, note):
        self.told.append(("Warning", reason, note))


class Bench:
    """A scheduler over a board, with one task and one write at a time."""

    def __init__(self, cluster, error=None, found=None, *, strict=False):
        self.cluster, self.notes = cluster, Notes()
        self.store = Store()
        for each in cluster.objects.values():
            self.store.put(each.api_key, each.object)
        self.server = Server(error, found or next(iter(self.store), None))
        self.metrics = Registry((*METRICS, *WORKLOAD_METRICS))
        clock = WallClock()
        self.writes = []
        writer = Writer(self.server, clock, self.notes, self.metrics, V0_19.queues, strict=strict)
        board = cluster.board
        cycle = Cycle(board.ledger, board.catalogue, NoPreemption())
        self.scheduler = Scheduler(board, cycle, V0_19.workload, clock, self.metrics, self.store, writer)
        self.later = []
        self.scheduler.later = self.later.append
        writer.enqueue, writer.failed = self.writes.append, self.scheduler.failed
        self.writer = writer

    def run(self):
        asyncio.run(self._run())
        return self

    async def _run(self):
        await self.scheduler.reconcile("cycle")
        while self.writes:
            await self.writer.reconcile(self.writes.pop(0))

    @property
    def status(self):
        return self.server.applied[-1][2]["status"]

    def conditions(self):
        return {
            each["type"]: (each["status"], each["reason"], each["message"])
            for each in self.status["conditions"]
        }


def alone(cores, **spec):
    return Cluster().flavors().queue("cq", group("cpu", default=[cores]), **spec)


CHECKED = {"admissionChecksStrategy": {"admissionChecks": [{"name": "c"}]}}


def checked(state, **status):
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
    bench = Bench(checked(state)).run()

    assert ("Admitted" in bench.conditions()) is expected


def test_a_reservation_ends_an_eviction_ac_266():
    evicted = {
        "type": "Evicted", "status": "True", "reason": "AdmissionCheck", "message": "old text",
        "lastTransitionTime": "2023-11-14T22:00:00Z",
    }  # fmt: skip

    assert Bench(checked("Pending", conditions=[evicted])).run().conditions()["Evicted"] == (
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
    told = {**cluster.objects["ns/w"].object, "status": first.status}
    cluster.put(Workload(told))
    cluster.queue("cq", group("cpu", default=[1])).wake()

    second = Bench(cluster).run()

    assert second.server.applied == []
    assert [reason for _, reason, _ in second.notes.told] == ["Pending"]


def test_a_reservation_that_cannot_be_written_is_tried_again_s_014():
    cluster = alone(2).cpu("w", 1)
    bench = Bench(cluster, ApiError(500, "InternalError", "no")).run()

    assert cluster.pending() == (1, 0)
    assert bench.later == [RETRY_SECONDS]
    assert cluster.board.ledger.of_cluster_queue("cq").reserving == 0
    assert bench.metrics.value("kueue_quota_reserved_workloads_total", "cq", "") == 0


def test_a_workload_that_is_gone_is_not_queued_again_q_234():
    cluster = alone(2).cpu("w", 1)
    gone = ApiError(404, "NotFound", "gone")
    Bench(cluster, gone, gone).run()

    assert cluster.pending() == (0, 0)


NO_ANSWER = UnreachableError("reset by peer")


def test_a_reservation_counts_as_long_as_nobody_knows_whether_it_was_written():
    cluster = alone(2).cpu("w", 1)
    bench = Bench(cluster, NO_ANSWER, NO_ANSWER).run()

    asyncio.run(bench.writer.reconcile(Key("ns", "w")))

    assert bench.server.read == 2
    assert cluster.board.ledger.of_cluster_queue("cq").reserving == 1
    assert bench.later == []


def test_a_reservation_that_was_written_although_no_answer_came_stays():
    cluster = alone(2).cpu("w", 1)
    workload = cluster.objects["ns/w"].object
    written = Bench(alone(2).cpu("w", 1)).run().server.applied[0][2]["status"]
    bench = Bench(cluster, NO_ANSWER, {**workload, "status": written}).run()

    assert cluster.board.ledger.of_cluster_queue("cq").reserving == 1
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

    assert cluster.board.ledger.of_cluster_queue("cq").reserving == 1
    assert bench.server.applied == []
    assert bench.writes == [Key("ns", "w")]


def test_a_cycle_is_counted_mt_001():
    bench = Bench(alone(2).cpu("w", 1)).run()

    assert bench.metrics.value("kueue_admission_attempts_total", "success") == 1


def test_a_pod_set_without_requests_gets_no_flavors_r_09():
    bench = Bench(alone(2).workload("w", pod_set())).run()

    assert bench.status["admission"]["podSetAssignments"] == [{"name": "main", "count": 1}]
