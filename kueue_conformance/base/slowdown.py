"""How many times longer a program takes on a busy machine."""

from __future__ import annotations

import time

MOST_TIMES = 5.0
"""How many times as long anything in real time is waited for at most."""
_TRIALS = 3
_TRIAL_SECONDS = 0.01
_LONGEST_SECONDS = 0.25


def measure_slowdown() -> float:
    """Return how many times longer this process takes now than on an idle machine: the slowest of three
    trials of 10 ms, since one may fall into a gap of what else runs.

    What other programs take from this process they take from a subject beside it too. A load average would
    not do: it counts all programs of the machine, knows no priorities and no limits of a container.
    """
    return max(_measure_once() for _ in range(_TRIALS))


def _measure_once() -> float:
    began, ran = time.perf_counter(), time.thread_time()
    while time.thread_time() - ran < _TRIAL_SECONDS and time.perf_counter() - began < _LONGEST_SECONDS:
        pass
    return max(1.0, (time.perf_counter() - began) / max(time.thread_time() - ran, 1e-6))
