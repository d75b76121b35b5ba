"""What is shown while `kueue-conformance run` is at work, in place of pytest's dots.

On a terminal one line that is written over again and again; elsewhere a line now and then. A case that did not pass is named
at once. `run` loads this plugin; a plain pytest keeps its own ways. It speaks on the process that leads, never in workers.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from .interruption import install
from .options import told
from .public_fixtures import RUN

_LINE_SECONDS = 10.0
"""Seconds between two lines where lines stay."""
_BAD = ("failed", "error")
_OURS = (0, -2)
"""How wordy pytest is where this takes its place: as ever, and as `kueue-conformance run` tells it to be."""
_CASES_PER_COLLECTION = 100
"""Cases of a process between two searches for cycles."""
DONE = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Take over from the dots, unless the user wants it quiet or wordy; what is collected stays, and holds no garbage."""
    gc.disable()
    install(config)
    if not hasattr(config, "workerinput") and config.getoption("verbose") in _OURS:
        config.pluginmanager.register(
            Progress(config, ours=config.getoption("verbose") < 0), "kueue-conformance-progress"
        )


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Have nobody search for cycles while cases run: what the harness makes for a case is freed without."""
    gc.freeze()


def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Search all the same now and then, between two cases: a subject of this process may leave cycles behind."""
    done = item.session.stash[DONE] = item.session.stash.get(DONE, 0) + 1
    if done % _CASES_PER_COLLECTION == 0:
        gc.collect(0)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Have nobody search for cycles in what the end of the process frees at once."""
    gc.freeze()
    gc.enable()


class Progress:
    """Counts cases as their reports come in."""

    def __init__(self, config: pytest.Config, *, ours: bool = False) -> None:
        """Say as well what pytest leaves out where the terminal is `ours`."""
        self._config = config
        self._ours = ours
        self._terminal: Any = None
        self._total = 0
        self._outcomes: Counter[str] = Counter()
        self._reasons: set[str] = set()
        self._began = self._said = time.monotonic()

    def pytest_sessionstart(self) -> None:
        """Find the terminal; names of files are not interesting here."""
        self._terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if self._terminal is not None:
            self._terminal.showfspath = False
        workers = self._config.pluginmanager.get_plugin("terminaldistreporter")
        if workers is not None and self._ours:
            workers.ensure_show_status = lambda: None  # what workers are doing is pytest's own word

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn how many cases there are."""
        self._learns(len(session.items))

    def _learns(self, amount: int) -> None:
        """Say at once what is judged, where pytest says nothing."""
        if self._ours and not self._total and amount and self._terminal is not None:
            self._terminal.write_line(f"{told(self._config.stash[RUN].settings)} [{amount} items]")
        self._total = max(self._total, amount)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Learn it from a worker, where only workers collect."""
        self._learns(len(ids))

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Show no letter for a case; it is counted as ever."""
        if getattr(report, "kueue", None) is None:
            return None
        if report.when != "call" and report.passed:
            return "", "", ""
        category = "error" if report.failed and report.when != "call" else report.outcome
        return category, "", category.upper()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a case when it is over, and say so."""
        note: Mapping[str, Any] | None = getattr(report, "kueue", None)
        if note is None or self._terminal is None or (report.when != "call" and note["outcome"] == "passed"):
            return
        self._outcomes[note["outcome"]] += 1
        if note["outcome"] in _BAD and self._is_news(note):
            self._terminal.ensure_newline()
            self._terminal.write_line(f"{note['outcome']}: {note['id']} {note['test']}")
        self._say(note["id"])

    def _is_news(self, note: Mapping[str, Any]) -> bool:
        """Tell whether a bad case has to be named: what breaks down for one reason is named once, however many cases it takes along."""
        reason = note.get("text", "") if note["outcome"] == "error" else ""
        known = reason in self._reasons
        self._reasons.add(reason)
        return not (reason and known)

    def _say(self, scenario: str) -> None:
        now = time.monotonic()
        if self._terminal.isatty:
            self._terminal.rewrite(f"{scenario}  {self.line(now)}", erase=True)
        elif now - self._said >= _LINE_SECONDS:
            self._said = now
            self._terminal.write_line(self.line(now))

    def line(self, now: float) -> str:
        """Return how far the run is."""
        counts = " · ".join(f"{amount} {name}" for name, amount in sorted(self._outcomes.items()))
        return f"{self._outcomes.total()} of {self._total} cases  {counts}  {now - self._began:.0f} s"


@pytest.hookimpl(tryfirst=True)
def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Leave out frames that were interrupted before their first line: pytest cannot tell of them and would end with a traceback."""
    excinfo.traceback = excinfo.traceback.filter(has_line)


def has_line(entry: Any) -> bool:
    """Tell whether Python knows the line of a frame."""
    try:
        return bool(entry.lineno >= 0)
    except TypeError:
        return False
