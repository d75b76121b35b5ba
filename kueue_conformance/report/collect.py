"""Collects results from the notes of cases, in the leading process,
whichever process a case ran in (PY-22, PY-23, T-01).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import pytest

from ..base.errors import EnvironmentProblem, SubjectFileError
from ..catalogue.inventory import inventory
from ..run import Run
from ..scenarios.outcome import Outcome
from ..scenarios.scenario import Scenario
from .results.case import CaseResult
from .results.expectations import NOTHING_EXPECTED, ExpectationResults, today, with_unexpected_passes
from .results.repetitions import fold

_PHASES = ("setup", "call", "teardown")
IS_ONE_CASE = pytest.StashKey[bool]()
"""One case is run, and what started pytest says how it ended: a table of profiles would say nothing."""


class Collector:
    """Runs in the leading process: gathers the phases of every case,
    writes the reports and sets the exit code.
    """

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config = config
        self._run = run
        self._phases: dict[str, dict[str, Mapping[str, Any]]] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._started = time.time()
        self._red = 0
        """The number of scenario failures that pytest has counted."""
        self._trouble = ""
        """Why the reports could not be written."""
        self._complete = False
        self._is_refused = False
        """Nothing was judged: the subject file does not fit the subject."""
        self._compared: tuple[Sequence[CaseResult], ExpectationResults] = (), NOTHING_EXPECTED

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Record the inventory; on an xdist controller,
        which collects nothing itself, it is read from the suites.
        """
        for item in items:
            if marker := item.get_closest_marker("scenario"):
                self._scenarios[marker.args[0].id] = marker.args[0]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the note of a phase."""
        note = getattr(report, "kueue", None)
        if note is not None:
            self._is_refused = self._is_refused or note["code"] == SubjectFileError.__name__
            # pytest reports set-up, call and teardown of a test one by one, with xdist mixed with
            # those of others.
            self._phases.setdefault(report.nodeid, {})[str(report.when)] = note
            self._red += report.failed

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the reports and decide the exit code (harness §10.6)."""
        # The plugin is loaded in every pytest run: without a scenario it writes nothing.
        if not self._phases or self._is_refused:
            return
        from .writing import finish

        results: Sequence[CaseResult] = fold([_combine(phases) for phases in self._phases.values()])
        bad = sum(result.outcome in (Outcome.FAILED, Outcome.ERROR) for result in results)
        if bad:
            # Before the reports, while the cluster is there.
            self._run.save_failure_logs()
        full = (
            0 < (self._config.getoption("maxfail") or 0) <= bad and len(self._phases) < session.testscollected
        )
        # xdist ends a session with --maxfail by the exit code of an interruption.
        interrupted = int(session.exitstatus) == int(pytest.ExitCode.INTERRUPTED) and not full
        complete = self._complete = not interrupted and not full
        self._compared = results, expectation_results = with_unexpected_passes(
            results, self._run.settings, inventory(), today(), complete=complete
        )
        try:
            session.exitstatus = finish(
                self._run,
                results,
                expectation_results,
                complete=complete,
                interrupted=interrupted,
                started=self._started,
                status=self._status_of_others(session),
            )
        except EnvironmentProblem as problem:
            self._trouble, session.exitstatus = str(problem), problem.exit_code

    def _status_of_others(self, session: pytest.Session) -> int:
        """Return pytest's exit code as it would be without scenarios:
        theirs is decided by what they amount to.
        """
        red = (
            int(session.exitstatus) == int(pytest.ExitCode.TESTS_FAILED) and session.testsfailed == self._red
        )
        return int(pytest.ExitCode.OK) if red else int(session.exitstatus)

    def _cards(self) -> list[str]:
        """Return the cards of failed cases, where pytest prints none of them."""
        from .formats.cards import cards
        from .results.causes import causes

        return cards(causes(self._compared[0], inventory(), strict=self._run.settings.strict))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the causes of failures, where pytest does not, and the table of profiles."""
        if self._phases and not self._is_refused:
            from .writing import table

            ours = self._config.getoption("verbose") < 0
            if ours:
                for line in self._cards():
                    terminalreporter.write_line(line)
                terminalreporter.write_line("")
            else:
                terminalreporter.section("Kueue conformance")
            is_one_case = self._config.stash.get(IS_ONE_CASE, False)
            lines = [] if is_one_case else table(self._run, *self._compared, complete=self._complete)
            for line in lines:
                terminalreporter.write_line(line)
            if self._trouble:
                terminalreporter.write_line(f"error: {self._trouble}")


def _combine(phases: Mapping[str, Mapping[str, Any]]) -> CaseResult:
    """Join a case's phases: the first bad one decides."""
    notes = [phases[name] for name in _PHASES if name in phases]
    bad = [note for note in notes if note["outcome"] in (Outcome.FAILED, Outcome.ERROR)]
    odd = [note for note in notes if note["outcome"] != Outcome.PASSED]
    # A bad phase goes before an odd one; a case that is skipped in its set-up has no call.
    decisive = next(iter([*bad, *odd]), phases.get("call", notes[-1]))
    return CaseResult(
        id=decisive["id"],
        test=decisive["test"],
        dialect=decisive["dialect"],
        parameters=decisive["parameters"],
        outcome=Outcome(decisive["outcome"]),
        code=decisive["code"],
        text=decisive["text"],
        seconds=round(sum(note["seconds"] for note in notes), 3),
        waits=decisive["waits"],
        observed_behaviours=decisive["seen"],
        drawn_values=tuple(decisive["drawn"]),
        # xdist passes on simple values only, so the story came as text.
        timeline=tuple(orjson.loads(decisive["timeline"])),
        lists=tuple(orjson.loads(decisive["lists"])),
        node=decisive["node"],
        evidence=decisive["evidence"],
        log=decisive["log"],
        expectation=decisive["expectation"],
        observed=tuple(decisive["observed"]),
        footprint=decisive["asked"],
        judged=decisive["judged"],
        violations=tuple(decisive["violations"]),
    )
