"""Clean-up after Workloads and checks that are done or gone, and verdicts without effect (CC-023, 024, 054,
058, 064, 066).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.bounds import Bound
from ...history.story import Change
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import describe_move, is_active, is_true
from .moves import foreign_finalizer_removals, own_moves

_NOTICE = Bound("s", most=5)
"""The time within which a controller notices that a check is gone."""


def _moves_while_deleted(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        # The state before the write: that is what the writer could have read.
        if "deletionTimestamp" in (change.before or {})["metadata"] and old.get("state") != new.get("state"):
            yield change, f"{describe_move(name, old, new)} of a Workload that is being deleted"


def _inactive(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if not is_active(change.before) and old.get("state") != new.get("state"):
            yield change, f"{describe_move(name, old, new)} while spec.active is false"


def _pending_after_admission(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if (old.get("state"), new.get("state")) == ("Ready", "Pending") and is_true(
            change.before, "Admitted"
        ):
            yield change, f"{describe_move(name, old, new)} of an admitted Workload, which does not stop it"


def _refusals_without_quota(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        if new.get("state") in ("Retry", "Rejected") and not is_true(change.before, "QuotaReserved"):
            yield change, f"{describe_move(name, old, new)} while no quota is reserved: it has no effect"


def _finalizers(story: Story) -> Iterator[Finding]:
    yield from foreign_finalizer_removals(story.workloads())


def _check_is_gone(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        gone = _deletion_time(story, name, change)
        moved = old.get("state") != new.get("state") and new.get("state") != "Pending"
        # Pending is no verdict, and a watch needs its time.
        if moved and gone is not None and not _NOTICE.holds(change.at - gone):
            yield (
                change,
                f"{describe_move(name, old, new)}, {_NOTICE.describe(change.at - gone)} after the AdmissionCheck was deleted, expected {_NOTICE}",
            )


def _deletion_time(story: Story, check: str, change: Change) -> float | None:
    """Return since when a check is gone or going at the time of a change, None while it is there."""
    since: float | None = None
    for earlier in story.changes:
        if (earlier.kind, earlier.name) == ("AdmissionCheck", check) and earlier.revision < change.revision:
            going = earlier.after is None or "deletionTimestamp" in earlier.after["metadata"]
            # A check that was made anew under its name is there again.
            since = (earlier.at if since is None else since) if going else None
    return since


CLEAN_UP = (
    SafetyRule(
        "CC-023",
        "writes no verdict on a Workload that is being deleted",
        _moves_while_deleted,
        level=Level.SHOULD,
    ),
    SafetyRule("CC-024", "writes no verdict on a Workload that is inactive", _inactive, level=Level.SHOULD),
    SafetyRule(
        "CC-054",
        "does not put Ready back to Pending to stop an admitted Workload",
        _pending_after_admission,
        level=Level.MAY,
    ),
    SafetyRule(
        "CC-058",
        "writes no Retry or Rejected for a Workload that has no quota",
        _refusals_without_quota,
        level=Level.SHOULD,
    ),
    SafetyRule("CC-064.1", "removes no finalizer but its own", _finalizers),
    SafetyRule(
        "CC-066", f"writes no verdict for a deleted check, or {_NOTICE} after the deletion", _check_is_gone
    ),
)
