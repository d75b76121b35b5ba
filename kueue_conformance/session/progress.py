"""The progress display of `kueue-conformance run`, in place of pytest's dots.

On a terminal a line for each case that is running, and a summary below with an estimate of what is left,
rewritten each second; elsewhere a line from time to time. A case that did not pass is named at once, on a
terminal the first one with its cause. `run` loads this plugin; a plain pytest run keeps pytest's display.
It prints in the leading process, never in workers.
"""

from __future__ import annotations

import gc
import threading
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import pytest

from ..base.errors import SubjectFileError
from ..options import header_line
from . import early_end
from .fixtures import RUN, scenario_of
from .interruption import install, uninstall
from .live_lines import LiveLines, estimate

_LINE_SECONDS = 10.0
"""Seconds between two lines without a terminal."""
_REDRAW_SECONDS = 1.0
_CAUSE_LINES = 4
"""The lines of a cause that are shown while others run; the report has all."""
_BAD = ("failed", "error")
_OURS = (0, -2)
"""pytest's verbosities at which this display replaces the dots:
the default, and that of `kueue-conformance run`.
"""
_CASES_PER_COLLECTION = 100
"""Cases of a process between two runs of the cyclic garbage collector,
where a subject of it may leave cycles.
"""
DONE = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Replace the dots, unless the user asked for -q or -v;
    freeze the collected tests for the garbage collector.
    """
    # Collection of tests makes many objects that all stay: to search them for cycles only takes
    # time.
    gc.disable()
    install(config)
    early_end.install(config)
    # xdist sets workerinput in workers alone.
    if not hasattr(config, "workerinput") and config.getoption("verbose") in _OURS:
        config.pluginmanager.register(
            Progress(config, ours=config.getoption("verbose") < 0), "kueue-conformance-progress"
        )


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Switch the cyclic garbage collector off while cases run: objects of a case are freed without it."""
    gc.freeze()


def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Run the cyclic garbage collector between two cases from time to time, where a subject of this process
    may leave cycles behind; the reference leaves none.
    """
    if item.config.stash[RUN].for_scenario(scenario_of(item)).settings.subject is None:
        return
    done = item.session.stash[DONE] = item.session.stash.get(DONE, 0) + 1
    if done % _CASES_PER_COLLECTION == 0:
        # The youngest generation: everything older was frozen after the collection of tests.
        gc.collect(0)


@pytest.hookimpl(wrapper=True)
def pytest_unconfigure() -> Generator[None]:
    """Freeze all objects before the process ends: a garbage collection would only cost time."""
    gc.freeze()
    gc.enable()
    yield
    # Last: to close a cluster may take long, and can be interrupted.
    uninstall()


class Progress:
    """Counts cases as their reports come in."""

    def __init__(self, config: pytest.Config, *, ours: bool = False) -> None:
        """Also print what pytest leaves out where the terminal is `ours`."""
        self._config = config
        self._ours = ours
        self._terminal: Any = None
        self._total = 0
        self._outcomes: Counter[str] = Counter()
        self._reasons: set[str] = set()
        self._began = self._said = time.monotonic()
        self._live: LiveLines | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._ticks = False

    def pytest_sessionstart(self) -> None:
        """Find the terminal; file names are not shown."""
        # Only now: at configure time pytest's reporter may not be registered yet.
        self._terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if self._terminal is not None:
            self._terminal.showfspath = False
            # A log file would hold every rewritten line.
            if self._terminal.isatty:
                self._live = LiveLines(lambda text: self._terminal.write(text, flush=True))
            if self._ours:
                # It would name a line of our handler.
                self._terminal._report_keyboardinterrupt = lambda: None  # noqa: SLF001
        workers = self._config.pluginmanager.get_plugin("terminaldistreporter")
        if workers is not None and self._ours:
            workers.ensure_show_status = lambda: None  # what workers are doing is pytest's own word

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Show why scenarios cannot be loaded, where pytest prints nothing."""
        if self._ours and report.failed and self._terminal is not None:
            self._terminal.write_line(f"error: {report.nodeid} cannot be loaded\n{report.longreprtext}")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the cases, which the summary and junit.xml count as well."""
        self._learns(len(session.items))

    def _learns(self, amount: int) -> None:
        """Print the cases under judgement, where pytest prints nothing."""
        if self._ours and not self._total and amount and self._terminal is not None:
            self._terminal.write_line(
                f"{header_line(self._config.stash[RUN].settings)} [{amount} {_noun(amount)}]"
            )
        # With xdist each worker reports the same cases.
        self._total = max(self._total, amount)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Count the cases that a worker has collected, where only workers collect."""
        self._learns(len(ids))

        if self._live is not None and not self._ticks:
            self._ticks = True
            threading.Thread(target=self._redraw, name="progress", daemon=True).start()

    def _redraw(self) -> None:
        """Count the seconds of running cases, in the leading process, whose own thread waits for workers."""
        while not self._over.wait(_REDRAW_SECONDS):
            self._draw()

    def _draw(self) -> None:
        with self._lock:
            if self._live is not None and not self._over.is_set():
                current_time = time.monotonic()
                self._live.draw(self._summary(current_time), current_time)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Show a case that begins."""
        if self._live is not None:
            with self._lock:
                self._live.start(nodeid, time.monotonic())
            self._draw()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Free the line of a case that has ended."""
        if self._live is not None:
            with self._lock:
                self._live.end(nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Erase the lines before others write."""
        self._over.set()
        if self._live is not None:
            with self._lock:
                self._live.erase()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Show no letter for a case; pytest's counts stay."""
        if getattr(report, "kueue", None) is None:
            return None
        # Set-up and teardown that passed are no cases.
        if report.when != "call" and report.passed:
            return "", "", ""
        category = "error" if report.failed and report.when != "call" else report.outcome
        return category, "", category.upper()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count and show a finished case."""
        note: Mapping[str, Any] | None = getattr(report, "kueue", None)
        if note is None or self._terminal is None or (report.when != "call" and note["outcome"] == "passed"):
            return
        # No case of it is judged: the run ends with that error.
        if note.get("code") == SubjectFileError.__name__:
            return
        self._outcomes[note["outcome"]] += 1
        if self._live is not None:
            with self._lock:
                self._live.learn(report.nodeid, note["id"])
        if note["outcome"] in _BAD and self._is_news(note):
            self._name(note)
        self._say()

    def _name(self, note: Mapping[str, Any]) -> None:
        """Name a case that did not pass; on a terminal the first one with its cause."""
        with self._lock:
            if self._live is not None:
                self._live.erase()
            self._terminal.ensure_newline()
            self._terminal.write_line(f"{note['outcome']}: {note['id']} {note['test']}")
            is_first = sum(self._outcomes[outcome] for outcome in _BAD) == 1
            if self._live is not None and is_first:
                for line in note.get("text", "").strip().splitlines()[:_CAUSE_LINES]:
                    self._terminal.write_line(f"    {line}")

    def _is_news(self, note: Mapping[str, Any]) -> bool:
        """Tell whether a failed case is to be named:
        of several that fail for one reason only the first is.
        """
        reason = note.get("text", "") if note["outcome"] == "error" else ""
        is_known = reason in self._reasons
        self._reasons.add(reason)
        return not (reason and is_known)

    def _say(self) -> None:
        if self._live is not None:
            self._draw()
            return
        current_time = time.monotonic()
        if current_time - self._said >= _LINE_SECONDS:
            self._said = current_time
            self._terminal.write_line(self.line(current_time))

    def _summary(self, current_time: float) -> str:
        remaining = estimate(self._outcomes.total(), self._total, current_time - self._began)
        return "  ".join(filter(None, [self.line(current_time), remaining]))

    def line(self, current_time: float) -> str:
        """Return the progress line."""
        counts = " · ".join(f"{amount} {name}" for name, amount in sorted(self._outcomes.items()))
        return (
            f"{self._outcomes.total()} of {self._total} {_noun(self._total)}  {counts}"
            f"  {current_time - self._began:.0f} s"
        )


def _noun(amount: int) -> str:
    return "case" if amount == 1 else "cases"


@pytest.hookimpl(tryfirst=True)
def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Drop frames that were interrupted before their first line:
    pytest would end with a traceback of its own.
    """
    excinfo.traceback = excinfo.traceback.filter(has_line)


def has_line(entry: Any) -> bool:
    """Tell whether a frame has a line number."""
    try:
        # In Python a frame that was interrupted before its first line has no line number.
        return bool(entry.lineno >= 0)
    except TypeError:
        return False
