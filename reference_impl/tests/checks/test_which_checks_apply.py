"""Which checks apply, and how the list follows (AC-350…358, SC-003, SC-004, C-03)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.checks.rules import (
    CheckRule,
    all_listed,
    checks_for_flavors,
    checks_for_flavors_and_lost_ones,
    rules_of,
)

ALL = frozenset({"spot", "on-demand"})
RULES = (
    CheckRule("c1", frozenset({"on-demand"})),
    CheckRule("c2"),
    CheckRule("c3", frozenset({"spot"})),
    CheckRule("c4", frozenset({"spot", "on-demand"})),
)
CASES = {
    "AC-350 before a reservation": (RULES, ALL, None, {"c2", "c4"}),
    "AC-351 on one flavor": (RULES, ALL, frozenset({"on-demand"}), {"c1", "c2", "c4"}),
    "AC-351 on both": (RULES, ALL, ALL, {"c1", "c2", "c3", "c4"}),
    "AC-352 assignment without flavor": (RULES, ALL, frozenset(), set()),
    "AC-352 queue without flavors": (RULES, frozenset(), None, {"c1", "c2", "c3", "c4"}),
    "C-03 flavor no longer in the queue": (RULES[1:2], frozenset({"spot"}), frozenset({"on-demand"}), set()),
}


@pytest.mark.parametrize(("rules", "every", "used", "expected"), CASES.values(), ids=CASES.keys())
def test_required(
    rules: tuple[CheckRule, ...], every: frozenset[str], used: frozenset[str] | None, expected: set[str]
) -> None:
    assert checks_for_flavors(rules, every, used) == expected


FIXED = {
    "a flavor that the queue lost": (RULES[1:], frozenset({"spot"}), frozenset({"on-demand"}), {"c2", "c4"}),
    "before a reservation": (RULES, ALL, None, {"c2", "c4"}),
}


@pytest.mark.parametrize(("rules", "every", "used", "expected"), FIXED.values(), ids=FIXED)
def test_required_where_lost_flavors_count(
    rules: tuple[CheckRule, ...], every: frozenset[str], used: frozenset[str] | None, expected: set[str]
) -> None:
    """C-03, fixed."""
    assert checks_for_flavors_and_lost_ones(rules, every, used) == expected


def test_releases_before_on_flavors_list_every_check() -> None:
    """AC-355."""
    assert all_listed(RULES, ALL, frozenset({"spot"})) == {"c1", "c2", "c3", "c4"}


def test_rules_are_read_from_the_cluster_queue() -> None:
    strategy = {"admissionChecks": [{"name": "a"}, {"name": "b", "onFlavors": ["f"]}]}
    groups = [{"flavors": [{"name": "f"}]}, {"flavors": [{"name": "g"}]}]

    rules = rules_of({"spec": {"admissionChecksStrategy": strategy, "resourceGroups": groups}})

    assert rules == ((CheckRule("a"), CheckRule("b", frozenset({"f"}))), frozenset({"f", "g"}))


OLD = {
    "name": "b",
    "state": "Ready",
    "message": "kept",
    "lastTransitionTime": "2026-01-01T00:00:00Z",
    "retryCount": 2,
}


def test_sync_adds_drops_and_leaves_alone() -> None:
    """AC-357, SC-002."""
    gone = {**OLD, "name": "gone"}

    synced = Checks((gone, OLD)).sync({"b", "a"}, 0)

    added = {"name": "a", "state": "Pending", "message": "", "lastTransitionTime": "1970-01-01T00:00:00Z"}
    assert synced.entries == (added, OLD)


def test_sync_of_a_list_in_another_order_changes_nothing() -> None:
    """AC-358."""
    checks = Checks(({**OLD, "name": "z"}, OLD))

    assert checks.sync({"b", "z"}, 0) is checks
