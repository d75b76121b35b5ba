"""What ClusterQueues and Cohorts must be (AC-030…046, AC-185)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...api.quantity import quantity
from ...api.resource import Json
from . import resource_groups
from .names import selector
from .problems import Problem, invalid, unchanged, unsupported
from .writes import ReviewedWrite, ValidationRule

SMALLEST_WEIGHT: Final = 1
"""In billionths: a weight is zero or more than this."""


def queue_quotas(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-030, AC-033: what the queue offers."""
    groups = write.spec.get("resourceGroups") or ()
    return resource_groups.groups(groups, "cohort", bool(write.spec.get("cohortName")), lends_all=False)


def cohort_quotas(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-185: what the cohort adds; it may lend more than it has."""
    groups = write.spec.get("resourceGroups") or ()
    return resource_groups.groups(groups, "parent", bool(write.spec.get("parentName")), lends_all=True)


def namespaces(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-036: the namespaces that may submit."""
    return selector(write.spec.get("namespaceSelector"), "spec.namespaceSelector")


def preemption(write: ReviewedWrite) -> Iterator[Problem]:
    """Refuse borrowWithinCohort without reclaimWithinCohort (AC-038)."""
    chosen = write.spec.get("preemption") or {}
    borrowing = (chosen.get("borrowWithinCohort") or {}).get("policy", "Never")
    if chosen.get("reclaimWithinCohort", "Never") == "Never" and borrowing != "Never":
        text = "reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never"
        yield invalid("spec.preemption", chosen, text)


def fungibility(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-037: a preference needs both searches to go on."""
    chosen = write.spec.get("flavorFungibility") or {}
    searches = {chosen.get("whenCanBorrow"), chosen.get("whenCanPreempt")}
    preference = chosen.get("preference")
    # With a search that stops at the first flavor there is nothing to prefer.
    if preference and searches != {"TryNextFlavor"}:
        text = f'preference "{preference}" requires both whenCanBorrow and whenCanPreempt to be TryNextFlavor'
        yield invalid("spec.flavorFungibility.preference", preference, text)


def weight(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-044: a weight is nothing, or something."""
    weight = (write.spec.get("fairSharing") or {}).get("weight")
    if weight is None:
        return
    amount = quantity(weight)
    if amount.nano < 0:
        yield invalid("spec.fairSharing", str(amount), resource_groups.NEGATIVE)
    # Kueue compares with 1e-9, although its message says 10e-9.
    elif 0 < amount.nano <= SMALLEST_WEIGHT:
        yield invalid("spec.fairSharing", str(amount), "When not 0, weight must be > 10e-9")


def totals(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-030: not too much of anything."""
    return resource_groups.totals(write.spec.get("resourceGroups") or ())


def check_flavors(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-041: checks are for flavors of the queue; what was wrong before may stay as it was, unless the gate
    is on that v0.20 has on (KV-37).
    """
    groups = write.spec.get("resourceGroups") or ()
    flavors = resource_groups.flavor_names(groups)
    tolerated = _flavors_by_check(write, set(flavors))
    for index, check in enumerate(_checks(write.spec)):
        names = check.get("onFlavors") or ()
        # Stored by an older release without this rule: it may stay, or the queue could
        # not be changed any more.
        if tolerated.get(check.get("name")) == set(names):
            continue
        path = f"spec.admissionChecksStrategy.admissionChecks[{index}].onFlavors"
        wrong = ((at, name) for at, name in enumerate(names) if name not in flavors)
        yield from (unsupported(f"{path}[{at}]", name, flavors) for at, name in wrong)


def concurrent_admission(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-046: how several flavors are tried is decided once."""
    if write.old is not None:
        name = "concurrentAdmissionPolicy"
        yield from unchanged(write.spec.get(name), write.old_spec.get(name), f"spec.{name}")


def _flavors_by_check(write: ReviewedWrite, flavors: set[str]) -> dict[str, set[str]]:
    before = set(resource_groups.flavor_names(write.old_spec.get("resourceGroups") or ()))
    if write.features["RejectUpdatesToCQWithInvalidOnFlavors"] or write.old is None or before != flavors:
        return {}
    return {check.get("name", ""): set(check.get("onFlavors") or ()) for check in _checks(write.old_spec)}


def _checks(spec: Json) -> list[Json]:
    return (spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or []


CLUSTER_QUEUE: Final = (
    ValidationRule(queue_quotas),
    ValidationRule(namespaces),
    ValidationRule(preemption),
    ValidationRule(fungibility),
    ValidationRule(weight),
    ValidationRule(totals),
    ValidationRule(check_flavors, (0, 18)),
    ValidationRule(concurrent_admission, (0, 18)),
)
COHORT: Final = (ValidationRule(cohort_quotas), ValidationRule(weight))
