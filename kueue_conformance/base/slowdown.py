"""How many times longer a program takes on a busy machine."""

from __future__ import annotations

import time

MOST_TIMES = 5.0
"""How many times as long anything in real time is waited for at most."""
_TRIAL_SECONDS = 0.02
_LONGEST_SECONDS = 0.5


def measure_slowdown() -> float:
    """Return how many times longer this process takes now than on an idle machine, by a trial of 20 ms.

    What other programs take from this process they take from a subject beside it too. A load average would
    not do: it counts all programs of the machine, knows no priorities and no limits of a container.
    """
    began, ran = time.perf_counter(), time.thread_time()
    while time.thread_time() - ran < _TRIAL_SECONDS and time.perf_counter() - began < _LONGEST_SECONDS:
        pass
    return max(1.0, (time.perf_counter() - began) / max(time.thread_time() - ran, 1e-6))
