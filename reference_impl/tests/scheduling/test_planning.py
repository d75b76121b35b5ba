"""Planned preemptions: who counts on whom, who may use what is free,
and what a restart finds (AC-440, AC-469…475).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.kueue.checks.preemption_policy import may_preempt
from reference_impl.kueue.checks.rules import checks_for_flavors
from reference_impl.kueue.quota.tree import available
from reference_impl.kueue.scheduling.plans import PlannedPreemptions
from reference_impl.kueue.scheduling.preemption.classical import is_evicted
from reference_impl.kueue.workload.messages import with_preemptions
from reference_impl.kueue.workload.view import Workload

from .preemption.arenas import Arena, pair, policies
from .queue_side import SENT_BACK, group

CPU = pair("cpu")
LOWER = policies("LowerPriority")
WAITS = with_preemptions("reserved", 1)
CHECKED = {"admissionChecksStrategy": {"admissionChecks": [{"name": "c"}]}}
STEADY = settings(derandomize=True, deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def make_plans(arena: Arena) -> PlannedPreemptions:
    plans = PlannedPreemptions(
        ledger=arena.queue_manager.ledger,
        catalogue=arena.queue_manager.catalogue,
        preemptor=arena.preemptor,
        required=checks_for_flavors,
        may_preempt=may_preempt,
        leaving=is_evicted,
        sent_back=SENT_BACK,
    )
    arena.cycle = replace(arena.cycle, plans=plans)
    return plans


def alone(cores: int = 4, preemption: Any = LOWER) -> Arena:
    arena = Arena().checked("c", preemptionPolicy="AfterCheckPassedOrOnDemand")
    return arena.queue("cq", group("cpu", default=[cores]), preemption=preemption, **CHECKED)


def victims(plans: PlannedPreemptions, arena: Arena, *names: str) -> dict[str, set[str]]:
    return {
        name: {victim.holding.workload.name for victim in plans.victims(arena.objects[f"ns/{name}"])}
        for name in names
    }


def test_each_reservation_counts_on_its_own_victims_ac_469() -> None:
    arena = (
        alone().holds("a", "cq", -1, cpu=2, admitted=True).holds("b", "cq", -1, since=1, cpu=2, admitted=True)
    )
    arena.holds("first", "cq", 1, since=2, cpu=2, message=WAITS).holds(
        "second", "cq", 1, since=3, cpu=2, message=WAITS
    )

    assert victims(make_plans(arena), arena, "first", "second") == {"first": {"b"}, "second": {"a"}}


def says(arena: Arena, name: str, state: str) -> None:
    """Let the check of a reservation have this state."""
    workload = arena.objects[f"ns/{name}"].object
    status = {**workload["status"], "admissionChecks": [{"name": "c", "state": state}]}
    arena.put(Workload({**workload, "status": status}))


def test_what_may_preempt_by_now_goes_first_ac_469() -> None:
    """What its victim has left is not given to an older reservation whose checks have not passed."""
    arena = alone().holds("a", "cq", -1, cpu=2, admitted=True)
    arena.holds("first", "cq", 1, since=2, cpu=2, message=WAITS).holds(
        "second", "cq", 1, since=3, cpu=2, message=WAITS
    )
    says(arena, "first", "Pending")
    says(arena, "second", "Ready")

    assert victims(make_plans(arena), arena, "first", "second") == {"first": {"a"}, "second": set()}


def test_plans_are_made_anew_when_another_one_may_preempt_ac_469() -> None:
    arena = alone().holds("a", "cq", -1, cpu=2, admitted=True).holds("high", "cq", 9, cpu=2, admitted=True)
    for since, name in enumerate(("first", "second"), start=2):
        arena.holds(name, "cq", 1, since=since, cpu=2, message=WAITS)
        says(arena, name, "Pending")
    plans = make_plans(arena)
    before = victims(plans, arena, "first", "second")

    says(arena, "second", "Ready")

    assert before == {"first": {"a"}, "second": set()}
    assert victims(plans, arena, "first", "second") == {"first": set(), "second": {"a"}}


def test_the_order_in_which_a_restart_finds_them_does_not_matter_ac_471() -> None:
    holders = [("a", -1, 0, ""), ("b", -2, 1, ""), ("first", 1, 2, WAITS), ("second", 2, 3, WAITS)]
    for order in (holders, holders[::-1], holders[2:] + holders[:2]):
        arena = alone()
        for name, priority, since, message in order:
            arena.holds(
                name, "cq", priority, since=since, created=since, cpu=2, admitted=not message, message=message
            )

        assert victims(make_plans(arena), arena, "first", "second") == {"first": {"b"}, "second": {"a"}}


def test_a_planned_victim_is_left_to_whom_it_was_planned_for_ac_469() -> None:
    """Who may preempt by now goes first, and takes another one where there is one."""
    arena = (
        alone().holds("low", "cq", -2, cpu=2, admitted=True).holds("middle", "cq", 1, cpu=2, admitted=True)
    )
    arena.holds("first", "cq", 0, since=2, cpu=2, message=WAITS)
    says(arena, "first", "Pending")
    plans = make_plans(arena)
    assert victims(plans, arena, "first") == {"first": {"low"}}

    arena.holds("second", "cq", 5, since=3, cpu=2, message=WAITS)
    says(arena, "second", "Ready")

    assert victims(plans, arena, "first", "second") == {"first": {"low"}, "second": {"middle"}}


def test_a_reservation_that_fits_by_now_is_a_victim_for_those_after_it_ac_469() -> None:
    arena = alone().holds("first", "cq", 0, since=2, cpu=4, message=WAITS)
    arena.holds("second", "cq", 1, since=3, cpu=4, message=WAITS)

    assert victims(make_plans(arena), arena, "first", "second") == {"first": set(), "second": {"first"}}


def test_a_reservation_without_victims_is_not_planned_at_the_cost_of_one_with_them() -> None:
    arena = alone(6).holds("a", "cq", -1, cpu=4, admitted=True)
    arena.holds("waits", "cq", 1, cpu=3, message=WAITS).holds("beside", "cq", 0, cpu=2)
    plans = make_plans(arena)

    assert victims(plans, arena, "waits", "beside") == {"waits": {"a"}, "beside": set()}
    beside = plans.reservation_state(arena.objects["ns/beside"])
    assert (beside.is_covered, beside.preemptions) == (True, 0)
    assert not plans.reservation_state(arena.objects["ns/waits"]).is_covered


def test_a_reservation_whose_victims_have_left_waits_no_more_ac_473() -> None:
    arena = alone().holds("first", "cq", 1, cpu=4, message=WAITS)
    waited = [*arena.queue_manager.ledger.awaiting]

    arena.holds("first", "cq", 1, cpu=4)

    assert (waited, [*arena.queue_manager.ledger.awaiting]) == (["ns/first"], [])


def test_quota_that_shrank_takes_the_newest_reservation_back_ac_474() -> None:
    arena = alone(4, policies())
    arena.holds("old", "cq", 0, cpu=2).holds("new", "cq", 0, since=1, cpu=2)
    arena.queue("cq", group("cpu", default=[3]), preemption=policies(), **CHECKED)
    plans = make_plans(arena)

    assert plans.reservation_state(arena.objects["ns/old"]).objection == ""
    assert "1 more needed" in plans.reservation_state(arena.objects["ns/new"]).objection


def shrunk(to: str, **since: int) -> tuple[PlannedPreemptions, Arena]:
    """Reservations of 2 cores each, at these seconds, of quota that is less by now."""
    arena = alone(2 * len(since), policies())
    for name, seconds in since.items():
        arena.holds(name, "cq", 0, since=seconds, cpu=2)
    arena.queue("cq", group("cpu", default=[to]), preemption=policies(), **CHECKED)
    return make_plans(arena), arena


def test_as_many_reservations_go_back_as_quota_that_shrank_does_not_cover_ac_474() -> None:
    plans, arena = shrunk("2", first=0, second=1, third=2)

    objections = {
        name: bool(plans.reservation_state(arena.objects[f"ns/{name}"]).objection)
        for name in ("first", "second", "third")
    }

    assert objections == {"first": False, "second": True, "third": True}


def test_an_evicted_reservation_keeps_its_quota_until_it_gives_it_back_ac_474() -> None:
    arena = alone(6, policies()).holds("gone", "cq", 0, cpu=2, evicted=True)
    arena.holds("old", "cq", 0, since=1, cpu=2).holds("new", "cq", 0, since=2, cpu=2)
    arena.queue("cq", group("cpu", default=["4"]), preemption=policies(), **CHECKED)
    plans = make_plans(arena)

    assert [
        bool(plans.reservation_state(arena.objects[f"ns/{name}"]).objection) for name in ("old", "new")
    ] == [
        False,
        True,
    ]


@pytest.mark.parametrize(("quota", "short"), [("4", False), ("3999m", True)])
def test_a_thousandth_too_much_takes_a_reservation_back_ac_474(quota: str, short: bool) -> None:
    plans, arena = shrunk(quota, old=0, new=1)

    assert bool(plans.reservation_state(arena.objects["ns/new"]).objection) is short
    assert not plans.reservation_state(arena.objects["ns/old"]).objection


def test_an_evicted_reservation_displaces_nobody_ac_472() -> None:
    arena = (
        alone()
        .holds("low", "cq", -1, cpu=4, admitted=True)
        .holds("waits", "cq", 1, since=1, cpu=4, message=WAITS)
    )
    arena.holds("gone", "cq", 5, since=2, cpu=4, evicted=True, message=WAITS)

    assert victims(make_plans(arena), arena, "waits", "gone") == {"waits": {"low"}, "gone": set()}


def test_a_plan_stays_when_the_tree_changes_ac_471() -> None:
    arena = (
        alone(5)
        .holds("a", "cq", -1, cpu=2, admitted=True)
        .holds("b", "cq", -1, since=1, cpu=2, admitted=True)
    )
    arena.holds("first", "cq", 1, since=2, cpu=3, message=WAITS)
    plans = make_plans(arena)
    before = victims(plans, arena, "first")

    arena.queue_manager.ledger.cohort_trees.touch("cq")

    assert before == victims(plans, arena, "first") == {"first": {"b"}}


WITHIN = {
    "within its nominal quota": (2, "Any", ()),
    "beyond it": (1, "Any", ("ns/waits",)),
    "beyond it, and nobody reclaims": (1, "Never", ()),
}


@pytest.mark.parametrize(("nominal", "reclaim", "expected"), WITHIN.values(), ids=WITHIN)
def test_a_plan_of_another_queue_gives_way_where_it_borrows_ac_472(
    nominal: int, reclaim: str, expected: Any
) -> None:
    arena = Arena().checked("c").member("apart", cpu=2).member("a", "all", policies(reclaim=reclaim), cpu=2)
    arena.member("b", "all", LOWER, cpu=nominal)
    arena.holds("elsewhere", "apart", -1, cpu=2, message=WAITS).holds("low", "b", -1, cpu=2, admitted=True)
    arena.holds("waits", "b", 0, cpu=2, message=WAITS).workload("new", queue="a", priority=5)
    plans = make_plans(arena)

    with plans.state():
        assert plans.weaker(arena.objects["ns/new"], "a") == expected


def test_preemptions_that_are_needed_only_now_are_planned_ac_449() -> None:
    arena = alone(4).holds("low", "cq", -1, cpu=2, admitted=True).holds("high", "cq", 1, since=1, cpu=2)
    arena.queue("cq", group("cpu", default=[3]), preemption=LOWER, **CHECKED)

    outlook = make_plans(arena).reservation_state(arena.objects["ns/high"])

    assert (outlook.objection, outlook.preemptions, outlook.has_unissued_preemptions, outlook.is_covered) == (
        "",
        1,
        True,
        False,
    )


def test_an_evicted_reservation_counts_for_nobody() -> None:
    arena = alone().holds("low", "cq", -1, cpu=4, admitted=True)
    arena.holds("gone", "cq", 1, since=1, cpu=4, evicted=True, message=WAITS)
    arena.holds("next", "cq", 1, since=2, cpu=4, message=WAITS)

    assert victims(make_plans(arena), arena, "gone", "next") == {"gone": set(), "next": {"low"}}


def test_quota_is_reserved_first_where_a_check_is_asked_ac_440_ac_477() -> None:
    arena = alone().holds("low", "cq", -1, cpu=4, admitted=True)
    make_plans(arena)

    assert arena.cpu("high", 2, priority=1).run() == {"high": "reserved"}
    assert arena.preempted == {}
    arena.queue("cq", group("cpu", default=[4]), preemption=LOWER).remove("high").cpu(
        "other", 2, priority=1
    ).run_all()
    assert arena.preempted == {"other": {"low": "InClusterQueue"}}


def test_nobody_uses_what_only_a_plan_makes_free_ac_469() -> None:
    arena = alone().holds("low", "cq", -1, cpu=4, admitted=True).holds("waits", "cq", 1, cpu=2, message=WAITS)
    make_plans(arena)

    verdicts = arena.cpu("late", 1, priority=0).run()

    assert verdicts == {"late": "free quota is left to Workloads that wait for preemptions"}


def test_a_more_important_workload_takes_planned_victims_ac_472() -> None:
    arena = alone().holds("low", "cq", -1, cpu=4, admitted=True).holds("waits", "cq", 1, cpu=4, message=WAITS)
    plans = make_plans(arena)

    assert arena.cpu("late", 4, priority=2).run() == {"late": "reserved"}
    late = arena.objects["ns/late"].object
    conditions = [{**condition, "message": WAITS} for condition in late["status"]["conditions"]]
    arena.put(Workload({**late, "status": {**late["status"], "conditions": conditions}}))
    assert victims(plans, arena, "late") == {"late": {"low"}}
    assert "4 more needed" in plans.reservation_state(arena.objects["ns/waits"]).objection


HOLDERS = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(-2, 2),
        st.integers(1, 3),
        st.sampled_from(("admitted", "reserved", "waits")),
        st.booleans(),
    ),
    min_size=2,
    max_size=8,
)


@STEADY
@given(HOLDERS, st.tuples(st.integers(0, 6), st.integers(0, 6)))
def test_plans_fit_together_and_leave_no_trace(holders: Any, quotas: Any) -> None:
    """AC-441, AC-469: one reservation a victim, all of it within quota, and the tree is as before; a second
    look finds the same.
    """
    arena = Arena().checked("c")
    for name, cores in zip("ab", quotas, strict=True):
        arena.queue(
            name,
            group("cpu", default=[cores]),
            cohortName="all",
            preemption=policies("LowerPriority", "Any"),
            **CHECKED,
        )
    for number, (queue, priority, cores, kind, evicted) in enumerate(holders):
        arena.holds(
            f"w{number}",
            queue,
            priority,
            since=number,
            created=number,
            evicted=evicted,
            admitted=kind == "admitted",
            message=WAITS if kind == "waits" else "",
            cpu=cores,
        )
    forest = arena.queue_manager.ledger.cohort_trees
    before = {name: node.usage_of(CPU) for name, node in forest.queues.items()}
    plans = make_plans(arena)
    derived = plans._of_tree("a")

    assert {name: node.usage_of(CPU) for name, node in forest.queues.items()} == before
    assert arena.queue_manager.ledger.left_out == set()
    assert make_plans(arena)._of_tree("a") == derived
    taken = [victim.holding.workload.key for plan in derived.values() for victim in plan.victims]
    assert len(taken) == len(set(taken))
    with plans._enter_plans([derived]):
        for plan in derived.values():
            assert plan.objection or available(forest.queues[plan.holding.cluster_queue], CPU) >= 0
