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
from reference_impl.kueue.checks.rules import required
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


def planned(found: Arena) -> PlannedPreemptions:
    plans = PlannedPreemptions(
        ledger=found.queue_manager.ledger,
        catalogue=found.queue_manager.catalogue,
        preemptor=found.preemptor,
        required=required,
        may_preempt=may_preempt,
        leaving=is_evicted,
        sent_back=SENT_BACK,
    )
    found.cycle = replace(found.cycle, plans=plans)
    return plans


def alone(cores: int = 4, preemption: Any = LOWER) -> Arena:
    found = Arena().checked("c", preemptionPolicy="AfterCheckPassedOrOnDemand")
    return found.queue("cq", group("cpu", default=[cores]), preemption=preemption, **CHECKED)


def victims(plans: PlannedPreemptions, found: Arena, *names: str) -> dict[str, set[str]]:
    return {
        name: {each.holding.workload.name for each in plans.victims(found.objects[f"ns/{name}"])}
        for name in names
    }


def test_each_reservation_counts_on_its_own_victims_ac_469() -> None:
    found = (
        alone().holds("a", "cq", -1, cpu=2, admitted=True).holds("b", "cq", -1, since=1, cpu=2, admitted=True)
    )
    found.holds("first", "cq", 1, since=2, cpu=2, message=WAITS).holds(
        "second", "cq", 1, since=3, cpu=2, message=WAITS
    )

    assert victims(planned(found), found, "first", "second") == {"first": {"b"}, "second": {"a"}}


def says(found: Arena, name: str, state: str) -> None:
    """Let the check of a reservation have this state."""
    workload = found.objects[f"ns/{name}"].object
    status = {**workload["status"], "admissionChecks": [{"name": "c", "state": state}]}
    found.put(Workload({**workload, "status": status}))


def test_what_may_preempt_by_now_goes_first_ac_469() -> None:
    """What its victim has left is not given to an older reservation whose checks have not passed."""
    found = alone().holds("a", "cq", -1, cpu=2, admitted=True)
    found.holds("first", "cq", 1, since=2, cpu=2, message=WAITS).holds(
        "second", "cq", 1, since=3, cpu=2, message=WAITS
    )
    says(found, "first", "Pending")
    says(found, "second", "Ready")

    assert victims(planned(found), found, "first", "second") == {"first": {"a"}, "second": set()}


def test_plans_are_made_anew_when_another_one_may_preempt_ac_469() -> None:
    found = alone().holds("a", "cq", -1, cpu=2, admitted=True).holds("high", "cq", 9, cpu=2, admitted=True)
    for since, name in enumerate(("first", "second"), start=2):
        found.holds(name, "cq", 1, since=since, cpu=2, message=WAITS)
        says(found, name, "Pending")
    plans = planned(found)
    before = victims(plans, found, "first", "second")

    says(found, "second", "Ready")

    assert before == {"first": {"a"}, "second": set()}
    assert victims(plans, found, "first", "second") == {"first": set(), "second": {"a"}}


def test_the_order_in_which_a_restart_finds_them_does_not_matter_ac_471() -> None:
    holders = [("a", -1, 0, ""), ("b", -2, 1, ""), ("first", 1, 2, WAITS), ("second", 2, 3, WAITS)]
    for order in (holders, holders[::-1], holders[2:] + holders[:2]):
        found = alone()
        for name, priority, since, message in order:
            found.holds(
                name, "cq", priority, since=since, created=since, cpu=2, admitted=not message, message=message
            )

        assert victims(planned(found), found, "first", "second") == {"first": {"b"}, "second": {"a"}}


def test_a_planned_victim_is_left_to_whom_it_was_planned_for_ac_469() -> None:
    """Who may preempt by now goes first, and takes another one where there is one."""
    found = (
        alone().holds("low", "cq", -2, cpu=2, admitted=True).holds("middle", "cq", 1, cpu=2, admitted=True)
    )
    found.holds("first", "cq", 0, since=2, cpu=2, message=WAITS)
    says(found, "first", "Pending")
    plans = planned(found)
    assert victims(plans, found, "first") == {"first": {"low"}}

    found.holds("second", "cq", 5, since=3, cpu=2, message=WAITS)
    says(found, "second", "Ready")

    assert victims(plans, found, "first", "second") == {"first": {"low"}, "second": {"middle"}}


def test_a_reservation_that_fits_by_now_is_a_victim_for_those_after_it_ac_469() -> None:
    found = alone().holds("first", "cq", 0, since=2, cpu=4, message=WAITS)
    found.holds("second", "cq", 1, since=3, cpu=4, message=WAITS)

    assert victims(planned(found), found, "first", "second") == {"first": set(), "second": {"first"}}


def test_a_reservation_without_victims_is_not_planned_at_the_cost_of_one_with_them() -> None:
    found = alone(6).holds("a", "cq", -1, cpu=4, admitted=True)
    found.holds("waits", "cq", 1, cpu=3, message=WAITS).holds("beside", "cq", 0, cpu=2)
    plans = planned(found)

    assert victims(plans, found, "waits", "beside") == {"waits": {"a"}, "beside": set()}
    beside = plans.reservation_state(found.objects["ns/beside"])
    assert (beside.is_covered, beside.preemptions) == (True, 0)
    assert not plans.reservation_state(found.objects["ns/waits"]).is_covered


def test_a_reservation_whose_victims_have_left_waits_no_more_ac_473() -> None:
    found = alone().holds("first", "cq", 1, cpu=4, message=WAITS)
    waited = [*found.queue_manager.ledger.awaiting]

    found.holds("first", "cq", 1, cpu=4)

    assert (waited, [*found.queue_manager.ledger.awaiting]) == (["ns/first"], [])


def test_quota_that_shrank_takes_the_newest_reservation_back_ac_474() -> None:
    found = alone(4, policies())
    found.holds("old", "cq", 0, cpu=2).holds("new", "cq", 0, since=1, cpu=2)
    found.queue("cq", group("cpu", default=[3]), preemption=policies(), **CHECKED)
    plans = planned(found)

    assert plans.reservation_state(found.objects["ns/old"]).objection == ""
    assert "1 more needed" in plans.reservation_state(found.objects["ns/new"]).objection


def shrunk(to: str, **since: int) -> tuple[PlannedPreemptions, Arena]:
    """Reservations of 2 cores each, at these seconds, of quota that is less by now."""
    found = alone(2 * len(since), policies())
    for name, seconds in since.items():
        found.holds(name, "cq", 0, since=seconds, cpu=2)
    found.queue("cq", group("cpu", default=[to]), preemption=policies(), **CHECKED)
    return planned(found), found


def test_as_many_reservations_go_back_as_quota_that_shrank_does_not_cover_ac_474() -> None:
    plans, found = shrunk("2", first=0, second=1, third=2)

    objections = {
        name: bool(plans.reservation_state(found.objects[f"ns/{name}"]).objection)
        for name in ("first", "second", "third")
    }

    assert objections == {"first": False, "second": True, "third": True}


def test_an_evicted_reservation_keeps_its_quota_until_it_gives_it_back_ac_474() -> None:
    found = alone(6, policies()).holds("gone", "cq", 0, cpu=2, evicted=True)
    found.holds("old", "cq", 0, since=1, cpu=2).holds("new", "cq", 0, since=2, cpu=2)
    found.queue("cq", group("cpu", default=["4"]), preemption=policies(), **CHECKED)
    plans = planned(found)

    assert [
        bool(plans.reservation_state(found.objects[f"ns/{name}"]).objection) for name in ("old", "new")
    ] == [
        False,
        True,
    ]


@pytest.mark.parametrize(("quota", "short"), [("4", False), ("3999m", True)])
def test_a_thousandth_too_much_takes_a_reservation_back_ac_474(quota: str, short: bool) -> None:
    plans, found = shrunk(quota, old=0, new=1)

    assert bool(plans.reservation_state(found.objects["ns/new"]).objection) is short
    assert not plans.reservation_state(found.objects["ns/old"]).objection


def test_an_evicted_reservation_displaces_nobody_ac_472() -> None:
    found = (
        alone()
        .holds("low", "cq", -1, cpu=4, admitted=True)
        .holds("waits", "cq", 1, since=1, cpu=4, message=WAITS)
    )
    found.holds("gone", "cq", 5, since=2, cpu=4, evicted=True, message=WAITS)

    assert victims(planned(found), found, "waits", "gone") == {"waits": {"low"}, "gone": set()}


def test_a_plan_stays_when_the_tree_changes_ac_471() -> None:
    found = (
        alone(5)
        .holds("a", "cq", -1, cpu=2, admitted=True)
        .holds("b", "cq", -1, since=1, cpu=2, admitted=True)
    )
    found.holds("first", "cq", 1, since=2, cpu=3, message=WAITS)
    plans = planned(found)
    before = victims(plans, found, "first")

    found.queue_manager.ledger.cohort_trees.touch("cq")

    assert before == victims(plans, found, "first") == {"first": {"b"}}


WITHIN = {
    "within its nominal quota": (2, "Any", ()),
    "beyond it": (1, "Any", ("ns/waits",)),
    "beyond it, and nobody reclaims": (1, "Never", ()),
}


@pytest.mark.parametrize(("nominal", "reclaim", "expected"), WITHIN.values(), ids=WITHIN)
def test_a_plan_of_another_queue_gives_way_where_it_borrows_ac_472(
    nominal: int, reclaim: str, expected: Any
) -> None:
    found = Arena().checked("c").member("apart", cpu=2).member("a", "all", policies(reclaim=reclaim), cpu=2)
    found.member("b", "all", LOWER, cpu=nominal)
    found.holds("elsewhere", "apart", -1, cpu=2, message=WAITS).holds("low", "b", -1, cpu=2, admitted=True)
    found.holds("waits", "b", 0, cpu=2, message=WAITS).workload("new", queue="a", priority=5)
    plans = planned(found)

    with plans.state():
        assert plans.weaker(found.objects["ns/new"], "a") == expected


def test_preemptions_that_are_needed_only_now_are_planned_ac_449() -> None:
    found = alone(4).holds("low", "cq", -1, cpu=2, admitted=True).holds("high", "cq", 1, since=1, cpu=2)
    found.queue("cq", group("cpu", default=[3]), preemption=LOWER, **CHECKED)

    outlook = planned(found).reservation_state(found.objects["ns/high"])

    assert (outlook.objection, outlook.preemptions, outlook.has_unissued_preemptions, outlook.is_covered) == (
        "",
        1,
        True,
        False,
    )


def test_an_evicted_reservation_counts_for_nobody() -> None:
    found = alone().holds("low", "cq", -1, cpu=4, admitted=True)
    found.holds("gone", "cq", 1, since=1, cpu=4, evicted=True, message=WAITS)
    found.holds("next", "cq", 1, since=2, cpu=4, message=WAITS)

    assert victims(planned(found), found, "gone", "next") == {"gone": set(), "next": {"low"}}


def test_quota_is_reserved_first_where_a_check_is_asked_ac_440_ac_477() -> None:
    found = alone().holds("low", "cq", -1, cpu=4, admitted=True)
    planned(found)

    assert found.cpu("high", 2, priority=1).run() == {"high": "reserved"}
    assert found.preempted == {}
    found.queue("cq", group("cpu", default=[4]), preemption=LOWER).remove("high").cpu(
        "other", 2, priority=1
    ).run_all()
    assert found.preempted == {"other": {"low": "InClusterQueue"}}


def test_nobody_uses_what_only_a_plan_makes_free_ac_469() -> None:
    found = alone().holds("low", "cq", -1, cpu=4, admitted=True).holds("waits", "cq", 1, cpu=2, message=WAITS)
    planned(found)

    told = found.cpu("late", 1, priority=0).run()

    assert told == {"late": "free quota is left to Workloads that wait for preemptions"}


def test_a_more_important_workload_takes_planned_victims_ac_472() -> None:
    found = alone().holds("low", "cq", -1, cpu=4, admitted=True).holds("waits", "cq", 1, cpu=4, message=WAITS)
    plans = planned(found)

    assert found.cpu("late", 4, priority=2).run() == {"late": "reserved"}
    late = found.objects["ns/late"].object
    conditions = [{**each, "message": WAITS} for each in late["status"]["conditions"]]
    found.put(Workload({**late, "status": {**late["status"], "conditions": conditions}}))
    assert victims(plans, found, "late") == {"late": {"low"}}
    assert "4 more needed" in plans.reservation_state(found.objects["ns/waits"]).objection


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
    found = Arena().checked("c")
    for name, cores in zip("ab", quotas, strict=True):
        found.queue(
            name,
            group("cpu", default=[cores]),
            cohortName="all",
            preemption=policies("LowerPriority", "Any"),
            **CHECKED,
        )
    for number, (queue, priority, cores, kind, evicted) in enumerate(holders):
        found.holds(
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
    forest = found.queue_manager.ledger.cohort_trees
    before = {name: node.used(CPU) for name, node in forest.queues.items()}
    plans = planned(found)
    derived = plans._of_tree("a")

    assert {name: node.used(CPU) for name, node in forest.queues.items()} == before
    assert found.queue_manager.ledger.left_out == set()
    assert planned(found)._of_tree("a") == derived
    taken = [each.holding.workload.key for plan in derived.values() for each in plan.victims]
    assert len(taken) == len(set(taken))
    with plans._enter_plans([derived]):
        for plan in derived.values():
            assert plan.objection or available(forest.queues[plan.holding.cluster_queue], CPU) >= 0
