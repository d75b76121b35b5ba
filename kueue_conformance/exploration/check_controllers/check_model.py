"""A model of an AdmissionCheck of the controller: whether it is there, and can be used (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .acts import UNSET, Act, Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckModel:
    """An AdmissionCheck under a name at which Workloads list it."""

    exists: bool = True
    is_own: bool = True
    """Whether it names the controller."""
    is_usable: bool = True
    """Whether its parameters are good."""
    is_unset: bool = False
    """Whether it refers to no parameters, so that only its controller knows whether it can be used."""
    is_marked: bool = False
    """Whether another client has added fields, and a finalizer that keeps it from going."""

    waits: int = 0
    """How many waits it could be used at, without a break; two stand for more."""

    def with_time(self) -> CheckModel:
        """Return it after the controller had time to do what it has to."""
        return replace(self, waits=min(self.waits + 1, 2) if self.is_served and self.is_usable else 0)

    @property
    def is_steady(self) -> bool:
        """Whether it could be used at the last wait, at the one before, and all the time between."""
        return self.waits > 1

    @property
    def is_served(self) -> bool:
        """Whether the controller has to do with it."""
        return self.exists and self.is_own

    @property
    def active(self) -> str:
        """The status of its Active condition, empty where the controller sets none."""
        return str(self.is_usable) if self.is_served and not self.is_unset else ""


CheckRule = tuple[Callable[[CheckModel], bool], Callable[[CheckModel, Act], CheckModel]]
CHECK_RULES: Mapping[Verb, CheckRule] = {
    Verb.BREAK_CHECK: (
        lambda check: check.is_served and check.is_usable,
        lambda before, act: replace(before, is_usable=False, is_unset=act.word == UNSET, waits=0),
    ),
    Verb.MEND_CHECK: (
        lambda check: check.is_served and not check.is_usable,
        lambda before, _: replace(before, is_usable=True, is_unset=False),
    ),
    Verb.TOUCH_CHECK: (lambda check: check.exists, lambda before, _: before),
    Verb.MARK_CHECK: (
        lambda check: check.is_served and not check.is_marked,
        lambda before, _: replace(before, is_marked=True),
    ),
    Verb.DROP_CHECK: (
        lambda check: check.is_served,
        lambda before, _: replace(before, exists=False, waits=0),
    ),
    Verb.CREATE_CHECK: (lambda check: not check.exists and not check.is_marked, lambda _, __: CheckModel()),
    Verb.GIVE_CHECK: (
        lambda check: check.is_served and not check.is_marked,
        lambda before, _: replace(before, is_own=False, is_usable=True, is_unset=False, waits=0),
    ),
    Verb.TAKE_CHECK: (lambda check: check.exists and not check.is_own, lambda _, __: CheckModel()),
}
"""By verb of an act on a check: when it is legal, and what it changes."""
