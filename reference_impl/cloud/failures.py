"""When something goes wrong in a cloud: rules, of which the first that matches a call is applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

from .actions import (
    NOTHING,
    CloudMethod,
    CreateError,
    FailureAction,
    Hang,
    NeverRegister,
    PartialError,
    RegisterNotReady,
    Reject,
    Slow,
    Stockout,
    Unavailable,
    Vanish,
    WrongCount,
    check_numbers,
)
from .machines import NEVER

__all__ = [
    "CloudCall",
    "CreateError",
    "FailurePlan",
    "FailureRule",
    "Hang",
    "NeverRegister",
    "PartialError",
    "RegisterNotReady",
    "Reject",
    "Slow",
    "Stockout",
    "Unavailable",
    "Vanish",
    "WrongCount",
]


@dataclass(frozen=True, slots=True)
class FailureRule:
    """When an action is taken.

    What is not given matches everything; times are seconds since the cloud began. Raises ValueError.

    `attempt` is the n-th call of its method on its group, from 1. After `times` calls the rule is used up.
    """

    action: FailureAction
    _: KW_ONLY
    group: str = ""
    method: CloudMethod | None = None
    attempt: int | None = None
    after: float = 0.0
    before: float = NEVER
    delta_ge: int = 0
    times: int | None = None

    def __post_init__(self) -> None:
        check_numbers(self)
        for name in ("attempt", "times"):
            if getattr(self, name) == 0:
                raise ValueError(f"{name} is 0: expected 1 or more")

    def matches(self, call: CloudCall) -> bool:
        """Tell whether it is about a call."""
        return (
            (call.method == self.method if self.method else call.method in self.action.methods)
            and self.group in {"", call.group}
            and self.attempt in {None, call.attempt}
            and self.after <= call.seconds < self.before
            and call.delta >= self.delta_ge
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudCall:
    """A call as rules look at it: which one of its kind it is, and how long after the cloud began."""

    method: CloudMethod
    group: str
    attempt: int
    seconds: float
    delta: int = 0


class FailurePlan:
    """The rules of a cloud in their order, and how often each is still to be applied."""

    def __init__(self, rules: Sequence[FailureRule] = ()) -> None:
        self._rules: dict[int, FailureRule] = {}
        self._last = 0
        for rule in rules:
            self.add(rule)

    @property
    def rules(self) -> dict[int, FailureRule]:
        """Return the rules that are not used up, by their numbers; `times` counts down."""
        return dict(self._rules)

    def add(self, rule: FailureRule) -> int:
        """Add a rule at the end; return its number."""
        self._last += 1
        self._rules[self._last] = rule
        return self._last

    def remove(self, number: int) -> None:
        """Take a rule away. Raises KeyError where there is none of this number."""
        del self._rules[number]

    def clear(self) -> None:
        """Take all rules away."""
        self._rules.clear()

    def action_for(self, call: CloudCall) -> FailureAction:
        """Return the action of the first rule that matches, and count it."""
        for number, rule in self._rules.items():
            if rule.matches(call):
                self._count(number, rule)
                return rule.action
        return NOTHING

    def _count(self, number: int, rule: FailureRule) -> None:
        if rule.times is None:
            return
        if rule.times > 1:
            self._rules[number] = replace(rule, times=rule.times - 1)
        else:
            del self._rules[number]
