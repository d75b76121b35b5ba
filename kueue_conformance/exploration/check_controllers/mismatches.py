"""What a controller has written, against what the model allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...base.bounds import Bound
from ...base.json_types import Json
from ...history.fact import Fact
from ...stage.workloads.workload import Workload
from .check_model import CheckModel
from .check_stage import CheckStage
from .content import NOTHING
from .entry_model import EntryModel, Verdict
from .model import WorkloadModel, World
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
        *_early_questions(stage, world),
    ]


def _judged(stage: StoryStage, world: World) -> Iterator[tuple[Workload, WorkloadModel]]:
    """Yield the Workloads that the controller can serve, with what is allowed."""
    pairs = zip(stage.workloads, world.workloads, strict=True)
    return ((workload, model) for workload, model in pairs if workload.name != stage.excused)


def _entry_mismatches(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    for workload, model in _judged(stage, world):
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
        broken = [fact for fact in _facts_of_check(check, model) if not fact]
        yield from (Mismatch(check.check.name, fact.expected, fact.observed) for fact in broken[:1])


def _facts_of_check(check: CheckStage, model: CheckModel) -> Iterator[Fact]:
    """Yield what has to hold of a check, what matters most first."""
    yield check.shows(model.active)
    if model.is_steady:
        yield check.stays(model.active)
    if model.exists and not model.was_usable and not model.is_unset:
        yield check.was_never_active()
    if model.is_held:
        yield check.is_kept()
    elif not model.exists:
        yield check.check.is_gone()
    if model.is_marked and model.exists:
        yield check.check.has_foreign_fields()


def _leftovers(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    for workload, model in zip(stage.workloads, world.workloads, strict=True):
        if not model.exists and workload.exists():
            yield Mismatch(workload.name, "it was deleted, and is gone", "a finalizer keeps it")


def _work_mismatches(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    if not stage.subject.outside_work_is_visible:
        return
    work = stage.subject.work
    for workload, model in _judged(stage, world):
        items, allowed = work.items_of(workload), model.outside_work
        if len(items) not in allowed:
            bound = Bound("pieces of outside work", least=allowed[0], most=allowed[-1])
            yield Mismatch(
                workload.name, f"{bound} for it", f"{bound.describe(len(items))}: {items or 'none'}"
            )
        elif model.keeps_work and not (same := stage.has_same_work(workload)):
            yield Mismatch(workload.name, same.expected, same.observed)


def _early_questions(stage: StoryStage, world: World) -> Iterator[Mismatch]:
    """Yield what was asked about Workloads that never had quota (CC-020)."""
    if not stage.subject.asks:
        return
    for workload, model in _judged(stage, world):
        is_new = model.exists and not model.had_quota and not model.has_predecessor
        if is_new and not (fact := stage.subject.has_asked_nothing(workload)):
            expected = f"{fact.expected} before it has quota"
            yield Mismatch(workload.name, expected, fact.observed)
