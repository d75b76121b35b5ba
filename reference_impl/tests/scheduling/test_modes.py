"""How well a flavor suits: what is asked of preemption,
and which of two flavors is better (Q-165…Q-172, Q-226).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from reference_impl.kueue.queueing.heads import pop_heads
from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.quota.cluster_queue import FlavorFungibility
from reference_impl.kueue.scheduling.assignment import (
    GranularMode,
    PreemptionMode,
    is_preferred,
    should_try_next_flavor,
    worst_by_preference,
)

from .queue_side import Cluster, group


def lend_out(**spec: Any) -> Cluster:
    """Of cq's 2 cores and the 4 that it may borrow, other uses 3."""
    cluster = Cluster().flavors()
    cluster.queue("other", group("cpu", default=[4]), cohortName="all").cpu("first", 3, queue="other").run()
    return cluster.queue("cq", group("cpu", default=[2]), cohortName="all", **spec)


MAY_BORROW = {"preemption": {"borrowWithinCohort": {"policy": "LowerPriority"}}}
NO_FIT, NO_CANDIDATES = RequeueReason.NO_FIT, RequeueReason.PREEMPTION_NO_CANDIDATES
ASKED = {
    "Q-165 more than there ever is": (lend_out, 7, NO_FIT),
    "Q-169 all there ever is": (lend_out, 6, NO_FIT),
    "Q-169 borrows": (lend_out, 4, NO_FIT),
    "Q-167 borrows, and may preempt for it": (lambda: lend_out(**MAY_BORROW), 4, NO_CANDIDATES),
    "Q-165 more than there ever is, though it may": (lambda: lend_out(**MAY_BORROW), 7, NO_FIT),
}


def verdict(cluster: Cluster, cores: float) -> Any:
    """What a cycle makes of a Workload of so many cores in cq."""
    queue_manager = cluster.cpu("w", cores).queue_manager
    return cluster.cycle.run(
        pop_heads(queue_manager.queues, queue_manager.catalogue, queue_manager.ledger.cohort_trees)
    )[0]


@pytest.mark.parametrize(("start", "cores", "reason"), ASKED.values(), ids=ASKED)
def test_preemption_is_asked_for_only_where_it_may_help(
    start: Any, cores: int, reason: RequeueReason
) -> None:
    assert verdict(start(), cores).reason is reason


LENT = {"cohortName": "all"}
NOMINAL: dict[str, tuple[Any, str, Any, RequeueReason]] = {
    "all of it": ({}, "cq", 2, NO_CANDIDATES),
    "all of it, lent to another": (LENT, "other", 2, NO_CANDIDATES),
    "more than it, lent to another": (LENT, "other", "2001m", NO_FIT),
}


@pytest.mark.parametrize(("fields", "holder", "cores", "reason"), NOMINAL.values(), ids=NOMINAL)
def test_preemption_is_asked_for_within_the_nominal_quota_q_167(
    fields: Any, holder: str, cores: Any, reason: RequeueReason
) -> None:
    cluster = Cluster().flavors().queue("other", group("cpu", default=[1]), **fields)
    cluster.queue("cq", group("cpu", default=[2]), **fields).cpu("first", 2, queue=holder).run()

    assert verdict(cluster, cores).reason is reason


MODES = [
    GranularMode(mode)
    for mode in (
        PreemptionMode.NO_FIT,
        PreemptionMode.NO_PREEMPTION_CANDIDATES,
        PreemptionMode.PREEMPT,
        PreemptionMode.RECLAIM,
        PreemptionMode.FIT,
    )
]
DEFAULT, SPARING = FlavorFungibility(), FlavorFungibility(prefer_preemption=True)


@pytest.mark.parametrize("policy", [DEFAULT, SPARING], ids=["borrow", "preempt"])
def test_a_better_mode_is_preferred_q_170(policy: FlavorFungibility) -> None:
    for worse, better in combinations(MODES, 2):
        assert is_preferred(better, worse, policy)
        assert not is_preferred(worse, better, policy)


def test_no_grade_is_preferred_to_itself_q_170() -> None:
    assert [mode for mode in MODES if is_preferred(mode, mode, DEFAULT)] == []


BORROWING = {
    "Q-170 viable by borrowing, not viable": (
        GranularMode(PreemptionMode.PREEMPT, 1),
        GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES),
        True,
        True,
    ),
    "Q-170 fits by borrowing, preempts": (
        GranularMode(PreemptionMode.FIT, 1),
        GranularMode(PreemptionMode.PREEMPT),
        True,
        False,
    ),
    "Q-170 borrows less": (
        GranularMode(PreemptionMode.FIT, 1),
        GranularMode(PreemptionMode.FIT, 2),
        True,
        True,
    ),
    "Q-170 preempts and borrows less": (
        GranularMode(PreemptionMode.PREEMPT, 1),
        GranularMode(PreemptionMode.RECLAIM, 2),
        False,
        True,
    ),
    "Q-170 what never fits and borrows less": (
        GranularMode(PreemptionMode.NO_FIT),
        GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES, 1),
        False,
        False,
    ),
    "Q-170 what might fit and borrows more": (
        GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES, 1),
        GranularMode(PreemptionMode.NO_FIT),
        True,
        True,
    ),
}


@pytest.mark.parametrize(("first", "other", "default", "sparing"), BORROWING.values(), ids=BORROWING)
def test_mode_or_borrowing_goes_first_as_the_policy_says(
    first: GranularMode, other: GranularMode, default: bool, sparing: bool
) -> None:
    assert (is_preferred(first, other, DEFAULT), is_preferred(first, other, SPARING)) == (default, sparing)


def test_a_flavor_is_as_good_as_its_worst_resource_q_154() -> None:
    assert worst_by_preference(
        [
            GranularMode(PreemptionMode.FIT),
            GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES),
            GranularMode(PreemptionMode.FIT, 1),
        ],
        DEFAULT,
    ) == GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES)
    assert worst_by_preference(
        [GranularMode(PreemptionMode.FIT), GranularMode(PreemptionMode.FIT, 1)], DEFAULT
    ) == GranularMode(PreemptionMode.FIT, 1)
    assert worst_by_preference([], DEFAULT) == GranularMode(PreemptionMode.FIT)


NEVER = FlavorFungibility(try_next_to_borrow=False, try_next_to_preempt=False)
ALWAYS = FlavorFungibility(try_next_to_borrow=True, try_next_to_preempt=True)
LOOKING = {
    "no fit": (GranularMode(PreemptionMode.NO_FIT), True, True),
    "no candidates": (GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES), True, True),
    "preempts": (GranularMode(PreemptionMode.PREEMPT), False, True),
    "reclaims": (GranularMode(PreemptionMode.RECLAIM), False, True),
    "fits by borrowing": (GranularMode(PreemptionMode.FIT, 1), False, True),
    "fits": (GranularMode(PreemptionMode.FIT), False, False),
}


@pytest.mark.parametrize(("grade", "never", "always"), LOOKING.values(), ids=LOOKING)
def test_the_next_flavor_is_looked_at_as_the_policy_says_q_172(
    grade: GranularMode, never: bool, always: bool
) -> None:
    assert (should_try_next_flavor(grade, NEVER), should_try_next_flavor(grade, ALWAYS)) == (never, always)


def test_preemption_was_looked_for_between_no_fit_and_fit() -> None:
    assert [mode for mode in PreemptionMode if mode.is_simulated] == [
        PreemptionMode.NO_PREEMPTION_CANDIDATES,
        PreemptionMode.PREEMPT,
        PreemptionMode.RECLAIM,
    ]


@pytest.mark.parametrize(
    "mode",
    [
        PreemptionMode.NO_PREEMPTION_CANDIDATES,
        PreemptionMode.PREEMPT,
        PreemptionMode.RECLAIM,
        PreemptionMode.FIT,
    ],
)
def test_of_equal_modes_the_one_that_borrows_less_is_preferred_q_170(mode: PreemptionMode) -> None:
    policy = FlavorFungibility()

    assert is_preferred(GranularMode(mode, 0), GranularMode(mode, 1), policy)
    assert not is_preferred(GranularMode(mode, 1), GranularMode(mode, 0), policy)
