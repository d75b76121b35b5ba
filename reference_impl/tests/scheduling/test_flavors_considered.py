"""What the event of a reservation tells about the flavors on the way (§11.2)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.quota.requests import PodSetRequests
from reference_impl.kueue.scheduling.assignment import Assignment, Attempt, PodSetAssignment
from reference_impl.kueue.scheduling.considered import flavors_considered
from reference_impl.kueue.scheduling.grades import Grade, Mode


def considered(*attempts, name="main"):
    return PodSetAssignment(PodSetRequests(name, 1, {}), {}, attempts=attempts)


FIT, BORROWS, NO_FIT = Grade(Mode.FIT), Grade(Mode.FIT, 1), Grade(Mode.NO_FIT)
NO_CANDIDATES = Grade(Mode.NO_CANDIDATES)

TOLD = {
    "a plain fit is no news": ([considered(Attempt("a", FIT))], ""),
    "borrowing": ([considered(Attempt("a", BORROWS))], "main: a(Fit;borrow=1)"),
    "no fit": ([considered(Attempt("a", NO_FIT, ("why",)), Attempt("b", FIT))], "main: a(NoFit;why)"),
    "simulated": (
        [considered(Attempt("a", NO_CANDIDATES, ("why",)))],
        "main: a(preemptionMode=NoCandidates;why)",
    ),
    "with victims of its own": (
        [considered(Attempt("a", Grade(Mode.PREEMPT), ("why",)))],
        "main: a(preemptionMode=Preempt;why)",
    ),
    "reclaimed": (
        [considered(Attempt("a", Grade(Mode.RECLAIM), ("why",)))],
        "main: a(preemptionMode=Reclaim;why)",
    ),
    "several": (
        [
            considered(Attempt("b", BORROWS), Attempt("a", NO_FIT)),
            considered(Attempt("a", BORROWS), name="x"),
        ],
        "main: a(NoFit), b(Fit;borrow=1) | x: a(Fit;borrow=1)",
    ),
}


@pytest.mark.parametrize(("pod_sets", "expected"), TOLD.values(), ids=TOLD)
def test_flavors_considered(pod_sets, expected):
    assert flavors_considered(Assignment(tuple(pod_sets))) == expected
