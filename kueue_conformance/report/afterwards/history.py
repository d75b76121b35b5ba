"""Runs of a subject over time: what broke and was mended when, which scenarios are flaky, how cases grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from ...base.json_types import Json
from ...scenarios.outcome import LACKING, SHOWN, Outcome

_GROWN = 1.5
"""The factor by which a scenario must have become slower to be named."""
_NOTICED_SECONDS = 0.1
"""What is quicker than this changes by chance."""
_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run, as its report has it."""

    path: str
    date: str
    subject: str
    place: str
    """Backend, control plane and dialects."""
    version: str
    """Of what was judged."""
    suite: str
    complete: bool
    outcomes: Mapping[str, Outcome]
    """By scenario."""
    seconds: Mapping[str, float]
    """The mean of a case, by scenario."""
    total_seconds: float

    def amount(self, *outcomes: Outcome) -> int:
        """Return the number of scenarios with one of the outcomes."""
        return sum(outcome in outcomes for outcome in self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Change:
    """A scenario that ended otherwise than in the run before that had it."""

    scenario: str
    run: PastRun
    before: Outcome
    after: Outcome

    @property
    def word(self) -> str:
        """What happened, in a word."""
        return "broke" if self.before in SHOWN else "was mended" if self.after in SHOWN else "changed"


@dataclass(frozen=True, slots=True)
class Growth:
    """A scenario whose cases became slower: seconds of a case in the first run and in the last."""

    scenario: str
    first: float
    last: float


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The runs of a subject in one place, by date, and what can be seen of them."""

    subject: str
    place: str
    runs: Sequence[PastRun]
    titles: Mapping[str, str]

    @property
    def changes(self) -> Sequence[Change]:
        """What broke and was mended, the newest first."""
        changes = [change for name in self._names for change in _changes(name, self._with(name))]
        return sorted(changes, key=lambda change: (change.run.date, change.scenario), reverse=True)

    @property
    def flakes(self) -> Mapping[str, int]:
        """The scenarios that were flaky in a run, or ended differently for one version, with the number of
        runs in which they did not pass.
        """
        return {
            name: sum(run.outcomes[name] not in SHOWN for run in self._with(name))
            for name in self._names
            if _is_flaky([(run, run.outcomes[name]) for run in self._with(name)])
        }

    @property
    def growth(self) -> Sequence[Growth]:
        """The scenarios that became slower, the ones with the greatest difference first."""
        grown = [
            Growth(name, runs[0].seconds[name], runs[-1].seconds[name])
            for name in self._names
            if len(runs := self._with(name)) > 1
        ]
        slower = [row for row in grown if row.last >= max(_NOTICED_SECONDS, _GROWN * row.first)]
        return sorted(slower, key=lambda row: (row.first - row.last, row.scenario))[:_SHOWN]

    @property
    def not_passed(self) -> Sequence[str]:
        """The scenarios that failed, were flaky or could not be judged in one of the runs."""
        return [
            name
            for name in self._names
            if any(run.outcomes[name] in LACKING | {Outcome.FLAKY} for run in self._with(name))
        ]

    @property
    def longest(self) -> float:
        """The most seconds that a run's cases took."""
        return max(run.total_seconds for run in self.runs)

    @property
    def _names(self) -> Sequence[str]:
        return sorted({name for run in self.runs for name in run.outcomes})

    def _with(self, scenario: str) -> Sequence[PastRun]:
        return [run for run in self.runs if scenario in run.outcomes]


def histories(reports: Mapping[str, Json]) -> Sequence[History]:
    """Return the history of each subject, and of each place in which it was judged; `reports` by path."""
    groups: dict[tuple[str, str], list[PastRun]] = {}
    for path, report in reports.items():
        run = _past_run(path, report)
        groups.setdefault((run.subject, run.place), []).append(run)
    titles = {row["id"]: row["title"] for report in reports.values() for row in report["scenarios"]}
    return [
        History(
            subject=subject,
            place=place,
            runs=sorted(runs, key=lambda run: (run.date, run.path)),
            titles=titles,
        )
        for (subject, place), runs in sorted(groups.items())
    ]


def _past_run(path: str, report: Json) -> PastRun:
    environment, implementation = report["environment"], report["implementation"]
    cases = [case for scenario in report["scenarios"] for case in scenario["cases"]]
    return PastRun(
        path=path,
        date=report["date"],
        subject=_name_of(implementation),
        place=f"{environment['backend']}, {environment['controlPlane']}, {' '.join(environment['dialects'])}",
        version=str(implementation.get("version", "")),
        suite=f"{report['suite']['version']} {report['suite']['inventoryDigest'].removeprefix('sha256:')[:7]}",
        complete=report["complete"],
        outcomes={row["id"]: Outcome(row["outcome"]) for row in report["scenarios"]},
        seconds={row["id"]: fmean(case["seconds"] for case in row["cases"]) for row in report["scenarios"]},
        total_seconds=sum(case["seconds"] for case in cases),
    )


def _name_of(implementation: Mapping[str, Any]) -> str:
    return str(
        implementation.get("project") or implementation.get("controllerName") or implementation["subject"]
    )


def _changes(scenario: str, runs: Sequence[PastRun]) -> Iterator[Change]:
    judged = [run for run in runs if run.outcomes[scenario] in SHOWN | LACKING | {Outcome.FLAKY}]
    for former, run in pairwise(judged):
        before, after = former.outcomes[scenario], run.outcomes[scenario]
        if before is not after and not {before, after} <= SHOWN:
            yield Change(scenario, run, before, after)


def _is_flaky(outcomes: Sequence[tuple[PastRun, Outcome]]) -> bool:
    """Tell whether a scenario was flaky, or ended differently where neither the version nor the suite did."""
    by_version: dict[tuple[str, str], set[bool]] = {}
    for run, outcome in outcomes:
        if outcome is Outcome.FLAKY:
            return True
        # Builds without a version may be any.
        if run.version and outcome in SHOWN | {Outcome.FAILED, Outcome.ERROR}:
            by_version.setdefault((run.version, run.suite), set()).add(outcome in SHOWN)
    return any(len(ends) > 1 for ends in by_version.values())
