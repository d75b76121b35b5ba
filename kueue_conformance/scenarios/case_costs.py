"""The seconds that a case of each scenario takes, as runs measured them: what divides a run into shards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from types import MappingProxyType

import orjson

from ..base.errors import UsageError
from ..base.files.input_limits import content
from ..base.resources import PACKAGE

SHIPPED = PACKAGE / "data" / "case_costs.json"
"""The table that belongs to this version of the suites."""


@dataclass(frozen=True, slots=True)
class CaseCosts:
    """Seconds of a case by scenario."""

    seconds: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over the scenarios: what a case costs that was never measured."""
        return fmean(self.seconds.values()) if self.seconds else 1.0

    @property
    def digest(self) -> str:
        """The SHA-256 of the table: shards that were divided by another one do not fit together."""
        return f"sha256:{hashlib.sha256(self.text().encode()).hexdigest()}"

    def of(self, scenario: str) -> float:
        """Return the seconds of a case of a scenario."""
        return self.seconds.get(scenario, self.mean)

    def refine(self, measurements: Iterable[tuple[str, float]]) -> CaseCosts:
        """Return the table with the means of measured cases in place of what it says of their scenarios."""
        measured: dict[str, list[float]] = {}
        for scenario, seconds in measurements:
            measured.setdefault(scenario, []).append(seconds)
        means = {scenario: round(fmean(seconds), 3) for scenario, seconds in measured.items()}
        # A case of no time at all would cost nothing, however many there are.
        return CaseCosts({**self.seconds, **{name: max(mean, 0.001) for name, mean in means.items()}})

    def text(self) -> str:
        """Return the content of the file, a scenario a line."""
        rows = dict(sorted(self.seconds.items()))
        return orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def read_case_costs(path: Path = SHIPPED) -> CaseCosts:
    """Return the table of a file. Raises UsageError."""
    try:
        rows = orjson.loads(content(path))
    except OSError as problem:
        raise UsageError(
            f"the costs of cases {str(path)!r} cannot be read: {problem.strerror}",
            hint="`kueue-conformance report costs REPORT --out FILE` writes such a file",
        ) from problem
    except ValueError as problem:
        raise _no_table(path, str(problem)) from problem
    if not isinstance(rows, dict):
        raise _no_table(path, f"it is a {type(rows).__name__}")
    for scenario, seconds in rows.items():
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds <= 0:
            raise _no_table(path, f"{scenario} has {seconds!r}")
    return CaseCosts(MappingProxyType(rows))


def _no_table(path: Path, reason: str) -> UsageError:
    return UsageError(
        f"{str(path)!r} is no table of the costs of cases, expected JSON with seconds above 0 by scenario: {reason}",
        hint="`kueue-conformance report costs REPORT --out FILE` writes such a file",
    )
