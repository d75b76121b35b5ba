"""What a controller has written, against what the model allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...base.bounds import Bound
from ...base.json_types import Json
from ...stage.workloads.workload import Workload
from .content import NOTHING
from .model import EntryModel, Verdict, World
from .story_stage import StoryStage


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What is not as it should be: its name, what is expected of it, what is observed."""

    name: str
    expected: str
    observed: str


def find_mismatches(stage: StoryStage, world: World) -> Sequence[Mismatch]:
    """Return the entries and checks that say what is not allowed, and what should be gone."""
    return [
        *_entry_mismatches(stage, world),
        *_check_mismatches(stage, world),
        *_leftovers(stage, world),
        *_work_mismatches(stage, world),
    ]


def _entry_mismatches(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    for workload, model in zip(stage.workloads, world.workloads, strict=True):
        pod_sets = stage.pod_sets(workload)
        for check, entry, allowed in zip(stage.checks, stage.entries(workload), model.entries, strict=True):
            if not any(says(entry, verdict, pod_sets) for verdict in allowed.verdicts):
                name = f"{workload.name}, check {check.check.name}"
                yield Mismatch(name, f"it is {_describe_all(allowed)}", f"it is {_describe_entry(entry)}")


def says(entry: Json, verdict: Verdict, pod_sets: Sequence[str]) -> bool:
    """Tell whether an entry, None where there is none, says a verdict on a Workload with these pod sets."""
    content = verdict.content
    if entry is None or not verdict.state:
        return entry is None and not verdict.state
    if entry["state"] != verdict.state:
        return False
    if verdict.state == "Pending" or content == NOTHING:
        return not (verdict.state == "Ready" and entry.get("podSetUpdates"))
    if not content.allows_message(entry.get("message", "")):
        return False
    if verdict.state == "Retry" and content.after is not None and content.after >= 0:
        return bool(entry.get("requeueAfterSeconds") == content.after)
    changes = content.changes(pod_sets) if verdict.state == "Ready" else []
    return list(entry.get("podSetUpdates") or []) == list(changes)


def _describe_all(entry: EntryModel) -> str:
    return " or ".join(sorted(map(_describe, entry.verdicts)))


def _describe(verdict: Verdict) -> str:
    said = f" with {verdict.content}" if verdict.content != NOTHING else ""
    return f"{verdict.state}{said}" if verdict.state else "not listed"


def _describe_entry(entry: Json) -> str:
    if entry is None:
        return "not listed"
    said = [
        f"{field} {entry[field]!r}"[:200]
        for field in ("message", "requeueAfterSeconds", "podSetUpdates")
        if entry.get(field)
    ]
    return f"{entry['state']}{' with ' if said else ''}{', '.join(said)}"


def _check_mismatches(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    for check, model in zip(stage.checks, world.checks, strict=True):
        fact = check.shows(model.active)
        if not fact:
            yield Mismatch(check.check.name, fact.expected, fact.observed)
        elif model.is_steady and not (steady := check.stays_active()):
            yield Mismatch(check.check.name, steady.expected, steady.observed)
        elif not model.exists and not model.is_marked and not check.check.is_gone():
            yield Mismatch(check.check.name, "it was deleted, and is gone", "a finalizer keeps it")


def _leftovers(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    workloads: Iterator[Workload] = (
        workload for workload, model in zip(stage.workloads, world.workloads, strict=True) if not model.exists
    )
    for workload in workloads:
        if workload.exists():
            yield Mismatch(workload.name, "it was deleted, and is gone", "a finalizer keeps it")


def _work_mismatches(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    if not stage.subject.outside_work_is_visible:
        return
    work = stage.subject.work
    for workload, model in zip(stage.workloads, world.workloads, strict=True):
        items, allowed = work.items_of(workload), model.outside_work
        if len(items) not in allowed:
            bound = Bound("pieces of outside work", least=allowed[0], most=allowed[-1])
            yield Mismatch(
                workload.name, f"{bound} for it", f"{bound.describe(len(items))}: {items or 'none'}"
            )
