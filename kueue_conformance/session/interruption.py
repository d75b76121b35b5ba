"""Ctrl-C in the process that leads a run:
once ends the run with a report of what was judged, twice ends it at once.

pytest cannot be interrupted while it ends: it would print a traceback.
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

from ..base.errors import CUT_SHORT
from ..run import Run
from .fixtures import RUN

_SAME_SIGNAL_SECONDS = 1.0
"""Seconds within which two signals count as one: both the terminal and the attending process send it."""
_FIRST = (
    "interrupted: the report of what was judged is being written; once more ends at once, without a report"
)


class Interruption:
    """The handler of SIGINT."""

    def __init__(self, run: Run, out: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Open a descriptor for messages: while a case runs, stderr is captured."""
        self._run = run
        self._out = out
        self._now = clock
        self._told: float | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the run; the second time, end the process. Raises KeyboardInterrupt."""
        del number, frame
        if self._told is None:
            self._told = self._now()
            self._say(_FIRST)
            # pytest ends its session in order: teardown of the case, then the report.
            raise KeyboardInterrupt
        if self._now() - self._told > _SAME_SIGNAL_SECONDS:
            self._say(f"interrupted again: ended without a report; {clean_up_hint(self._run)}")
            # Not sys.exit: teardown, which may be what hangs, would run once more.
            os._exit(CUT_SHORT)

    def _say(self, text: str) -> None:
        # A handler may run in the midst of a write to stderr: os.write takes no lock of Python's.
        os.write(self._out, f"\n{text}\n".encode())


def clean_up_hint(run: Run) -> str:
    """Return what a run that ends at once leaves behind, and the command that removes it."""
    kind, _, where = run.settings.backend.partition(":")
    if kind == "kubeconfig" or run.settings.cluster_options.reuse:
        file, _, context = where.partition("@")
        cluster_option = (
            f"--kind-reuse {run.settings.cluster_options.reuse}"
            if run.settings.cluster_options.reuse
            else f"--kubeconfig {file}"
        )
        context_option = f" --context {context}" if context else ""
        return f"objects of this run may be left: `kueue-conformance cleanup {cluster_option}{context_option} --run {run.uid}` removes them"
    if kind == "kind":
        return "its cluster is being deleted; `kueue-conformance cleanup` says whether one is left"
    return "nothing is left: subject, servers and temporary folders end with the run"


def install(config: pytest.Config) -> None:
    """Install the handler in the process that leads the run; called while nothing is captured."""
    if hasattr(config, "workerinput"):
        # A worker that is interrupted as well has lost the process that it would tell how it ended.
        warnings.simplefilter("ignore", pluggy.PluggyTeardownRaisedWarning)
    # The plugin may have refused the options, and then there is no run to interrupt.
    elif RUN in config.stash:
        signal.signal(signal.SIGINT, Interruption(config.stash[RUN], os.dup(2)))
