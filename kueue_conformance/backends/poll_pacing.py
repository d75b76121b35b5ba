"""Pacing of polls in real time: an expensive condition is
evaluated less often, since the subject needs the CPU.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_CHEAP_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 1.0
# About a quarter of the time goes into evaluations, until the longest pause is reached.
_TIMES = 3


class PacedPoll:
    """Evaluates a condition, and pauses before the next evaluation for a multiple of the time that it took.

    A list of a thousand Workloads after each of a thousand verdicts
    would take more of the machine than the subject's answers.
    """

    def __init__(
        self,
        condition: Callable[[], bool],
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,  # noqa: TID251 - the pause leaves the CPU to the subject
    ) -> None:
        self._condition, self._seconds, self._sleep = condition, seconds, sleep
        self._pause = 0.0

    def holds(self) -> bool:
        """Pause, then tell whether the condition holds."""
        if self._pause:
            self._sleep(self._pause)
        began = self._seconds()
        is_met = self._condition()
        took = self._seconds() - began
        self._pause = min(_LONGEST_PAUSE_SECONDS, _TIMES * took) if took > _CHEAP_SECONDS else 0.0
        return is_met
