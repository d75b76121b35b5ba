"""How releases before v0.13 scheduled, as far as the documents
of the time say it (scheduling §14.1: Q-502…Q-519).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.scheduling import legacy_v0_6
from reference_impl.kueue.scheduling.assignment import PreemptionMode, QuotaFit
from reference_impl.kueue.scheduling.flavor_fit import AssignmentContext

from .preemption.arenas import Arena, FairArena, limited, pair, policies
from .queue_side import Cluster, flavor, group

V0_6, DOCS = dialect("v0.6"), dialect("docs-2024")
FAILED = "couldn't assign flavors to pod set main: "
OTHERS_FIRST = "other workloads in the cohort were prioritized"


def alone(used: int = 0) -> Arena:
    arena = Arena(follows=V0_6).member("cq", cpu=2)
    return arena.holds("held", "cq", cpu=used) if used else arena


def beside(cpu: Any, used: int) -> Arena:
    """Queue cq beside one of 4 cores, of which so many are used."""
    arena = Arena(follows=V0_6).member("cq", "all", cpu=cpu).member("other", "all", cpu=4)
    return arena.holds("held", "other", cpu=used)


TEXTS = {
    "more than its own": (alone(), 3, "insufficient quota for cpu in flavor default in ClusterQueue"),
    "not while it is used": (
        alone(1),
        2,
        "insufficient unused quota for cpu in flavor default, 1 more needed",
    ),
    "the cohort has less": (
        beside(2, 4),
        3,
        "insufficient unused quota in cohort for cpu in flavor default, 1 more needed",
    ),
    "its limit is lower": (
        beside(limited(1, bl=1), 0),
        3,
        "borrowing limit for cpu in flavor default exceeded",
    ),
}


@pytest.mark.parametrize(("arena", "cores", "expected"), TEXTS.values(), ids=TEXTS)
def test_what_is_short_q_509(arena: Arena, cores: int, expected: str) -> None:
    assert arena.cpu("w", cores).run()["w"] == FAILED + expected


def at_the_first(follows: Any) -> Cluster:
    """Flavor f is used by an equal, g is free; a queue that stops where it can preempt."""
    arena = Arena(follows=follows).flavors(flavor("f"), flavor("g"))
    arena.queue("cq", group("cpu", f=[2], g=[2]), flavorFungibility={"whenCanPreempt": "MayStopSearch"})
    return arena.holds("equal", "cq", cpu_at_f=2).cpu("w", 2)


@pytest.mark.parametrize("follows", [V0_6, DOCS], ids=["v0.6", "docs-2024"])
def test_a_preemption_is_promised_without_looking_for_victims_q_519(follows: Any) -> None:
    short = "insufficient unused quota for cpu in flavor f, 2 more needed"

    assert at_the_first(follows).run() == {"w": FAILED + short}
    assert at_the_first(dialect("v0.19")).run() == {"w": "reserved"}


def test_all_of_other_queues_goes_before_some_of_the_own_one_in_v0_9() -> None:
    arena = Arena(follows=DOCS).flavors(flavor("f"), flavor("g"))
    arena.queue(
        "a", group("cpu", f=[2], g=[2]), cohortName="all", preemption=policies("LowerPriority", "Any")
    )
    arena.queue("b", group("cpu", f=[0], g=[0]), cohortName="all")
    arena.holds("own", "a", -1, cpu_at_f=2).holds("lent", "b", 1, cpu_at_g=2).cpu("w", 2, queue="a").run()

    assert arena.preempted == {"w": {"lent": "InCohortReclamation"}}


def heads(follows: Any) -> Cluster:
    """Each of a and b wants what c borrows."""
    arena = Arena(follows=follows)
    for name in ("a", "b"):
        arena.member(name, "all", policies(reclaim="Any"), cpu=2)
    arena.member("c", "all", cpu=0).holds("one", "c", cpu=2).holds("two", "c", cpu=2)
    return arena.cpu("first", 2, queue="a").cpu("second", 2, queue="b")


def test_one_preemption_in_a_cohort_at_a_time_q_507() -> None:
    arena = heads(V0_6)

    assert arena.run()["second"] == OTHERS_FIRST
    assert list(arena.preempted) == ["first"]


def test_what_no_longer_fits_the_cohort_is_skipped_q_507() -> None:
    arena = (
        Arena(follows=V0_6).member("a", "all", cpu=0).member("b", "all", cpu=0).member("lender", "all", cpu=3)
    )
    arena.cpu("first", 2, queue="a").cpu("second", 2, queue="b")
    assert arena.run() == {"first": "reserved", "second": OTHERS_FIRST}

    arena = (
        Arena(follows=V0_6).member("a", "all", cpu=0).member("b", "all", cpu=0).member("lender", "all", cpu=4)
    )
    assert arena.cpu("first", 2, queue="a").cpu("second", 2, queue="b").run() == {
        "first": "reserved",
        "second": "reserved",
    }


def test_a_namespace_that_is_not_selected_is_told_with_a_capital_q_511() -> None:
    cluster = Cluster(follows=V0_6).flavors().queue("cq", group("cpu", default=[1]), namespaceSelector=None)

    assert cluster.cpu("w", 1).run() == {"w": "Workload namespace doesn't match ClusterQueue selector"}


def test_a_preemptor_does_not_stand_first_and_equals_are_looked_at_q_504() -> None:
    arena = (
        Arena(follows=V0_6).member("cq", "", policies("LowerPriority"), cpu=2).holds("low", "cq", -1, cpu=2)
    )
    arena.cpu("high", 2).run()
    assert (
        arena.cpu("higher", 2, priority=1).run()["higher"].endswith("Pending the preemption of 1 workload(s)")
    )

    arena = Cluster(follows=V0_6).flavors().queue("cq", group("cpu", default=[1]))
    assert set(arena.cpu("one", 2).cpu("other", 2).run_all()) == {"one", "other"}


def test_waking_and_cohort_objects_came_later_q_502_q_508() -> None:
    rows = [
        (release.queues.requeue_batch_seconds, release.queues.has_cohort_objects)
        for release in (V0_6, DOCS, dialect("v0.19"))
    ]

    assert rows == [(0.0, False), (0.0, True), (1.0, True)]


def place_of(arena: Arena, name: str) -> AssignmentContext:
    """The ClusterQueue of a name, as the search for flavors sees it."""
    queue_manager = arena.queue_manager
    return AssignmentContext(
        queue_manager.catalogue.cluster_queues[name],
        queue_manager.ledger.cohort_trees.queues[name],
        queue_manager.catalogue.flavors,
        arena.preemptor,
    )


@pytest.mark.parametrize(("shares", "mode"), [(True, PreemptionMode.PREEMPT), (False, PreemptionMode.NO_FIT)])
def test_who_borrows_is_promised_a_preemption_where_quota_is_shared_fairly_q_519(
    shares: bool, mode: PreemptionMode
) -> None:
    arena = FairArena() if shares else Arena()
    arena.member("a", "all", policies(reclaim="Any"), cpu=0).member("b", "all", cpu=4).holds("x", "b", cpu=4)
    arena.workload("new", queue="a")

    fit = legacy_v0_6.fit_quota(place_of(arena, "a"), arena.objects["ns/new"], pair("cpu"), 0, 2000)

    assert fit.granular_mode.mode is mode


@pytest.mark.parametrize(("cpu", "level"), [(1999, 0), (2000, 0), (2001, 1)])
def test_what_is_promised_borrows_beyond_the_nominal_quota_q_519(cpu: int, level: int) -> None:
    arena = FairArena().member("a", "all", policies(reclaim="Any"), cpu=2)
    arena.member("b", "all", cpu=4).holds("x", "b", cpu=4).holds("y", "a", cpu=2)
    arena.workload("new", queue="a")

    fit = legacy_v0_6.fit_quota(place_of(arena, "a"), arena.objects["ns/new"], pair("cpu"), 0, cpu)

    assert fit.granular_mode == (PreemptionMode.PREEMPT, level)


LIMITED = "borrowing limit for cpu in flavor default exceeded"
GRADES = {
    "all of its own": (alone(), "cq", 0, 2000, (PreemptionMode.FIT, 0), ""),
    "all of its own, in a cohort": (beside(2, 0), "cq", 0, 2000, (PreemptionMode.FIT, 0), ""),
    "more, from the cohort": (beside(2, 0), "cq", 0, 2001, (PreemptionMode.FIT, 1), ""),
    "with another podSet more": (beside(2, 0), "cq", 1000, 1001, (PreemptionMode.FIT, 1), ""),
    "as much as it may borrow": (beside(limited(2, bl=1), 0), "cq", 0, 3000, (PreemptionMode.FIT, 1), ""),
    "more than it may borrow": (beside(limited(2, bl=1), 0), "cq", 0, 3001, (PreemptionMode.NO_FIT, 0), LIMITED),
    "what an equal holds": (
        alone(1), "cq", 0, 2000, (PreemptionMode.PREEMPT, 0), "insufficient unused quota for cpu in flavor default, 1 more needed",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("arena", "name", "before", "requested", "grade", "why"), GRADES.values(), ids=GRADES
)
def test_a_flavor_is_graded_by_what_is_free_now_q_509(
    arena: Arena, name: str, before: int, requested: int, grade: Any, why: str
) -> None:
    arena.workload("new", queue=name)

    graded = legacy_v0_6.fit_quota(
        place_of(arena, name), arena.objects["ns/new"], pair("cpu"), before, requested
    )

    assert graded == QuotaFit(grade, why)


@pytest.mark.parametrize(
    ("requested", "mode"), [(4000, PreemptionMode.PREEMPT), (4001, PreemptionMode.NO_FIT)]
)
def test_a_preemption_is_promised_up_to_all_that_the_cohort_has_q_519(
    requested: int, mode: PreemptionMode
) -> None:
    arena = FairArena().member("a", "all", policies(reclaim="Any"), cpu=0).member("b", "all", cpu=4)
    arena.holds("x", "b", cpu=4).workload("new", queue="a")

    fit = legacy_v0_6.fit_quota(place_of(arena, "a"), arena.objects["ns/new"], pair("cpu"), 0, requested)

    assert fit.granular_mode.mode is mode


OWN, OTHERS, BOTH = (
    policies("LowerPriority"),
    policies(reclaim="Any"),
    policies("LowerPriority", "LowerPriority"),
)
FULL = (("own", "a", -1, 2), ("lent", "b", -1, 3))
RECLAIMED = {
    "all of others": (OTHERS, FULL, 0, 2000, PreemptionMode.RECLAIM),
    "beside another podSet": (OTHERS, FULL, 1000, 1000, PreemptionMode.RECLAIM),
    "its own": (OWN, FULL, 0, 2000, PreemptionMode.PREEMPT),
    "its own, as what was lent is not enough": (
        BOTH, (FULL[0], ("low", "b", -1, 1), ("high", "b", 9, 2)), 0, 2000, PreemptionMode.PREEMPT,
    ),
    "nobody's": (policies(), FULL, 0, 2000, PreemptionMode.PREEMPT),
    "what is free": (OTHERS, (), 0, 2000, PreemptionMode.FIT),
    "what it would borrow": (
        policies(reclaim="Any", borrow="LowerPriority", threshold=0), FULL, 0, 2001, PreemptionMode.PREEMPT,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("preemption", "holders", "before", "requested", "mode"), RECLAIMED.values(), ids=RECLAIMED
)
def test_what_only_takes_back_what_was_lent_is_better_in_v0_9(
    preemption: Any, holders: Any, before: int, requested: int, mode: PreemptionMode
) -> None:
    """Queue a has 4 cores, and b beside it 1."""
    arena = Arena(follows=DOCS).member("a", "all", preemption, cpu=4).member("b", "all", cpu=1)
    for name, queue, priority, cores in holders:
        arena.holds(name, queue, priority, cpu=cores)
    arena.workload("new", queue="a")

    fit = legacy_v0_6.fit_quota_or_reclaim(
        place_of(arena, "a"), arena.objects["ns/new"], pair("cpu"), before, requested
    )

    assert fit.granular_mode.mode is mode


def test_what_finds_no_victims_keeps_what_is_free_from_the_cohort_q_507() -> None:
    arena = Arena(follows=V0_6).member("a", "all", policies("LowerPriority"), cpu=2).member("b", "all", cpu=0)
    arena.holds("equal", "a", cpu=1).cpu("first", 2, queue="a").cpu("second", 1, queue="b")

    verdicts = arena.run()

    assert "1 more needed" in verdicts["first"]
    assert verdicts["second"] == OTHERS_FIRST
