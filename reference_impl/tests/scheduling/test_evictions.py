"""What issuing a preemption writes, tells and takes back: one write per victim (Q-290…Q-293, AC-300)."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.scheduling.evictions import Evictions
from reference_impl.kueue.scheduling.preemption.targets import PreemptionReason
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.errors import ApiError, UnreachableError

from .preemption.arenas import Arena, policies
from .queue_side import group
from .test_scheduler import Bench

LOWER = policies("LowerPriority")
SHORT = "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, "
WAITS = "Pending the preemption of 1 workload(s)"
TOLD = (
    "Preempted to accommodate a workload (UID: uid-001, JobUID: UNKNOWN) due to prioritization in the "
    "ClusterQueue; preemptor path: /cq; preemptee path: /cq"
)
PRIORITIES = (
    "preemptor effective priority: 1 (base: 1, boost: 0); preemptee effective priority: 0 (base: 0, boost: 0)"
)


def full() -> Arena:
    """Of cq's two cores, victim holds both; high wants them."""
    return Arena().member("cq", preemption=LOWER, cpu=2).holds("victim", "cq", cpu=2)


def make_bench(error: Exception | None = None) -> Bench:
    """A scheduler before the first cycle, which will find that high has to preempt."""
    return Bench(full().cpu("high", 2, priority=1), error)


def statuses_of(bench: Bench, name: str) -> list[dict[str, Any]]:
    """What was written on a Workload."""
    return [obj["status"] for _, _, obj in bench.server.applied if obj["metadata"]["name"] == name]


def condition(status: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(condition for condition in status["conditions"] if condition["type"] == kind)


def test_a_victim_is_evicted_in_one_write_and_keeps_its_quota_q_291() -> None:
    (status,) = statuses_of(make_bench().run(), "victim")
    preempted, evicted = condition(status, "Preempted"), condition(status, "Evicted")

    assert (preempted["status"], preempted["reason"], preempted["message"]) == (
        "True",
        "InClusterQueue",
        TOLD,
    )
    assert "observedGeneration" not in preempted
    assert (evicted["status"], evicted["reason"], evicted["message"]) == ("True", "Preempted", TOLD)
    assert status["admission"]["clusterQueue"] == "cq"
    assert condition(status, "QuotaReserved")["status"] == "True"
    assert status["schedulingStats"]["evictions"] == [
        {"reason": "Preempted", "underlyingCause": "", "count": 1}
    ]


def test_the_preemptor_waits_and_says_for_how_many_m_026() -> None:
    bench = make_bench().run()
    (status,) = statuses_of(bench, "high")
    waits = condition(status, "QuotaReserved")

    assert (waits["status"], waits["reason"]) == ("False", "Pending")
    assert waits["message"] == f"{SHORT}2 more needed. {WAITS}"


def test_events_tell_the_victim_and_the_preemptor_ev_010() -> None:
    assert make_bench().run().notes.told == [
        ("Normal", "EvictedDueToPreempted", TOLD),
        ("Normal", "Preempted", f"{TOLD}; {PRIORITIES}"),
        (
            "Normal",
            "PreemptedWorkload",
            f"Preempted workload ns/victim (UID: uid-000) in ClusterQueue cq; {PRIORITIES}",
        ),
        ("Warning", "Pending", f"{SHORT}2 more needed. {WAITS}"),
    ]


def test_preemptions_are_counted_for_the_queue_of_the_preemptor_mt_031() -> None:
    bench = make_bench().run()

    assert bench.metrics.value("kueue_preempted_workloads_total", "cq", "InClusterQueue") == 1
    assert bench.metrics.value("kueue_evicted_workloads_total", "cq", "", "Preempted", "") == 1


def test_skipped_preemptions_are_counted_for_their_queue_mt_003() -> None:
    arena = Arena().member("c", "all", cpu=0).holds("victim", "c", cpu=4)
    for name in ("a", "b"):
        arena.member(name, "all", policies(reclaim="Any"), cpu=2).cpu(f"of-{name}", 2, queue=name)
    bench = Bench(arena).run()
    skips = [bench.metrics.value("kueue_admission_cycle_preemption_skips", name) for name in ("a", "b", "c")]

    assert skips == [0, 1, 0]


def issue_again(bench: Bench) -> Bench:
    """Let the tree be looked at once more, as after any change of it."""
    bench.cluster.queue_manager.ledger.cohort_trees.touch("cq")
    return bench.run()


def test_a_victim_on_its_way_is_not_written_twice_q_292() -> None:
    bench = issue_again(make_bench().run())

    assert len(statuses_of(bench, "victim")) == 1
    assert condition(statuses_of(bench, "high")[-1], "QuotaReserved")["message"].endswith(WAITS)


def show_informer(bench: Bench, **metadata: Any) -> None:
    """Let the informer see the victim as it was written."""
    before = bench.cluster.objects["ns/victim"].object
    after = {**before, "status": statuses_of(bench, "victim")[-1]}
    bench.evictions.observe(before, after)
    bench.cluster.put(Workload(after))


def test_a_victim_that_is_seen_evicted_is_not_written_again_q_290() -> None:
    bench = make_bench().run()
    show_informer(bench)

    assert len(statuses_of(issue_again(bench), "victim")) == 1


def test_what_was_released_and_reserved_again_can_be_preempted_again_s_053() -> None:
    bench = make_bench().run()
    show_informer(bench)
    evicted = bench.cluster.objects["ns/victim"]
    bench.cluster.release("victim")
    bench.evictions.observe(evicted.object, bench.cluster.objects["ns/victim"].object)
    bench.cluster.remove("victim").holds("victim", "cq", cpu=2)

    assert len(statuses_of(issue_again(bench), "victim")) == 2


class Later:
    """A clock that is a second ahead."""

    def now(self) -> float:
        return time.time() + 1


@pytest.mark.parametrize(
    "error", [ApiError(500, "InternalError", "no"), UnreachableError("gone")], ids=["refused", "unreachable"]
)
def test_what_could_not_be_evicted_is_tried_again_s_051(error: Exception) -> None:
    bench = make_bench(error).run()

    assert bench.notes.told == [
        ("Warning", "Pending", f"{SHORT}2 more needed. Preempting 1 workload(s) failed, will retry.")
    ]
    assert bench.later == [0.1]
    bench.server.error = None
    assert statuses_of(bench.run(), "victim") == []
    bench.scheduler.clock = Later()
    assert len(statuses_of(bench.run(), "victim")) == 1


def test_an_eviction_waits_behind_the_reservation_of_its_victim_q_141() -> None:
    arena = Bench(Arena().member("cq", preemption=LOWER, cpu=2).cpu("victim", 2))
    asyncio.run(arena.scheduler.reconcile("cycle"))
    newcomer = arena.cluster.cpu("high", 2, priority=1).objects["ns/high"]
    arena.store.put(newcomer.api_key, newcomer.object)
    arena.run()
    reserved, evicted = statuses_of(arena, "victim")

    assert [condition["type"] for condition in reserved["conditions"]] == ["QuotaReserved", "Admitted"]
    assert condition(evicted, "Evicted")["status"] == "True"
    assert condition(evicted, "Admitted")["status"] == "True"


def test_a_victim_that_let_go_meanwhile_is_not_written() -> None:
    bench = make_bench()
    asyncio.run(bench.scheduler.reconcile("cycle"))
    bench.cluster.queue_manager.ledger.remove("ns/victim")
    asyncio.run(bench.writes_of.reconcile(Key("ns", "victim")))

    assert statuses_of(bench, "victim") == []


def test_the_next_cycle_waits_until_the_victims_are_told_q_290() -> None:
    bench = make_bench()
    asyncio.run(bench.scheduler.reconcile("cycle"))
    bench.cluster.queue_manager.ledger.remove("ns/victim")
    asyncio.run(bench.scheduler.reconcile("cycle"))
    assert "ns/high" not in bench.cluster.queue_manager.ledger.holdings

    while bench.writes:
        asyncio.run(bench.writes_of.reconcile(bench.writes.pop(0)))
    asyncio.run(bench.scheduler.reconcile("cycle"))
    assert "ns/high" in bench.cluster.queue_manager.ledger.holdings


SHORT_TEXTS = {
    "v0.6": (
        "Preempted to accommodate a higher priority Workload",
        "Preempted by another workload in the ClusterQueue",
        False,
    ),
    "docs-2024": (
        "Preempted to accommodate a workload (UID: uid-001) due to prioritization in the ClusterQueue",
        "Preempted to accommodate a workload (UID: uid-001) due to prioritization in the ClusterQueue",
        True,
    ),
}


@pytest.mark.parametrize("name", SHORT_TEXTS)
def test_older_releases_say_it_with_fewer_words_q_512(name: str) -> None:
    message, note, marked = SHORT_TEXTS[name]
    bench = make_bench()
    bench.evictions.rules, bench.evictions.wording = (
        dialect(name).workload,
        dialect(name).queues.preemption_wording,
    )
    (status,) = statuses_of(bench.run(), "victim")

    assert condition(status, "Evicted")["message"] == message
    assert any(condition["type"] == "Preempted" for condition in status["conditions"]) is marked
    assert ("Normal", "Preempted", note) in bench.notes.told
    assert "PreemptedWorkload" not in {reason for _, reason, _ in bench.notes.told}


def test_the_job_of_the_preemptor_and_the_paths_are_named_s_054() -> None:
    arena = Arena().cohort("root").cohort("left", "root")
    arena.member("a", "left", policies(reclaim="Any"), cpu=2).member("b", "root", cpu=0)
    arena.holds("victim", "b", cpu=2).cpu("high", 2, queue="a")
    high = arena.objects["ns/high"].object
    labels = {"kueue.x-k8s.io/job-uid": "job-1"}
    arena.put(Workload({**high, "metadata": {**high["metadata"], "labels": labels}}))

    (status,) = statuses_of(Bench(arena).run(), "victim")
    assert condition(status, "Preempted")["message"] == (
        "Preempted to accommodate a workload (UID: uid-001, JobUID: job-1) due to reclamation within the cohort; "
        "preemptor path: /root/left/a; preemptee path: /root/b"
    )


def test_a_queue_without_policies_lets_its_workload_wait() -> None:
    arena = Arena().queue("cq", group("cpu", default=[2])).holds("victim", "cq", cpu=2)
    bench = Bench(arena.cpu("high", 2, priority=1)).run()

    assert statuses_of(bench, "victim") == []
    assert bench.notes.told == [("Warning", "Pending", f"{SHORT}2 more needed")]


ISSUED = {"evicted": (None, "ns/high"), "all failed": (ApiError(500, "InternalError", "no"), None)}


def test_a_preemptor_that_is_gone_leaves_its_place_q_022() -> None:
    queues = make_bench(None).run().cluster.queue_manager.queues
    before = queues.sticky("cq")

    queues.delete("ns/high")

    assert (before, queues.sticky("cq")) == ("ns/high", None)


@pytest.mark.parametrize(("error", "sticky"), ISSUED.values(), ids=ISSUED)
def test_a_preemptor_stands_first_only_when_something_was_evicted_for_it_q_044(
    error: Exception | None, sticky: str | None
) -> None:
    assert make_bench(error).run().cluster.queue_manager.queues.sticky("cq") == sticky


def test_the_preemptor_before_stands_first_again_when_all_evictions_of_the_next_one_failed_q_022() -> None:
    queue = make_bench().run().cluster.queue_manager.queues
    queue.unstick("cq", "ns/high", "ns/victim")
    assert queue.sticky("cq") is None

    queue.cluster_queues["cq"].stick("ns/high")
    queue.unstick("cq", "ns/another", None)
    assert queue.sticky("cq") == "ns/high"


def victim(uid: str) -> Any:
    """What is to go: a Workload of one name, made again under another uid."""
    workload = SimpleNamespace(api_key=Key("ns", "victim"), key="victim", uid=uid)
    holding = SimpleNamespace(workload=workload, is_evicted=False, cluster_queue="cq")
    return SimpleNamespace(holding=holding, reason=PreemptionReason.IN_CLUSTER_QUEUE)


def issuing(**holdings: Any) -> tuple[Evictions, list[tuple[str, int]], Any]:
    """Return evictions over these holdings that can write nothing,
    whose reports are kept, and what issues one.
    """
    anything: Any = None
    ledger: Any = SimpleNamespace(cohort_trees=SimpleNamespace(queues={}), holdings=holdings)
    evictions = Evictions(
        ledger=ledger,
        rules=anything,
        wording=anything,
        client=anything,
        clock=anything,
        recorder=anything,
        metrics=anything,
        strict=True,
    )
    evictions.enqueue = lambda _: None
    reports: list[tuple[str, int]] = []

    def issue(name: str, *victims: Any) -> None:
        evictions.issue(anything, "cq", victims, lambda failed: reports.append((name, failed)))

    return evictions, reports, issue


def test_an_eviction_that_is_overtaken_by_one_of_a_new_victim_is_over_and_has_not_failed() -> None:
    _, reports, issue = issuing()

    issue("first", victim("old"))
    issue("second", victim("new"))

    assert reports == [("first", 0)]


LEFT = {
    "gone": {},
    "made anew": {"victim": victim("new").holding},
    "evicted already": {"victim": SimpleNamespace(workload=victim("old").holding.workload, is_evicted=True)},
}


@pytest.mark.parametrize("holdings", LEFT.values(), ids=LEFT)
def test_a_victim_that_is_none_any_more_is_not_written_and_nothing_has_failed_q_292(holdings: Any) -> None:
    evictions, reports, issue = issuing(**holdings)

    issue("first", victim("old"))
    asyncio.run(evictions.reconcile(Key("ns", "victim")))

    assert reports == [("first", 0)]


def test_who_needs_no_victims_is_told_so_at_once() -> None:
    _, reports, issue = issuing()

    issue("first")

    assert reports == [("first", 0)]
