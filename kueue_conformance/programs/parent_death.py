"""Lets Linux end a child process with its parent,
however that ends (harness/H-42); elsewhere nothing does.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Callable

_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def signal_on_parent_death(number: signal.Signals) -> Callable[[], None]:
    """Return a `preexec_fn` that has this signal sent to the
    new process when the thread that started it has ended.
    """
    if sys.platform != "linux":
        return lambda: None
    control = ctypes.CDLL(
        None
    ).prctl  # found before the fork: a lock of another thread stays locked in the child
    return lambda: control(_PARENT_DEATH_SIGNAL, number, 0, 0, 0)
