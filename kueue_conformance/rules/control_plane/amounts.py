"""The usage of each pod set in an admission is that of its pods (Q-083, Q-177)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ...base.json_types import Json
from ...base.numbers import amount
from ..story import Finding, SafetyRule, Story
from ..workload import admission, becomes_true
from ..writes import by_kueue

_MORE_THAN_CONTAINERS = ("initContainers", "overhead", "runtimeClassName", "resources")
"""Fields that change the requests of a pod in other ways: pods with any of them are not judged."""
_SMALLEST = {"cpu": Fraction(1, 1000)}
"""Amounts are counted in these, anything but cpu in whole units;
what is finer is rounded and not judged (Q-080).
"""
_MOST = 2**63 // 1000
"""More than this is not counted exactly."""


def _new_assignments(story: Story) -> Iterator[tuple[Any, Json, Json]]:
    """Yield the assignment of each pod set for which quota is reserved, and the pod set."""
    for change in by_kueue(story):
        if becomes_true(change, "QuotaReserved"):
            spec = (change.after or {}).get("spec") or {}
            pod_sets = {pod_set.get("name", ""): pod_set for pod_set in spec.get("podSets") or ()}
            for assignment in admission(change.after).get("podSetAssignments") or ():
                yield change, assignment, pod_sets.get(assignment.get("name", ""), {})


def _halves(story: Story) -> Iterator[Finding]:
    for change, assignment, _ in _new_assignments(story):
        flavors, usage = (assignment.get(name) or {} for name in ("flavors", "resourceUsage"))
        # Exclusive or: what only one of the two names.
        if odd := sorted(flavors.keys() ^ usage.keys()):
            yield change, f"says of {', '.join(odd)} a flavor without a usage, or a usage without a flavor"


def _wrong(story: Story) -> Iterator[Finding]:
    for change, assignment, pod_set in _new_assignments(story):
        usage, count = assignment.get("resourceUsage") or {}, assignment.get("count", pod_set.get("count", 1))
        halves = (assignment.get("flavors") or {}).keys() - usage.keys()  # which Q-177 says
        for name, amount_per_pod in requests(pod_set).items():
            expected = amount_per_pod * count
            # Kueue counts in int64, cpu in thousandths: a sum beyond that is cut off.
            if name in halves or expected > _MOST or amount(usage.get(name, 0)) == expected:
                continue
            yield (
                change,
                f"{count} pod(s) use {usage.get(name, 'no')} {name}, and request {float(expected):g}",
            )


def requests(pod_set: Json) -> Mapping[str, Fraction]:
    """Return what a pod asks for as far as that is plain:
    what each of its containers names, in whole units.
    """
    spec = (pod_set.get("template") or {}).get("spec") or {}
    containers = [
        (container.get("resources") or {}).get("requests") or {} for container in spec.get("containers") or ()
    ]
    if not containers or any(spec.get(name) for name in _MORE_THAN_CONTAINERS):
        return {}
    totals = {}
    # A container without a request may get one from its limit or a LimitRange.
    for name in set(containers[0]).intersection(*containers[1:]):
        amounts = [amount(container_requests[name]) for container_requests in containers]
        # A fraction of the smallest unit is rounded up per container, which this sum would not
        # repeat.
        if all((number / _SMALLEST.get(name, 1)).denominator == 1 for number in amounts):
            totals[name] = sum(amounts, Fraction(0))
    return totals


AMOUNTS = (
    SafetyRule("Q-083", "writes the requests of the pods as the usage of an admission", _wrong),
    SafetyRule("Q-177", "assigns a flavor and a usage to the same resources", _halves),
)
