"""Ctrl-C in the process that leads a run:
once ends the run with a report of what was judged, twice ends it at once.

pytest cannot be interrupted while it ends: it would print a traceback.
"""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Callable, Generator
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
        self._is_over = False
        """Every case was judged, or the run has ended early."""

    # The outermost: what pytest does at the end of a session cannot be interrupted without a traceback.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Let the report be written whatever comes, unless it comes twice."""
        self._is_over = True
        yield

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the run; the second time, end the process. Raises KeyboardInterrupt."""
        del number, frame
        if self._told is None:
            self._told = self._now()
            self._say(_FIRST)
            if self._is_over:
                return
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
    kind, reused = run.settings.backend.partition(":")[0], run.settings.cluster_options.reuse
    if kind == "kubeconfig" or reused:
        from ..backends.leftovers import cleanup_command  # it knows the wire, which not every run needs

        command = cleanup_command(run.settings.backend, reused)
        return f"objects of this run may be left: `{command} --run {run.uid}` removes them"
    if kind == "kind":
        return "its cluster is being deleted; `kueue-conformance cleanup` says whether one is left"
    return "nothing is left: subject, servers and temporary folders end with the run"


class WorkerStart:
    """Keeps SIGINT from workers while they load: a terminal sends it to all processes, and theirs would end
    in a traceback.
    """

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_setupnodes(self) -> None:
        """Block the signal in the leading process: a new process inherits that."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionstart(self) -> Generator[None]:
        """Take the signal, one that has come meanwhile too, when the workers are started."""
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def install(config: pytest.Config) -> None:
    """Install the handler in the process that leads the run; called while nothing is captured."""
    if hasattr(config, "workerinput"):
        # A worker that is interrupted as well has lost the process that it would tell how it ended.
        warnings.simplefilter("ignore", pluggy.PluggyTeardownRaisedWarning)
        # First a signal that came while it loaded is dropped: the leading process has it too.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # The plugin may have refused the options, and then there is no run to interrupt.
    elif RUN in config.stash:
        interruption = Interruption(config.stash[RUN], os.dup(2))
        signal.signal(signal.SIGINT, interruption)
        config.pluginmanager.register(interruption, "kueue-conformance-interruption")
        config.pluginmanager.register(WorkerStart(), "kueue-conformance-worker-start")


def uninstall() -> None:
    """Ignore SIGINT from now on: the report is written, and what Python does at its exit would only end in a
    traceback.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
