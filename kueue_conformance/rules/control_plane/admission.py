"""Where a Workload is admitted to, and that this stays so while
quota is reserved (AC-111, AC-112, AC-113, AC-259, AC-283).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.json_types import Json
from ..story import Finding, SafetyRule, Story
from ..workload import admission, becomes_true, is_true
from ..writes import WriterCache, by_kueue, workloads
from .refusals import refusals

_ADMISSION = r"status\.admission"


def _assignments(workload: Json) -> list[Json]:
    return list(admission(workload).get("podSetAssignments") or ())


def _changes_of_admission(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        old, new = admission(change.before), admission(change.after)
        if (
            # Quota reserved before and after: an eviction and a new reservation may name another
            # queue.
            not old
            or not new
            or not is_true(change.before, "QuotaReserved")
            or not is_true(change.after, "QuotaReserved")
        ):
            continue
        if old.get("clusterQueue") != new.get("clusterQueue"):
            yield (
                change,
                f"the admission moves from {old.get('clusterQueue')} to {new.get('clusterQueue')} while quota is reserved",
            )
        if _flavors(change.before) != _flavors(change.after):
            yield (
                change,
                f"the assigned flavors change from {_flavors(change.before)} to {_flavors(change.after)} while quota is reserved",
            )
    # The message of a refusal names the field by its path, of which status.admission is a prefix
    # of status.admissionChecks.
    yield from refusals(story, rf"{_ADMISSION}(?!Checks)", "field is immutable")


def _flavors(workload: Json) -> dict[str, Json]:
    return {
        assignment.get("name", ""): assignment.get("flavors") or {} for assignment in _assignments(workload)
    }


def _pod_sets(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        if _assignments(change.after) == _assignments(change.before):
            continue
        pod_sets = [
            pod_set.get("name", "")
            for pod_set in ((change.after or {}).get("spec") or {}).get("podSets") or ()
        ]
        names = Counter(assignment.get("name", "") for assignment in _assignments(change.after))
        # As counts: a name twice is wrong although the sets are equal.
        if names and names != Counter(pod_sets):
            yield (
                change,
                f"podSetAssignments for {', '.join(sorted(names.elements()))}, and the Workload has {', '.join(sorted(pod_sets))}",
            )
    yield from refusals(story, rf"{_ADMISSION}\.podSetAssignments")


def _nowhere(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        if becomes_true(change, "QuotaReserved") and not admission(change.after):
            yield change, "QuotaReserved, and there is no admission"
    yield from refusals(story, _ADMISSION, "must be set while the QuotaReserved")


def _outlives_quota(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        holds = [is_true(workload, "QuotaReserved") for workload in (change.before, change.after)]
        # One write: between two, a Workload would be admitted without quota.
        if holds == [True, False] and is_true(change.after, "Admitted"):
            yield change, "releases its quota, and stays Admitted"


def _wrong_queue(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, "ClusterQueue", "LocalQueue")
    for change in workloads(story):
        name = admission(change.after).get("clusterQueue", "")
        if not becomes_true(change, "QuotaReserved") or not name:
            continue
        local = ((change.after or {}).get("spec") or {}).get("queueName", "")
        named = {
            ((local_queue or {}).get("spec") or {}).get("clusterQueue")
            for local_queue in cache.states_of(change, "LocalQueue", local, change.namespace)
        }
        if name not in named:
            yield (
                change,
                f"reserves quota in {name}, and the LocalQueue {local} is one of {', '.join(sorted(filter(None, named))) or 'none'}",
            )
        # Kueue works from a cache: a queue that went a moment ago may still be there for it.
        elif not any(cache.states_of(change, "ClusterQueue", name)):
            yield change, f"reserves quota in {name}, which does not exist"


ADMISSION = (
    SafetyRule(
        "AC-111",
        "leaves ClusterQueue and flavors of an admission as they are while quota is reserved",
        _changes_of_admission,
    ),
    SafetyRule("AC-112", "assigns flavors to each pod set of a Workload, and to no others", _pod_sets),
    SafetyRule("AC-113", "names a ClusterQueue in each reservation", _nowhere),
    SafetyRule("AC-259", "removes Admitted by the write that releases quota", _outlives_quota),
    SafetyRule(
        "AC-283", "reserves quota in the ClusterQueue of the LocalQueue, which has to exist", _wrong_queue
    ),
)
