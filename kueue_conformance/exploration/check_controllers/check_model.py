"""A model of an AdmissionCheck of the controller: whether it is there, and can be used (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .acts import IN_USE, UNSET, Act, Verb


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
    was_usable: bool = True
    """Whether it could be used at some time since it was created."""
    is_marked: bool = False
    """Whether another client has added fields, and a finalizer that keeps it from going."""
    is_in_use: bool = False
    """Whether Kueue has added its finalizer, which keeps it from going."""
    waits: int = 0
    """How many waits it could be used at, or could not, without a change; two stand for more."""

    def with_time(self) -> CheckModel:
        """Return it after the controller had time to do what it has to."""
        return replace(self, waits=min(self.waits + 1, 2) if self.active else 0)

    @property
    def is_steady(self) -> bool:
        """Whether it could be used, or could not, at the last wait, the one before, and between them."""
        return self.waits > 1

    @property
    def is_held(self) -> bool:
        """Whether a finalizer keeps it from going."""
        return self.is_marked or self.is_in_use

    @property
    def is_served(self) -> bool:
        """Whether the controller has to do with it."""
        return self.exists and self.is_own

    @property
    def active(self) -> str:
        """The status of its Active condition, empty where the controller sets none."""
        return str(self.is_usable) if self.is_served and not self.is_unset else ""


CheckRule = tuple[Callable[[CheckModel], bool], Callable[[CheckModel, Act], CheckModel]]


def _create(_: CheckModel, act: Act) -> CheckModel:
    is_usable = not act.word
    return CheckModel(is_usable=is_usable, was_usable=is_usable, is_unset=act.word == UNSET)


def _break(before: CheckModel, act: Act) -> CheckModel:
    return replace(before, is_usable=False, is_unset=act.word == UNSET, waits=0)


def _mend(before: CheckModel, _: Act) -> CheckModel:
    return replace(before, is_usable=True, was_usable=True, is_unset=False, waits=0)


def _mark(before: CheckModel, act: Act) -> CheckModel:
    return replace(before, is_in_use=True) if act.word == IN_USE else replace(before, is_marked=True)


CHECK_RULES: Mapping[Verb, CheckRule] = {
    Verb.BREAK_CHECK: (lambda check: check.is_served and check.is_usable, _break),
    Verb.MEND_CHECK: (lambda check: check.is_served and not check.is_usable, _mend),
    Verb.TOUCH_CHECK: (lambda check: check.exists, lambda before, _: before),
    Verb.MARK_CHECK: (lambda check: check.is_served and not check.is_held, _mark),
    Verb.UNMARK_CHECK: (
        lambda check: check.is_held,
        lambda before, _: replace(before, is_marked=False, is_in_use=False),
    ),
    Verb.DROP_CHECK: (
        lambda check: check.is_served,
        lambda before, _: replace(before, exists=False, waits=0),
    ),
    Verb.CREATE_CHECK: (lambda check: not check.exists and not check.is_held, _create),
    Verb.GIVE_CHECK: (
        lambda check: check.is_served and not check.is_held,
        lambda before, _: replace(before, is_own=False, is_usable=True, is_unset=False, waits=0),
    ),
    Verb.TAKE_CHECK: (lambda check: check.exists and not check.is_own, lambda _, __: CheckModel()),
}
"""By verb of an act on a check: when it is legal, and what it changes."""
