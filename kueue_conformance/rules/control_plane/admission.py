"""Where a Workload is admitted to, and that this stays so while
quota is reserved (AC-111, AC-112, AC-113, AC-259, AC-283).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.json_types import Json
from ..story import Finding, SafetyRule, Story
from ..workload import admission, becomes_true, is_true
from .refusals import refused
from .writes import Known, by_kueue, workloads

_ADMISSION = r"status\.admission"


def _assigned(workload: Json) -> list[Json]:
    return list(admission(workload).get("podSetAssignments") or ())


def _changed(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        old, new = admission(change.before), admission(change.after)
        if (
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
    yield from refused(story, rf"{_ADMISSION}(?!Checks)", "field is immutable")


def _flavors(workload: Json) -> dict[str, Json]:
    return {one.get("name", ""): one.get("flavors") or {} for one in _assigned(workload)}


def _pod_sets(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        if _assigned(change.after) == _assigned(change.before):
            continue
        wanted = [
            one.get("name", "") for one in ((change.after or {}).get("spec") or {}).get("podSets") or ()
        ]
        names = Counter(one.get("name", "") for one in _assigned(change.after))
        if names and names != Counter(wanted):
            yield (
                change,
                f"podSetAssignments for {', '.join(sorted(names.elements()))}, and the Workload has {', '.join(sorted(wanted))}",
            )
    yield from refused(story, rf"{_ADMISSION}\.podSetAssignments")


def _nowhere(story: Story) -> Iterator[Finding]:
    for change in workloads(story):
        if becomes_true(change, "QuotaReserved") and not admission(change.after):
            yield change, "QuotaReserved, and it is not said where: there is no admission"
    yield from refused(story, _ADMISSION, "must be set while the QuotaReserved")


def _outlives_quota(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        holds = [is_true(one, "QuotaReserved") for one in (change.before, change.after)]
        if holds == [True, False] and is_true(change.after, "Admitted"):
            yield change, "gives its quota back, and stays Admitted"


def _wrong_queue(story: Story) -> Iterator[Finding]:
    known = Known(story, "ClusterQueue", "LocalQueue")
    for change in workloads(story):
        name = admission(change.after).get("clusterQueue", "")
        if not becomes_true(change, "QuotaReserved") or not name:
            continue
        local = ((change.after or {}).get("spec") or {}).get("queueName", "")
        named = {
            ((one or {}).get("spec") or {}).get("clusterQueue")
            for one in known.of(change, "LocalQueue", local, change.namespace)
        }
        if name not in named:
            yield (
                change,
                f"reserves quota in {name}, and the LocalQueue {local} is one of {', '.join(sorted(filter(None, named))) or 'none'}",
            )
        elif not any(known.of(change, "ClusterQueue", name)):
            yield change, f"reserves quota in {name}, which is not there"


ADMISSION = (
    SafetyRule(
        "AC-111",
        "leaves ClusterQueue and flavors of an admission as they are while quota is reserved",
        _changed,
    ),
    SafetyRule("AC-112", "assigns each of the pod sets that a Workload has, and no others", _pod_sets),
    SafetyRule("AC-113", "says where quota is reserved", _nowhere),
    SafetyRule("AC-259", "takes Admitted back by the write that gives quota back", _outlives_quota),
    SafetyRule(
        "AC-283", "reserves quota in the ClusterQueue of the LocalQueue, which has to be there", _wrong_queue
    ),
)
