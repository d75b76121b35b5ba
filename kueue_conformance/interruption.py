"""Ctrl-C in the process that leads a run: once ends the run with a report of what was judged, twice ends it at once.

pytest cannot be interrupted while it is ending: what it would say then is a traceback of its own.
"""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Callable
from types import FrameType

import pluggy
import pytest

from .errors import CUT_SHORT
from .public_fixtures import RUN
from .run import Run

_SAME_SIGNAL_SECONDS = 1.0
"""Seconds in which a signal is the same as the one before: both the terminal and the attending process pass it on."""
_FIRST = (
    "interrupted: the report of what was judged is being written; once more ends at once, without a report"
)


class Interruption:
    """Takes the place of Python's own answer to SIGINT."""

    def __init__(self, run: Run, out: int, now: Callable[[], float] = time.monotonic) -> None:
        """Speak to a descriptor of its own: while a case runs, those of the process are captured."""
        self._run = run
        self._out = out
        self._now = now
        self._told: float | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Interrupt what is being done; the second time, end the process. Raises KeyboardInterrupt."""
        del number, frame
        if self._told is None:
            self._told = self._now()
            self._say(_FIRST)
            raise KeyboardInterrupt
        if self._now() - self._told > _SAME_SIGNAL_SECONDS:
            self._say(f"interrupted again: ended without a report; {left(self._run)}")
            os._exit(CUT_SHORT)

    def _say(self, text: str) -> None:
        os.write(self._out, f"\n{text}\n".encode())


def left(run: Run) -> str:
    """Return what a run that ends at once leaves behind, and how that goes."""
    kind, _, where = run.settings.backend.partition(":")
    if kind == "kubeconfig" or run.settings.cluster_options.reuse:
        file, _, context = where.partition("@")
        place = (
            f"--kind-reuse {run.settings.cluster_options.reuse}"
            if run.settings.cluster_options.reuse
            else f"--kubeconfig {file}"
        )
        more = f" --context {context}" if context else ""
        return f"objects of this run may be left: `kueue-conformance cleanup {place}{more} --run {run.uid}` removes them"
    if kind == "kind":
        return "its cluster is being deleted; `kueue-conformance cleanup` says whether one is left"
    return "nothing is left: subject, servers and temporary folders end with the run"


def install(config: pytest.Config) -> None:
    """Answer SIGINT from now on, where this process leads the run; called while nothing is captured."""
    if hasattr(config, "workerinput"):
        # A worker that is interrupted as well has lost the process that it would tell how it ended.
        warnings.simplefilter("ignore", pluggy.PluggyTeardownRaisedWarning)
    elif RUN in config.stash:
        signal.signal(signal.SIGINT, Interruption(config.stash[RUN], os.dup(2)))
