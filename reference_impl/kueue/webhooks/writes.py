"""A write for validation, and validation rules: functions that yield field errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...api.releases import Since, has_change
from ...api.resource import Json
from ..features import Features
from ..workload.rules import MAX_TIMEOUT_SECONDS
from .problems import Problem


@dataclass(frozen=True, slots=True)
class ReviewedWrite:
    """An object as it shall be, and as it was;
    `old` is None when it is created, `sent` is how the new one was written.
    """

    new: Json
    old: Json = None
    sent: Json = None
    features: Features = field(default_factory=Features)
    max_timeout_seconds: float = MAX_TIMEOUT_SECONDS
    """The longest time that a Job may give its pods (KV-61)."""

    @property
    def spec(self) -> Json:
        """Return the spec, empty when absent."""
        return self.new.get("spec") or {}

    @property
    def old_spec(self) -> Json:
        """Return the spec as it was, empty when absent."""
        return (self.old or {}).get("spec") or {}


Judge = Callable[[ReviewedWrite], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class ValidationRule:
    """A validation function, and the first release that has it."""

    judge: Judge
    since: Since = (0,)


def problems(
    rules: Iterable[ValidationRule], write: ReviewedWrite, release: tuple[int, ...]
) -> list[Problem]:
    """Return everything that is wrong with a write, in the order of the rules."""
    return [problem for rule in rules if has_change(release, rule.since) for problem in rule.judge(write)]
