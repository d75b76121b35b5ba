"""How long a case waits for rest in real time: with something that never stops writing, not again and again for nothing."""

from __future__ import annotations

from collections.abc import Callable

LONGEST_SECONDS = 10.0
"""Seconds after which nobody believes any more that it will stop."""
_ENOUGH = 2
_TOLD = (
    "something never stops writing: {cases} cases have waited {longest:g} s for it to come to rest, and no case waits for that any more;"
    " rule CC-043 names the writes that change nothing"
)


class RestTimeout:
    """Counts the cases that waited in vain; `tell` hears of the second one."""

    def __init__(self, tell: Callable[[str], None] = print) -> None:
        self._tell = tell
        self._cases: set[int] = set()

    @property
    def seconds(self) -> float:
        """For how many seconds a rest is waited for."""
        return LONGEST_SECONDS if len(self._cases) < _ENOUGH else 0.0

    def timed_out(self, case: object) -> None:
        """Remember that something went on writing for as long as a case has waited."""
        before = len(self._cases)
        if before < _ENOUGH:
            self._cases.add(id(case))
        if before < len(self._cases) == _ENOUGH:
            self._tell(_TOLD.format(cases=_ENOUGH, longest=LONGEST_SECONDS))
