"""Finished Workloads are not written (AC-320)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import is_true, workload_status
from ..writes import WriterCache, by_kueue

_BESIDES = (
    "resourceVersion",
    "managedFields",
    "finalizers",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "ownerReferences",
)
"""Fields of the metadata that every write changes, and those of a deletion."""


def _changes_after_finish(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, "Workload")
    for change in by_kueue(story):
        copies = cache.states_of(change, "Workload", change.name, change.namespace)
        # A writer whose copy is older does not know that it has finished.
        if is_true(change.before, "Finished") and all(is_true(copy, "Finished") for copy in copies):
            for field in _parts(change.before, change.after):
                yield change, f"{field} of a finished Workload changes"


def _parts(before: Json, after: Json) -> Iterator[str]:
    old, new = _fields(before), _fields(after)
    yield from (name for name in sorted({*old, *new}) if old.get(name) != new.get(name))


def _fields(workload: Json) -> dict[str, Json]:
    """Return metadata, spec and each field of the status by where it is."""
    status = {f"status.{name}": value for name, value in workload_status(workload).items()}
    metadata = {name: value for name, value in workload["metadata"].items() if name not in _BESIDES}
    return {"metadata": metadata, "spec": workload.get("spec"), **status}


FINISHED = (
    SafetyRule(
        "AC-320",
        "changes nothing of a finished Workload but the metadata of its deletion",
        _changes_after_finish,
        level=Level.SHOULD,
    ),
)
