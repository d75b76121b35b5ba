"""How long a case waits for quiet in real time, when a client never stops writing: two cases wait in full,
later ones not at all.
"""

from __future__ import annotations

from collections.abc import Callable

LONGEST_SECONDS = 10.0
"""Seconds that a case waits for quiet at most."""
# One time-out may be chance; after two, waiting in each case would multiply the run.
_ENOUGH = 2
_TOLD = (
    "something never stops writing: {cases} cases have waited {longest:g} s for it to come to rest, and no case waits for that any more;"
    " rule CC-043 names the writes that change nothing"
)


class RestTimeout:
    """Counts the cases that ran into the time-out; `tell` is called for the second one."""

    def __init__(self, tell: Callable[[str], None] = print) -> None:
        self._tell = tell
        self._cases: set[object] = set()

    @property
    def seconds(self) -> float:
        """Seconds to wait for quiet."""
        return LONGEST_SECONDS if len(self._cases) < _ENOUGH else 0.0

    def record_timeout(self, case: object) -> None:
        """Record that a case has run into the time-out."""
        before = len(self._cases)
        if before < _ENOUGH:
            # By case, which is held: one that waits several times counts once.
            self._cases.add(case)
        if before < len(self._cases) == _ENOUGH:
            self._tell(_TOLD.format(cases=_ENOUGH, longest=LONGEST_SECONDS))
