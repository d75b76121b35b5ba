"""What the spec of a ClusterQueue says, and what stands in where it says nothing (AC-030…AC-045, Q-113)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.quota.cluster_queue import ClusterQueueSpec, FlavorFungibility, PreemptionPolicies


def read(deleting: bool = False, **spec: Any) -> ClusterQueueSpec:
    stamp = {"deletionTimestamp": "2026-01-01T00:00:00Z"} if deleting else {}
    return ClusterQueueSpec.of({"metadata": {"name": "cq", **stamp}, "spec": spec})


FUNGIBILITY: dict[str, tuple[Any, FlavorFungibility]] = {
    "nothing": ({}, FlavorFungibility(False, True, False)),
    "next to borrow": ({"whenCanBorrow": "TryNextFlavor"}, FlavorFungibility(True, True, False)),
    "borrows": ({"whenCanBorrow": "MayStopSearch"}, FlavorFungibility(False, True, False)),
    "next to preempt": ({"whenCanPreempt": "TryNextFlavor"}, FlavorFungibility(False, True, False)),
    "preempts": ({"whenCanPreempt": "MayStopSearch"}, FlavorFungibility(False, False, False)),
    "prefers preemption": ({"preference": "PreemptionOverBorrowing"}, FlavorFungibility(False, True, True)),
    "prefers borrowing": ({"preference": "BorrowingOverPreemption"}, FlavorFungibility(False, True, False)),
}


@pytest.mark.parametrize(("raw", "expected"), FUNGIBILITY.values(), ids=FUNGIBILITY)
def test_when_the_search_for_a_flavor_stops_q_172(raw: Any, expected: FlavorFungibility) -> None:
    assert read(flavorFungibility=raw).fungibility == expected


PREEMPTION: dict[str, tuple[Any, PreemptionPolicies]] = {
    "nothing": ({}, PreemptionPolicies("Never", "Never", "Never", None)),
    "all": (
        {
            "withinClusterQueue": "LowerPriority",
            "reclaimWithinCohort": "Any",
            "borrowWithinCohort": {"policy": "LowerPriority", "maxPriorityThreshold": 0},
        },
        PreemptionPolicies("LowerPriority", "Any", "LowerPriority", 0),
    ),
    "borrowing without a policy": (
        {"borrowWithinCohort": {}},
        PreemptionPolicies("Never", "Never", "Never", None),
    ),
}


@pytest.mark.parametrize(("raw", "expected"), PREEMPTION.values(), ids=PREEMPTION)
def test_what_may_be_preempted_q_113(raw: Any, expected: PreemptionPolicies) -> None:
    assert read(preemption=raw).preemption == expected


def test_an_empty_spec_holds_what_is_defaulted_ac_044_ac_045() -> None:
    parsed = read()

    assert (parsed.cohort, parsed.strategy, parsed.is_stopped, parsed.is_deleting) == (
        "",
        "BestEffortFIFO",
        False,
        False,
    )
    assert (parsed.namespace_selector, parsed.checks, parsed.weight, parsed.has_usage_based_order) == (
        None,
        (),
        1,
        False,
    )


def test_what_is_given_is_read_ac_044_ac_045() -> None:
    parsed = read(
        True,
        cohortName="all",
        queueingStrategy="StrictFIFO",
        stopPolicy="Hold",
        namespaceSelector={},
        fairSharing={"weight": "2"},
        admissionScope={"admissionMode": "UsageBasedAdmissionFairSharing"},
    )

    assert (parsed.cohort, parsed.strategy, parsed.is_stopped, parsed.is_deleting) == (
        "all",
        "StrictFIFO",
        True,
        True,
    )
    assert (parsed.namespace_selector, parsed.weight, parsed.has_usage_based_order) == ({}, 2, True)
    assert not read(admissionScope={"admissionMode": "NoAdmissionFairSharing"}).has_usage_based_order
