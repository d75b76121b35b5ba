"""What the event of a reservation tells about the flavors on the way (§11.2)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.quota.requests import PodSetRequests
from reference_impl.kueue.scheduling.assignment import (
    Assignment,
    FlavorAttempt,
    GranularMode,
    PodSetAssignment,
    PreemptionMode,
    describe_flavors,
)


def describe(*attempts, name="main"):
    return PodSetAssignment(PodSetRequests(name, 1, {}), {}, attempts=attempts)


FIT, BORROWS, NO_FIT = (
    GranularMode(PreemptionMode.FIT),
    GranularMode(PreemptionMode.FIT, 1),
    GranularMode(PreemptionMode.NO_FIT),
)
NO_CANDIDATES = GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES)

TOLD = {
    "a plain fit is no news": ([describe(FlavorAttempt("a", FIT))], ""),
    "borrowing": ([describe(FlavorAttempt("a", BORROWS))], "main: a(Fit;borrow=1)"),
    "no fit": (
        [describe(FlavorAttempt("a", NO_FIT, ("why",)), FlavorAttempt("b", FIT))],
        "main: a(NoFit;why)",
    ),
    "simulated": (
        [describe(FlavorAttempt("a", NO_CANDIDATES, ("why",)))],
        "main: a(preemptionMode=NoCandidates;why)",
    ),
    "with victims of its own": (
        [describe(FlavorAttempt("a", GranularMode(PreemptionMode.PREEMPT), ("why",)))],
        "main: a(preemptionMode=Preempt;why)",
    ),
    "reclaimed": (
        [describe(FlavorAttempt("a", GranularMode(PreemptionMode.RECLAIM), ("why",)))],
        "main: a(preemptionMode=Reclaim;why)",
    ),
    "several": (
        [
            describe(FlavorAttempt("b", BORROWS), FlavorAttempt("a", NO_FIT)),
            describe(FlavorAttempt("a", BORROWS), name="x"),
        ],
        "main: a(NoFit), b(Fit;borrow=1) | x: a(Fit;borrow=1)",
    ),
}


@pytest.mark.parametrize(("pod_sets", "expected"), TOLD.values(), ids=TOLD)
def test_flavors_considered(pod_sets, expected):
    assert describe_flavors(Assignment(tuple(pod_sets))) == expected
