"""The checks that a ClusterQueue requires of a Workload (AC-350…355, Q-312)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reference_impl.api.resource import Json


@dataclass(frozen=True, slots=True)
class CheckRule:
    """One line of `admissionChecksStrategy`; no flavors means all of them."""

    name: str
    on_flavors: frozenset[str] = frozenset()

    def covers(self, every: frozenset[str]) -> bool:
        """Tell whether the rule is for all flavors; naming each one counts (AC-350)."""
        return not self.on_flavors or self.on_flavors >= every

    def touches(self, used: frozenset[str], every: frozenset[str]) -> bool:
        """Tell whether the rule is for one of the assigned flavors (AC-351)."""
        # `every` and not "always": a flavor that the queue lost is in `used`, but no
        # longer in `every`, so its checks are dropped (C-03).
        return bool((self.on_flavors or every) & used)


def rules_of(cluster_queue: Json) -> tuple[tuple[CheckRule, ...], frozenset[str]]:
    """Read the rules and the set of all flavors from a ClusterQueue."""
    spec = cluster_queue.get("spec") or {}
    strategy = (spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or ()
    rules = tuple(
        CheckRule(line.get("name", ""), frozenset(line.get("onFlavors") or ())) for line in strategy
    )
    groups = spec.get("resourceGroups") or ()
    return rules, frozenset(flavor["name"] for group in groups for flavor in group.get("flavors") or ())


def checks_for_flavors(
    rules: Iterable[CheckRule], every: frozenset[str], used: frozenset[str] | None
) -> frozenset[str]:
    """Return the checks that apply: of the assigned flavors (`used`), before an admission those for all.

    An assignment without any flavor needs none (AC-352).
    """
    if used is None:
        # Before a reservation no flavor is known: only checks for all flavors are
        # certain to be needed.
        return frozenset(rule.name for rule in rules if rule.covers(every))
    return frozenset(rule.name for rule in rules if rule.touches(used, every))


def checks_for_flavors_and_lost_ones(
    rules: Iterable[CheckRule], every: frozenset[str], used: frozenset[str] | None
) -> frozenset[str]:
    """Return the same, but a flavor that the queue lost still needs the checks for all (C-03, fixed)."""
    return checks_for_flavors(rules, every if used is None else every | used, used)


def all_listed(
    rules: Iterable[CheckRule], _every: frozenset[str], _used: frozenset[str] | None
) -> frozenset[str]:
    """Return every check whatever the flavors: releases before `onFlavors` (AC-355)."""
    return frozenset(rule.name for rule in rules)
