"""The end of a run before its last case: at the first failure (`-x`), or where the subject file does not fit
the subject.

xdist lets each worker run what it was given: a file that appears tells them to begin no further case.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click
import pytest

from ..base.errors import SubjectFileError, UsageError
from ..base.files import scratch
from .session_exit import refuse

_KEY = "kueue_stop_file"


class LeadingProcess:
    """Notices in the leading process that the run ends early, and tells the workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._file = scratch.unmade("end-") / "stop"
        self._failures = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        """Tell a worker which file to look for."""
        node.workerinput[_KEY] = str(self._file)  # type: ignore[attr-defined]  # xdist is untyped

    # Last, so that the report of the case is noted first.
    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Stop the workers at the failure that ends the run; refuse a subject file that does not fit."""
        self._failures += report.failed
        limit = self._config.getoption("maxfail") or 0
        note = getattr(report, "kueue", None)
        is_misfit = note is not None and note.get("code") == SubjectFileError.__name__
        if is_misfit or 0 < limit <= self._failures:
            self._file.parent.mkdir(exist_ok=True)
            self._file.touch()
        if note is not None and is_misfit:
            problem = UsageError(note["text"])
            # pytest prints the text of such an end only before its first case.
            click.echo(f"\nerror: {problem}", err=True)
            refuse(self._config, problem)

    def pytest_unconfigure(self) -> None:
        """Remove the file."""
        shutil.rmtree(self._file.parent, ignore_errors=True)


class Worker:
    """Looks in a worker whether the run has ended."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Skip, without a report, what would begin after the end."""
        if not self._file.exists():
            return None
        item.session.shouldstop = "the run has ended"
        return True


def install(config: pytest.Config) -> None:
    """Register the side of this process."""
    worker_input = getattr(config, "workerinput", None)
    if worker_input is None:
        config.pluginmanager.register(LeadingProcess(config), "kueue-conformance-early-end")
    elif _KEY in worker_input:
        config.pluginmanager.register(Worker(Path(worker_input[_KEY])), "kueue-conformance-early-end")
