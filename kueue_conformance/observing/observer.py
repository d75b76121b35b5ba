"""Judges the safety rules on observed changes: Workload by Workload, at each change."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from ..base.json_types import Json
from ..history import authors
from ..history.story import SUBJECT, Change
from ..rules import CHECK_CONTROLLER, SafetyRule, Story, Violation
from ..scenarios.dialect import Dialect
from ..scenarios.outcome import Level

API_VERSION, KIND = "kueue-conformance.dev/v1", "Observation"
_KEPT_CHANGES = 500
"""The most changes of one Workload that are kept."""
_KUEUE_OWNS = ("QuotaReserved", "Admitted")


class _RequestsNotObserved(Exception):
    """Raised when a rule reads requests, which a watch does not show."""


class _NoRequests(Sequence[Any]):
    """Stands for the requests of a story: reading them raises."""

    def __len__(self) -> int:
        raise _RequestsNotObserved

    def __getitem__(self, index: Any) -> Any:
        raise _RequestsNotObserved

    def __iter__(self) -> Iterator[Any]:
        raise _RequestsNotObserved


@dataclass(slots=True)
class Observation:
    """The results so far."""

    controller: str
    dialect: str
    managers: set[str] = field(default_factory=set)
    checks: set[str] = field(default_factory=set)
    changes: int = 0
    judged: int = 0
    unclear: int = 0
    violations: list[Violation] = field(default_factory=list)
    unseen: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)

    @property
    def binding(self) -> bool:
        """Whether a rule of level must was broken."""
        return any(violation.level is Level.MUST for violation in self.violations)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "controllerName": self.controller,
            "dialect": self.dialect,
            "attribution": "approximate",
            "managers": sorted(self.managers),
            "ambiguousManagers": sorted(self.ambiguous),
            "checks": sorted(self.checks),
            "changes": self.changes,
            "judged": self.judged,
            "unclear": self.unclear,
            "violations": [
                {
                    "rule": violation.rule,
                    "level": str(violation.level),
                    "object": violation.object_name,
                    "revision": violation.revision,
                    "text": violation.text,
                    "wording": violation.wording,
                }
                for violation in self.violations
            ],
            "notJudged": sorted(self.unseen),
        }


class Observer:
    """Takes changes from several threads; reports each breach once.

    `read_check` returns an AdmissionCheck of the cluster, None where there is none: the watch of Workloads
    may be ahead of that of AdmissionChecks, and whose an entry is depends on its check.
    """

    def __init__(
        self,
        controller: str,
        dialect: Dialect,
        managers: Sequence[str],
        tell: Callable[[Violation], None],
        read_check: Callable[[str], Json | None] = lambda _: None,
    ) -> None:
        self.found = Observation(controller, dialect.name, set(managers))
        self._given = bool(managers)
        self._rules = [rule for rule in CHECK_CONTROLLER if rule.holds_in(dialect)]
        self._tell = tell
        self._read_check = read_check
        self._absent_checks: set[str] = set()
        """Names in entries of Workloads that no AdmissionCheck had when it was asked for."""
        self._lock = Lock()
        self._checks: dict[str, Change] = {}
        self._past: dict[tuple[str, str], deque[Change]] = {}
        self._told: set[tuple[str, str, int]] = set()

    def hear(self, change: Change) -> None:
        """Add one change and judge its Workload or check."""
        with self._lock:
            self.found.changes += change.verb != "listed"
            if change.kind == "AdmissionCheck":
                self._check(change)
            elif change.kind == "Workload":
                self._workload(change)

    def _check(self, change: Change) -> None:
        named = change.after or change.before or {}
        if (named.get("spec") or {}).get("controllerName") == self.found.controller:
            self.found.checks.add(change.name)
            if not self._given and change.after:
                self.found.managers |= set(authors.managers_of(change.after, *authors.condition("Active")))
                self.found.managers -= self.found.ambiguous
        self._checks[change.name] = change
        self._judge([self._whose(change)])

    def _read_unknown_checks(self, workload: Json) -> None:
        """Ask the cluster for the checks of a Workload that their watch has not delivered."""
        names = {entry["name"] for entry in (workload.get("status") or {}).get("admissionChecks") or ()}
        for name in sorted(names - self._checks.keys() - self._absent_checks):
            check = self._read_check(name)
            if check is None:
                self._absent_checks.add(name)
            else:
                self._check(_listed(check))

    def _workload(self, change: Change) -> None:
        self._read_unknown_checks(change.after or {})
        if change.after and not self._given:
            for name in _KUEUE_OWNS:
                self.found.ambiguous |= self.found.managers & set(
                    authors.managers_of(change.after, *authors.condition(name))
                )
            self.found.managers -= self.found.ambiguous
        key = (change.namespace, change.name)
        past = self._past.setdefault(key, deque(maxlen=_KEPT_CHANGES))
        past.append(change)
        self._judge([self._whose(past_change) for past_change in past])
        if change.after is None:
            del self._past[key]

    def _whose(self, change: Change) -> Change:
        return replace(change, actor=SUBJECT) if change.actor in self.found.managers else change

    def _judge(self, changes: Sequence[Change]) -> None:
        newest = changes[-1]
        if newest.before is not None and newest.after is not None and newest.verb != "listed":
            self.found.unclear += not newest.actor
            self.found.judged += newest.actor == SUBJECT
        changes_of_checks = [
            self._whose(check_change) for check_change in self._checks.values() if check_change is not newest
        ]
        story = Story(
            changes=sorted([*changes_of_checks, *changes], key=lambda change: change.revision),
            attempts=_NoRequests(),
            controller=self.found.controller,
            requests=_NoRequests(),
            sees_attempts=False,
        )
        for rule in self._rules:
            for violation in self._breaches(rule, story):
                key = (violation.rule, violation.object_name, violation.revision)
                if key not in self._told:
                    self._told.add(key)
                    self.found.violations.append(violation)
                    self._tell(violation)

    def _breaches(self, rule: SafetyRule, story: Story) -> Sequence[Violation]:
        try:
            return rule.violations(story)
        except _RequestsNotObserved:
            self.found.unseen.add(rule.id)
            return ()


def _listed(check: Json) -> Change:
    """Return an object that was read as a change of an unknown author."""
    return Change(
        revision=int(check["metadata"]["resourceVersion"]),
        at=authors.UNKNOWN_AUTHOR.at,
        actor=authors.UNKNOWN_AUTHOR.manager,
        verb="listed",
        kind="AdmissionCheck",
        namespace="",
        name=check["metadata"]["name"],
        before=None,
        after=check,
    )


def summary(observation: Observation) -> Mapping[str, str]:
    """Return the lines of the summary by key."""
    return {
        "seen": f"{observation.changes} change(s) of {len(observation.checks)} check(s) and their Workloads; {observation.judged} by {_names(observation.managers)}",
        "unclear": f"{observation.unclear} change(s) whose author is unknown",
        "not judged here": ", ".join(sorted(observation.unseen)) or "nothing",
        "attribution": "approximate: by field managers, since a watch names no user",
    }


def _names(managers: set[str]) -> str:
    return ", ".join(sorted(managers)) or "no known field manager"
