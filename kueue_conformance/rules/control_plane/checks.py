"""The list of a Workload's checks, and that nothing is admitted before they have passed (AC-116, 118, 119,
285, 345, 384).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...base.json_types import Json
from ...base.objects import CheckState
from ...history.story import Change
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import (
    admission,
    becomes_true,
    changed_entries,
    describe_move,
    entries,
    flavors,
    is_true,
    list_entries,
)
from ..writes import WriterCache, by_kueue, workloads
from .provisioning import is_provisioning
from .refusals import refusals

_STATES = ("Pending", "Ready", "Retry", "Rejected")
_CONTROLLERS = ("podSetUpdates", "requeueAfterSeconds")
_REFUSAL = "Error creating "
"""The beginning of an entry's message while the API server
refuses the request or a template (PA-122, PA-123).
"""
_CHECKS = r"status\.admissionChecks"


def _twice(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        names = Counter(entry.get("name", "") for entry in list_entries(change.after))
        yield from (
            (change, f"entry {name} is listed {times} times") for name, times in names.items() if times > 1
        )
    yield from refusals(story, _CHECKS, "Duplicate value")


def _unknown_state(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        for name, _, new in changed_entries(change):
            if new and new.get("state") not in _STATES:
                yield change, f"entry {name} has the state {new.get('state')!r}"
    yield from refusals(story, rf"{_CHECKS}\[\d+\]\.state")


def _own_moves(story: Story) -> Iterator[tuple[Change, str, CheckState, CheckState]]:
    """Return each change of an entry by Kueue but those by
    which an older copy of the entry comes back (AC-372).

    What the check controller owns alone stays beside it: podSetUpdates and requeueAfterSeconds (AC-349).
    """
    cache = WriterCache(story, "Workload")
    for change in by_kueue(story):
        for name, old, new in changed_entries(change):
            copies = cache.states_of(change, "Workload", change.name, change.namespace)
            # Kueue writes the whole list from its cache, so a slow writer brings an older entry
            # back (AC-372).
            if not any(_kueues(entries(copy).get(name, {})) == _kueues(new) for copy in copies):
                yield change, name, old, new


def _kueues(entry: CheckState) -> Json:
    return {key: value for key, value in entry.items() if key not in _CONTROLLERS}


def _times(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        time, before = new.get("lastTransitionTime"), old.get("lastTransitionTime")
        if new and not time:
            yield change, f"entry {name} has no lastTransitionTime"
        elif not new or not old:
            continue
        elif is_provisioning(story, name) and str(new.get("message", "")).startswith(_REFUSAL):
            continue  # v0.19.2 tells a refusal anew with every retry, at the time of the retry
        elif new.get("state") == old.get("state") and time != before:
            yield (
                change,
                f"entry {name} stays {new.get('state')}, its lastTransitionTime moves from {before} to {time}",
            )
        # RFC 3339 in UTC sorts as text.
        elif new.get("state") != old.get("state") and str(time) < str(before):
            yield (
                change,
                f"{describe_move(name, old, new)}, and its lastTransitionTime goes back from {before} to {time}",
            )
    yield from refusals(story, rf"{_CHECKS}\[\d+\]\.lastTransitionTime")


def undecided_admissions(story: Story) -> Iterator[Finding]:
    """Yield each admission before quota is reserved or while a check is not Ready (AC-285)."""
    cache = WriterCache(story, "Workload")
    for change in workloads(story):
        if not becomes_true(change, "Admitted"):
            continue
        if not is_true(change.after, "QuotaReserved"):
            yield change, "Admitted without QuotaReserved"
        # The list that the writer had, and not the one that the server had meanwhile.
        if not any(map(_all_ready, _lists(change, cache))):
            yield change, f"Admitted, and {', '.join(_waiting(change.after))}"


def unlisted_checks(story: Story) -> Iterator[Finding]:
    """Yield each admission without an entry for every check that the ClusterQueue requires (AC-384)."""
    cache = WriterCache(story, "Workload", "ClusterQueue")
    for change in workloads(story):
        queue = admission(change.after).get("clusterQueue", "")
        if not becomes_true(change, "Admitted") or not queue:
            continue
        used, passed = (
            flavors(change.after),
            [
                entries_by_name.keys()
                for entries_by_name in _lists(change, cache)
                if _all_ready(entries_by_name)
            ],
        )
        required_sets = [
            required_checks(cluster_queue, used)
            for cluster_queue in cache.states_of(change, "ClusterQueue", queue)
        ]
        # The newest state of the queue names what is missing; an older one may excuse it.
        missing = required_sets[-1] - entries(change.after).keys()
        if missing and not any(names <= listed_names for names in required_sets for listed_names in passed):
            yield (
                change,
                f"Admitted, and {', '.join(sorted(missing))}, which {queue} requires for {', '.join(sorted(used))}, is not listed",
            )


def _lists(change: Change, cache: WriterCache) -> Iterator[Mapping[str, CheckState]]:
    """Yield each list of checks by which a Workload may have been admitted.

    What is reserved already is admitted by its list of now. Who reserves and admits in one write may have an
    older copy, of since the Workload has last had no quota (AC-370).
    """
    yield entries(change.after)
    if is_true(change.before, "QuotaReserved"):
        return
    older: list[Mapping[str, CheckState]] = []
    for copy in cache.states_of(change, "Workload", change.name, change.namespace):
        # A copy with quota belongs to an earlier attempt, which has its own list of verdicts.
        older = [] if copy is None or is_true(copy, "QuotaReserved") else [*older, entries(copy)]
    yield from older


def _all_ready(check_entries: Mapping[str, CheckState]) -> bool:
    return all(entry.get("state") == "Ready" for entry in check_entries.values())


def _waiting(workload: Json) -> list[str]:
    return sorted(
        f"{name} is {entry.get('state')}"
        for name, entry in entries(workload).items()
        if entry.get("state") != "Ready"
    )


def required_checks(queue: Json, used: frozenset[str]) -> frozenset[str]:
    """Return the checks that a ClusterQueue requires of a Workload with these flavors;
    none where there is no ClusterQueue (AC-351).
    """
    spec = (queue or {}).get("spec") or {}
    every = {
        flavor.get("name", "")
        for group in spec.get("resourceGroups") or ()
        for flavor in group.get("flavors") or ()
    }
    # An empty onFlavors means all flavors.
    rules = (spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or ()
    return frozenset(
        rule.get("name", "") for rule in rules if used & (set(rule.get("onFlavors") or ()) or every)
    )


def _retry_count(story: Story) -> Iterator[Finding]:
    for change, name, old, new in _own_moves(story):
        before, after = old.get("retryCount", 0), new.get("retryCount", 0)
        # Kueue counts when it puts the entry back, not when the verdict comes.
        was_reset = old.get("state") != "Pending" == new.get("state")
        counts = was_reset and old.get("state") == "Retry"
        if not old or not new or after == before + counts or (was_reset and not counts and not after):
            continue
        if after == before and is_provisioning(story, name) and not becomes_true(change, "Evicted"):
            continue  # its controller, which is in Kueue, has taken its own verdict back
        yield change, f"{describe_move(name, old, new)} with retryCount {before} → {after}"


CHECKS = (
    SafetyRule("AC-116", "lists a check once", _twice),
    SafetyRule("AC-118", "writes no states of checks but Pending, Ready, Retry and Rejected", _unknown_state),
    SafetyRule("AC-119", "gives an entry a new lastTransitionTime with a new state, and only then", _times),
    SafetyRule(
        "AC-345",
        "counts a retry by one where it resets a Retry, and nowhere else",
        _retry_count,
        level=Level.SHOULD,
        since="0.15",
    ),
)
