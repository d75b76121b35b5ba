"""From pytest's reports to results of cases: noted where a test runs, collected on the controller (PY-22, PY-23, T-01)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ..bench import Bench
from ..dialect import Dialect
from ..errors import ConformanceError, Nonconformance
from ..history import Change, summary
from ..inventory import inventory
from ..options import Settings
from ..outcome import Outcome
from ..rules import Violation
from ..run import Run
from ..scenario import Scenario
from .expecting import NOTHING_EXPECTED, Kept, expected, settle, situation, today
from .model import CaseResult, clause_of

_PHASES = ("setup", "call", "teardown")
_TIMELINE = 150
_SKIPPED = (Outcome.UNSUPPORTED, Outcome.EXCLUDED, Outcome.DISABLED, Outcome.NOTRUN)


def note_case(
    item: pytest.Item,
    scenario: Scenario,
    bench: Bench | None,
    call: pytest.CallInfo[None],
    report: pytest.TestReport,
    broken: Sequence[Violation] | None,
    settings: Settings,
) -> None:
    """Attach to a phase's report, as plain data, what the controller needs to know of the case."""
    outcome, code, text = _judge(call, report)
    parameters = (
        dict(item.callspec.params) if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    dialect = parameters.pop("kueue_dialect", None)
    over = report.when == "call" or outcome is not Outcome.PASSED
    outcome, foreseen = _foreseen(settings, scenario, dialect, outcome, code, text)
    if foreseen:
        report.outcome, report.wasxfail = "skipped", foreseen  # pytest's own sign of an expected failure
    setattr(  # noqa: B010 - pytest carries extra attributes of a report to the controller
        report,
        "kueue",
        {
            "id": scenario.id, "test": item.name, "dialect": dialect.name if isinstance(dialect, Dialect) else "",
            "parameters": {name: str(value) for name, value in parameters.items()},
            "outcome": str(outcome), "code": code, "text": text, "expectation": foreseen, "seconds": round(call.duration, 3),
            "waits": dict(bench.waits) if bench and over else {}, "seen": dict(bench.seen) if bench else {},
            "timeline": timeline(bench) if bench and over else [],
            "judged": broken is not None and over, "violations": [_plain(one) for one in broken or ()] if over else [],
        },
    )  # fmt: skip


def _foreseen(
    settings: Settings, scenario: Scenario, dialect: object, outcome: Outcome, code: str, text: str
) -> tuple[Outcome, str]:
    """Return the outcome of a case beside what is expected of it."""
    name = dialect.name if isinstance(dialect, Dialect) else ""
    known = settings.expectations.about(scenario.id, situation(settings, name), today())
    return expected(known, scenario.id, outcome, clause_of(scenario.id, text) or code)


def timeline(bench: Bench) -> list[dict[str, Any]]:
    """Return the story of a case as plain data: what the report draws."""
    changes: list[Change] = list(bench.history)[:_TIMELINE]
    start = changes[0].at if changes else 0.0
    return [
        {"revision": one.revision, "at": round(one.at - start, 3), "actor": one.actor, "kind": one.kind, "name": one.name,
         "what": summary(one)}
        for one in changes
    ]  # fmt: skip


def _plain(one: Violation) -> dict[str, str]:
    return {"rule": one.rule, "text": f"{one.thing}: {one.text}"}


def _judge(call: pytest.CallInfo[None], report: pytest.TestReport) -> tuple[Outcome, str, str]:
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        word, _, code = reason.partition(": ")
        if word in _SKIPPED:
            return Outcome(word), code, ""
        return Outcome.ERROR, "skip", f"skipped without a reason code: {reason}"
    if report.passed or call.excinfo is None:
        return Outcome.PASSED, "", ""
    error = call.excinfo.value
    text = str(error) if isinstance(error, Nonconformance | ConformanceError) else call.excinfo.exconly()
    failed = report.when == "call" and isinstance(error, AssertionError)
    code = error.code if isinstance(error, Nonconformance) else "assertion"
    return (Outcome.FAILED, code, text) if failed else (Outcome.ERROR, type(error).__name__, text)


class Collector:
    """Runs on the controller: gathers every case's phases, writes the reports and sets the exit code."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config = config
        self._run = run
        self._phases: dict[str, dict[str, Mapping[str, Any]]] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._started = time.time()
        self._settled: tuple[Sequence[CaseResult], Kept] = (), NOTHING_EXPECTED

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remember the inventory; on an xdist controller, which collects nothing itself, it is read from the suites."""
        for item in items:
            if marker := item.get_closest_marker("scenario"):
                self._scenarios[marker.args[0].id] = marker.args[0]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take a phase's note."""
        note = getattr(report, "kueue", None)
        if note is not None:
            self._phases.setdefault(report.nodeid, {})[str(report.when)] = note

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the reports and decide the exit code (harness §10.6)."""
        if not self._phases:
            return
        from .writing import finish

        results: Sequence[CaseResult] = [_combine(phases) for phases in self._phases.values()]
        bad = sum(result.outcome in (Outcome.FAILED, Outcome.ERROR) for result in results)
        full = 0 < (self._config.getoption("maxfail") or 0) <= bad
        interrupted = int(session.exitstatus) == int(pytest.ExitCode.INTERRUPTED) and not full
        complete = not interrupted and not full
        self._settled = results, kept = settle(
            results, self._run.settings, inventory(), today(), complete=complete
        )
        session.exitstatus = finish(
            self._run,
            results,
            kept,
            complete=complete,
            interrupted=interrupted,
            started=self._started,
            status=int(session.exitstatus),
        )

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table of profiles."""
        if self._phases:
            from .writing import table

            terminalreporter.section("Kueue conformance")
            for line in table(self._run, *self._settled):
                terminalreporter.write_line(line)


def _combine(phases: Mapping[str, Mapping[str, Any]]) -> CaseResult:
    """Join a case's phases: the first bad one decides."""
    notes = [phases[name] for name in _PHASES if name in phases]
    bad = [note for note in notes if note["outcome"] in (Outcome.FAILED, Outcome.ERROR)]
    odd = [note for note in notes if note["outcome"] != Outcome.PASSED]
    decisive = next(iter([*bad, *odd]), phases.get("call", notes[-1]))
    return CaseResult(
        id=decisive["id"], test=decisive["test"], dialect=decisive["dialect"], parameters=decisive["parameters"],
        outcome=Outcome(decisive["outcome"]), code=decisive["code"], text=decisive["text"],
        seconds=round(sum(note["seconds"] for note in notes), 3), waits=decisive["waits"], seen=decisive["seen"],
        timeline=tuple(decisive["timeline"]),
        expectation=decisive["expectation"], judged=decisive["judged"], violations=tuple(decisive["violations"]),
    )  # fmt: skip
