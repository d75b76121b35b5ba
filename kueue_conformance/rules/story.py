"""The story of one case, safety rules as rows with a pure function, and their breaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..base.bounds import Bound
from ..base.job_fields import JobFields
from ..history.story import SUBJECT, Change, Question, Request, UnreleasedWork
from ..scenarios.dialect import Dialect
from ..scenarios.outcome import Level

_NOTICE_SECONDS = 2.0
"""Seconds after which every watcher knows a change, on a machine that has no other work."""


def notice_seconds(timeout_scale: float) -> float:
    """Return the seconds after which every watcher knows a change, and what is gathered for a second is
    done, where every wait was made so many times longer.
    """
    return _NOTICE_SECONDS * max(1.0, timeout_scale)


LATENESS = Bound("s", most=_NOTICE_SECONDS)
"""How long what a status reports may be out of date, where no wait was made longer."""


@dataclass(frozen=True, slots=True)
class Story:
    """What happened in one case: every change of its objects, what the subject tried to write, and all that
    it asked for.

    Where a control plane is judged, `controller` is empty, and `attempts` are those of its writes that the
    server called wrong.
    """

    changes: Sequence[Change]
    attempts: Sequence[Request]
    controller: str
    requests: Sequence[Request] = ()
    questions: Sequence[Question] = ()
    """Questions to the outside system, where that is the harness;
    one that does not ask is not judged by the answers.
    """
    skew: float = 0.0
    """Seconds that the server's clock, which times all of it, is ahead of the subject's."""
    timeout_scale: float = 1.0
    """By how much every wait was made longer, on a machine that is slow."""
    settled: Sequence[int] = ()
    """Revisions at which the cluster was quiet, in order."""
    until: float = 0.0
    """The time of the server at which the story ends; 0 where that is not known."""
    sees_attempts: bool = True
    """False where only changes are watched:
    a rule that would excuse a change by an earlier try judges it without.
    """
    kinds: frozenset[str] | None = None
    """The kinds whose every change is in the story; None for all."""
    unreleased_work: Sequence[UnreleasedWork] = ()
    job_fields: JobFields | None = None
    """How a job is read, where the subject is a job integration."""
    judges_own_jobs: bool = False
    """Whether the control plane is judged as an integration of batch/v1 Jobs, too."""
    _owned: list[frozenset[str]] = field(default_factory=list, repr=False, compare=False)
    """The names of its own checks, looked for once: every rule asks, for every write."""

    @property
    def notice_seconds(self) -> float:
        """Seconds after which every watcher knows a change."""
        return notice_seconds(self.timeout_scale)

    def workloads(self) -> Iterator[Change]:
        """Return the subject's changes of Workloads that exist before and after."""
        return (change for change in self._own("Workload") if change.before and change.after)

    def checks(self) -> Iterator[Change]:
        """Return the subject's changes of AdmissionChecks that exist before and after."""
        return (change for change in self._own("AdmissionCheck") if change.before and change.after)

    def lost(self, kind: str) -> Iterator[Request]:
        """Return the subject's writes past the status subresource that changed nothing."""
        for attempt in self.attempts:
            if (
                attempt.kind == kind
                and not attempt.subresource
                and attempt.verb in ("update", "patch")
                and not attempt.changed
            ):
                yield attempt

    def owns(self, check: str) -> bool:
        """Tell whether a check is the subject's:
        by the controller name of the AdmissionCheck, not by its own (CC-002).
        """
        # The dataclass is frozen, so the names are kept in a list that is filled once.
        if not self._owned:
            self._owned.append(frozenset(self._checks_of_its_own()))
        return check in self._owned[0]

    def _checks_of_its_own(self) -> Iterator[str]:
        for change in self.changes:
            check = (change.after or change.before or {}) if change.kind == "AdmissionCheck" else {}
            if (check.get("spec") or {}).get("controllerName") == self.controller:
                yield change.name

    def _own(self, kind: str) -> Iterator[Change]:
        return (change for change in self.changes if change.actor == SUBJECT and change.kind == kind)


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of a rule: the object, the revision (0 for a refused write), and what was seen."""

    rule: str
    level: Level
    object_name: str
    revision: int
    text: str
    wording: str
    at: float = 0.0


Finding: TypeAlias = tuple[Change | Request | UnreleasedWork, str]
Judge: TypeAlias = Callable[[Story], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class SafetyRule:
    """A safety rule: a row with its judge."""

    id: str
    text: str
    judge: Judge
    level: Level = Level.MUST
    since: str = ""
    until: str = ""
    also: tuple[str, ...] = ()
    """Names of dialects outside the order in which a bounded rule holds as well."""
    only: tuple[str, ...] = ()
    """Names of the only dialects in which the rule holds."""

    def holds_in(self, dialect: Dialect) -> bool:
        """Tell whether the rule exists in a dialect."""
        if self.only:
            return dialect.name in self.only
        # A document outside of the order of releases is before and after none of them.
        return dialect.name in self.also or dialect.holds(self.since, self.until)

    def violations(self, story: Story) -> list[Violation]:
        """Return the breaches of this rule."""
        return [
            Violation(
                self.id,
                self.level,
                _object_name(source),
                # A request has no revision: it may have changed nothing.
                getattr(source, "revision", 0),
                observation,
                self.text,
                source.at,
            )
            for source, observation in self.judge(story)
        ]


def _object_name(source: Change | Request | UnreleasedWork) -> str:
    kind = source.kind or (source.target if isinstance(source, Request) else "")
    return f"{kind} {source.name}".strip()
