"""The provenance of a verdict: the outside system's answers
since quota was reserved (CC-050, CC-052, CC-085).

Only a subject that asks the verdict endpoint is judged: the answers to others are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.json_types import Json
from ...history.story import Change, Question
from ..story import Finding, SafetyRule, Story
from ..workload import describe_move, is_true
from .moves import own_moves

_PLAIN = frozenset({"state", "message"})
"""Fields of a plain answer, which a controller has no reason to reject."""
_HARMLESS = {"Retry": ("Ready",), "Rejected": ("Ready", "Pending")}
"""Answers that are no reason for such a verdict; one that waits long may be told to try again."""


class _Answers:
    """The answers of a story by Workload and check."""

    def __init__(self, story: Story) -> None:
        self._about: dict[tuple[str, str, str], list[Question]] = {}
        self._reserved: dict[tuple[str, str], list[Change]] = {}
        for question in story.questions:
            about = question.namespace, question.workload, question.check
            self._about.setdefault(about, []).append(question)
        for change in story.changes:
            if change.kind == "Workload" and _has_quota(change.after) and not _has_quota(change.before):
                self._reserved.setdefault((change.namespace, change.name), []).append(change)

    def before(self, change: Change, check: str) -> Sequence[Question]:
        """Return what was asked about an entry between the newest reservation and a write."""
        reservations = self._reserved.get((change.namespace, change.name), ())
        # An answer from before the reservation was about another attempt.
        since = max(
            (reservation.at for reservation in reservations if reservation.revision < change.revision),
            default=0.0,
        )
        questions = self._about.get((change.namespace, change.name, check), ())
        return [question for question in questions if since <= question.at <= change.at]


def _has_quota(workload: Json) -> bool:
    return is_true(workload or {}, "QuotaReserved")


def _unfounded_ready(story: Story) -> Iterator[Finding]:
    # A subject that asks elsewhere has sources that the harness does not see.
    if not story.questions:
        return
    answers = _Answers(story)
    for change, name, old, new in own_moves(story):
        if new.get("state") == "Ready" != old.get("state"):
            heard = answers.before(change, name)
            if not any(
                question.code == 200 and question.answer.get("state") == "Ready" for question in heard
            ):
                yield (
                    change,
                    f"{describe_move(name, old, new)}, and the outside system has not said so since quota was reserved",
                )


def _uncalled_for(story: Story) -> Iterator[Finding]:
    if not story.questions:
        return
    answers = _Answers(story)
    for change, name, old, new in own_moves(story):
        harmless = _HARMLESS.get(new.get("state", ""))
        if harmless is None or new["state"] == old.get("state"):
            continue
        heard = answers.before(change, name)
        if (
            # Nothing heard is no proof: the subject may send back for reasons of its own, such as
            # an error.
            heard
            and all(_says(question, harmless) for question in heard)
            and _can_be_used(story, change, name)
        ):
            states = " and ".join(dict.fromkeys(str(question.answer["state"]) for question in heard))
            yield (
                change,
                f"{describe_move(name, old, new)}, and the answers of the outside system since quota was reserved are {states}",
            )


def _says(question: Question, states: Sequence[str]) -> bool:
    return (
        question.code == 200 and question.answer.get("state") in states and question.answer.keys() <= _PLAIN
    )


def _can_be_used(story: Story, change: Change, check: str) -> bool:
    """Tell whether nothing speaks against a check at the time of a write:
    it is there, and not said to be inactive.
    """
    states = [
        earlier.after
        for earlier in story.changes
        if (earlier.kind, earlier.name) == ("AdmissionCheck", check) and earlier.revision < change.revision
    ]
    # A check that is not in the story counts as going, so that nothing is held against the
    # subject.
    last = (states[-1] if states else None) or {"metadata": {"deletionTimestamp": ""}}
    statuses = {
        condition["type"]: condition["status"]
        for condition in (last.get("status") or {}).get("conditions") or ()
    }
    return "deletionTimestamp" not in last["metadata"] and statuses.get("Active") != "False"


PROVENANCE = (
    SafetyRule(
        "CC-050",
        "writes Ready when the outside system has said so of the current reservation",
        _unfounded_ready,
    ),
    SafetyRule(
        "CC-052", "writes Retry or Rejected when the outside system objects to the Workload", _uncalled_for
    ),
)
