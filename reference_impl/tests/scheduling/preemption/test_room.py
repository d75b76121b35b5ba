"""The search skips looks at the tree; one that looks after every step finds the same (P-051)."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.kueue.quota.tree import fits_now, is_borrowing
from reference_impl.kueue.scheduling.preemption import candidates, search
from reference_impl.kueue.scheduling.preemption.candidates import Candidate, PreemptionClaim
from reference_impl.kueue.scheduling.preemption.classical import is_evicted, is_preemptible_always
from reference_impl.kueue.scheduling.preemption.search import room

from .arenas import Arena, limited, policies, usage_of

STEADY = settings(derandomize=True, deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))
QUEUES = ("a", "b", "c")
LIMITS = st.none() | st.integers(0, 3)
QUOTAS = st.tuples(st.integers(0, 4), LIMITS, LIMITS)
HELD = st.lists(
    st.tuples(st.sampled_from(QUEUES), st.integers(-2, 2), st.integers(0, 2), st.integers(0, 2)),
    min_size=6,
    max_size=20,
)
WANTED = st.tuples(st.sampled_from(QUEUES), st.integers(1, 6), st.integers(0, 6))


def _quota(nominal: int, bl: int | None, ll: int | None) -> dict[str, str]:
    return limited(nominal, bl, None if ll is None else min(ll, nominal))


@st.composite
def arenas(draw: Any) -> Arena:
    """Two cohorts, three queues of two resources, and Workloads many of which use the same."""
    arena = Arena().cohort("root", cpu=draw(st.integers(0, 3)), memory=draw(st.integers(0, 3)))
    arena.cohort("left", "root", cpu=_quota(*draw(QUOTAS)))
    for name, cohort in zip(QUEUES, ("left", "left", "root"), strict=True):
        claimed = policies("LowerPriority", "Any", draw(st.sampled_from((None, "LowerPriority"))))
        arena.member(name, cohort, claimed, cpu=_quota(*draw(QUOTAS)), memory=_quota(*draw(QUOTAS)))
    for number, (queue, priority, cores, memory) in enumerate(draw(HELD)):
        arena.holds(f"w{number}", queue, priority, since=number % 4, created=number, cpu=cores, memory=memory)
    return arena


def claim_of(arena: Arena, claimed: tuple[str, int, int]) -> PreemptionClaim:
    queue, cores, memory = claimed
    arena.workload("incoming", queue=queue, priority=1)
    usage = usage_of({"cpu": cores, "memory": memory})
    short = frozenset(fr for fr, value in usage.items() if value)
    spec, node = (
        arena.queue_manager.catalogue.cluster_queues[queue],
        arena.queue_manager.ledger.cohort_trees.queues[queue],
    )
    return PreemptionClaim.of(arena.objects["ns/incoming"], spec, node, usage, short, frozenset())


def plainly_fits(claim: PreemptionClaim, *, borrowing: bool) -> bool:
    return all(
        value <= fits_now(claim.node, fr) and (borrowing or not is_borrowing(claim.node, fr, value))
        for fr, value in claim.usage.items()
    )


def plain_search(
    arena: Arena, claim: PreemptionClaim, possible: candidates.Candidates, in_order: list[Candidate]
) -> list[Candidate]:
    """Look after every step (Q-266…Q-269)."""
    forest = arena.queue_manager.ledger.cohort_trees
    for borrowing in search.attempts(claim, possible):
        with forest.simulation():
            gone: list[Candidate] = []
            for candidate in in_order:
                if not search.is_allowed(candidate, claim, borrowing=borrowing):
                    continue
                forest.remove(candidate.node.name, candidate.holding.usage)
                gone.append(candidate)
                if plainly_fits(claim, borrowing=borrowing):
                    break
            else:
                continue
            for index in range(len(gone) - 2, -1, -1):
                forest.add(gone[index].node.name, gone[index].holding.usage)
                if plainly_fits(claim, borrowing=borrowing):
                    gone[index] = gone[-1]
                    gone.pop()
                else:
                    forest.remove(gone[index].node.name, gone[index].holding.usage)
            return gone
    return []


@STEADY
@given(arenas(), WANTED)
def test_a_search_that_looks_after_every_step_finds_the_same(
    arena: Arena, claimed: tuple[str, int, int]
) -> None:
    claim, ledger = claim_of(arena, claimed), arena.queue_manager.ledger
    possible = candidates.collect(
        claim, ledger, lambda name: is_preemptible_always(arena.queue_manager.catalogue, name)
    )
    in_order = candidates.order(possible, is_evicted)

    quick = search.search(claim, possible, in_order, ledger.cohort_trees)

    assert quick == plain_search(arena, claim, possible, in_order)


@STEADY
@given(arenas(), WANTED, st.booleans())
def test_it_fits_when_each_resource_does_q_268(
    arena: Arena, claimed: tuple[str, int, int], borrowing: bool
) -> None:
    claim = claim_of(arena, claimed)

    remaining = room(claim, borrowing=borrowing).values()

    assert all(value >= 0 for value in remaining) == plainly_fits(claim, borrowing=borrowing)
