"""Groups that failed to grow and are left alone for a while (PR-190, PR-191)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BackoffErrorInfo:
    """Why a group failed to grow."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class _BackoffEntry:
    seconds: float
    until: float
    last: float
    cause: BackoffErrorInfo


class GroupBackoff:
    """Until when each group is left alone."""

    def __init__(self, initial: float, most: float, forget_after: float) -> None:
        self._initial, self._most, self._forget_after = initial, most, forget_after
        self._failures: dict[str, _BackoffEntry] = {}

    def note_failure(self, group: str, current_time: float, cause: BackoffErrorInfo) -> None:
        """Note a failure: the time doubles with each that comes after the one before is over."""
        before = self._failures.get(group)
        if before is None or before.last + self._forget_after < current_time:
            seconds = self._initial
        # Failures during the back-off do not double it: they come from the same
        # request.
        elif before.until < current_time:
            seconds = min(2 * before.seconds, self._most)
        else:
            seconds = before.seconds
        self._failures[group] = _BackoffEntry(seconds, current_time + seconds, current_time, cause)

    def is_backed_off(self, group: str, current_time: float) -> bool:
        """Tell whether a group is left alone now."""
        return self.cause(group, current_time) is not None

    def cause(self, group: str, current_time: float) -> BackoffErrorInfo | None:
        """Return why a group is left alone now, None where it is not."""
        failure = self._failures.get(group)
        return failure.cause if failure is not None and current_time < failure.until else None
