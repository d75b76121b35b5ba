"""What an integration leaves alone, and how often it writes (JI-009, JI-080, JI-082, JI-083, JI-094)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.bounds import Bound
from ...base.job_fields import QUEUE_LABEL, value_at
from ...base.json_types import Json
from ...history.story import Change
from ...scenarios.outcome import Level
from ..check_controller.idle_writes import hot_loops, idle_writes
from ..story import Finding
from ..workload import owner
from .writes import Writes, integration_rule

_SECTIONS = ("labels", "annotations")
_KUEUE = "kueue.x-k8s.io/"
_MOST_WRITES = 19
_WRITES = Bound("writes", most=_MOST_WRITES)
"""Writes of one object in a row, while no other client writes anything, that are no hot loop yet."""


def _touches_unmanaged(writes: Writes) -> Iterator[Finding]:
    for change in writes.of_jobs():
        # It has read the job that it writes.
        states = [state for state in writes.states(change) if state is not None]
        if states and all(map(_is_unmanaged, states)):
            yield change, "is written, and it names no queue"


def _is_unmanaged(job: Json) -> bool:
    # What a managed job controls is held back with it (JI-096).
    return not (job["metadata"].get("labels") or {}).get(QUEUE_LABEL) and not owner(job)


def _changed_fields_of_others(writes: Writes) -> Iterator[Finding]:
    path = writes.fields.managed_by
    for change in writes.of_jobs() if path else ():
        before, after = value_at(change.before, path), value_at(change.after, path)
        if before != after:
            yield change, f"{'.'.join(path)} was {before!r}, and is {after!r}"
    own: set[tuple[str, str, str, str, str]] = set()
    for change in [*writes.of_jobs(), *writes.of_workloads()]:
        for section in _SECTIONS:
            before, after = (
                document["metadata"].get(section) or {}
                for document in (change.before or {}, change.after or {})
            )
            own |= {_key(change, section, name) for name in after.keys() - before.keys()}
            for name in sorted(before):
                is_own = name.startswith(_KUEUE) or _key(change, section, name) in own
                if not is_own and before[name] != after.get(name):
                    yield change, f"the {section} {name} was {before[name]!r}, and is {after.get(name)!r}"


def _key(change: Change, section: str, name: str) -> tuple[str, str, str, str, str]:
    return change.kind, change.namespace, change.name, section, name


def _endless_writes(writes: Writes) -> Iterator[Finding]:
    yield from hot_loops(writes.story)
    # The controllers of a control plane answer each other: their writes in a row are no loop of one of them.
    if writes.by_control_plane:
        return
    row: Counter[tuple[str, str, str]] = Counter()
    for change in writes.story.changes:
        # What another client writes is a reason to write again.
        if not writes.is_own(change):
            row.clear()
            continue
        key = change.kind, change.namespace, change.name
        row[key] += 1
        if row[key] == _MOST_WRITES + 1 and change.kind in (writes.fields.kind, "Workload"):
            yield change, f"is written {row[key]} times while nothing else happens, expected {_WRITES}"


def _idle_writes(writes: Writes) -> Iterator[Finding]:
    yield from idle_writes(writes.story)


CONVENTIONS = (
    integration_rule("JI-009", "leaves jobs alone that name no queue", _touches_unmanaged),
    integration_rule(
        "JI-080",
        "writes nothing that changes nothing, two such writes in a row excepted",
        _idle_writes,
        level=Level.SHOULD,
    ),
    integration_rule(
        "JI-082",
        "keeps labels and annotations of others on jobs and Workloads, and the field that says which controller runs a job",
        _changed_fields_of_others,
    ),
    integration_rule(
        "JI-083", f"sends {_WRITES} of one object in a row while nothing else happens", _endless_writes
    ),
)
