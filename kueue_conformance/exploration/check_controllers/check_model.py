"""A model of an AdmissionCheck of the controller: whether it is there, and can be used (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .acts import Act, Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckModel:
    """An AdmissionCheck under a name at which Workloads list it."""

    exists: bool = True
    is_own: bool = True
    """Whether it names the controller."""
    is_usable: bool = True
    """Whether its parameters are good."""
    is_marked: bool = False
    """Whether another client has added fields, and a finalizer that keeps it from going."""

    @property
    def is_served(self) -> bool:
        """Whether the controller has to do with it."""
        return self.exists and self.is_own

    @property
    def active(self) -> str:
        """The status of its Active condition, empty where the controller sets none."""
        return str(self.is_usable) if self.is_served else ""


CheckRule = tuple[Callable[[CheckModel], bool], Callable[[CheckModel, Act], CheckModel]]
CHECK_RULES: Mapping[Verb, CheckRule] = {
    Verb.BREAK_CHECK: (
        lambda check: check.is_served and check.is_usable,
        lambda before, _: replace(before, is_usable=False),
    ),
    Verb.MEND_CHECK: (
        lambda check: check.is_served and not check.is_usable,
        lambda before, _: replace(before, is_usable=True),
    ),
    Verb.TOUCH_CHECK: (lambda check: check.exists, lambda before, _: before),
    Verb.MARK_CHECK: (
        lambda check: check.is_served and not check.is_marked,
        lambda before, _: replace(before, is_marked=True),
    ),
    Verb.DROP_CHECK: (
        lambda check: check.is_served and not check.is_marked,
        lambda before, _: replace(before, exists=False),
    ),
    Verb.CREATE_CHECK: (lambda check: not check.exists, lambda _, __: CheckModel()),
    Verb.GIVE_CHECK: (
        lambda check: check.is_served and not check.is_marked,
        lambda before, _: replace(before, is_own=False, is_usable=True),
    ),
    Verb.TAKE_CHECK: (lambda check: check.exists and not check.is_own, lambda _, __: CheckModel()),
}
"""By verb of an act on a check: when it is legal, and what it changes."""
