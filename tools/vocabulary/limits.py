"""Figures of each package, and the limits that hold them down."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .layout import Module, find_loose_files, find_small_modules
from .sources import Finding, Measure, Source

SHARES = {
    Measure.VAGUE_NAMES: "names",
    Measure.PARTICIPLES: "functions",
    Measure.COMMENT_LINES: "lines",
}
"""Measures in percent, with what they are a share of. The others are counted."""

Limits: TypeAlias = Mapping[str, Mapping[str, float]]
"""The limit of each measure, for each package: `{"fakecluster": {"vague_names": 9.1}}`."""


@dataclass(frozen=True)
class Table:
    """The data file: the goals of the project, and the limits of each package on the way to them."""

    goals: Mapping[str, float]
    limits: Limits

    @classmethod
    def parse(cls, text: str) -> Table:
        """Read the text of limits.toml."""
        document = tomllib.loads(text)
        return cls(document["goals"], document["limits"])


@dataclass
class Package:
    """What one package, or its tests, have of each measure."""

    name: str
    totals: Counter[str] = field(default_factory=Counter)
    findings: defaultdict[str, list[Finding]] = field(default_factory=lambda: defaultdict(list))

    def figure(self, measure: Measure) -> float:
        """Return the share in percent with one decimal, or the number of findings."""
        share_of = SHARES.get(measure)
        if share_of is None:
            return len(self.findings[measure])
        if measure is Measure.COMMENT_LINES:
            return math.floor(1000 * self.totals["comments"] / max(self.totals[share_of], 1)) / 10
        # Rounded up, so that a figure is 0 only where there is nothing.
        return math.ceil(1000 * len(self.findings[measure]) / max(self.totals[share_of], 1)) / 10


@dataclass(frozen=True)
class Breach:
    """A figure on the wrong side of its limit."""

    package: Package
    measure: Measure
    limit: float

    def __str__(self) -> str:
        """Return the figure beside its limit, in a line."""
        figure = self.package.figure(self.measure)
        direction = "at least" if self.measure is Measure.COMMENT_LINES else "at most"
        return f"{self.package.name}: {self.measure} {figure:g}{unit(self.measure)}, {direction} {self.limit:g}{unit(self.measure)} is allowed"


def unit(measure: Measure) -> str:
    """Return the sign behind a figure."""
    return " %" if measure in SHARES else ""


def measure_packages(sources: Iterable[Source], paths: Iterable[str]) -> dict[str, Package]:
    """Measure the files of a checkout; `paths` are those of every file, for what is no Python as well."""
    modules: list[Module] = []
    packages: dict[str, Package] = {}

    def package_of(name: str) -> Package:
        return packages.setdefault(name, Package(name))

    # One file after the other: the syntax trees of all of them would take half a gigabyte.
    for source in sources:
        modules.append(Module.of(source))
        package_of(source.package).totals.update(source.count())
        for finding in source.find():
            package_of(source.package).findings[finding.measure].append(finding)
    for finding in [*find_small_modules(modules), *find_loose_files(paths)]:
        if package := packages.get(finding.path.split("/")[0]):
            package.findings[finding.measure].append(finding)
    return packages


def find_breaches(packages: Mapping[str, Package], table: Table) -> Iterator[Breach]:
    """Yield the figures that are worse than their limits."""
    for package, measure, limit in _pairs(packages, table):
        if _worse(measure, package.figure(measure), limit):
            yield Breach(package, measure, limit)


def find_slack(packages: Mapping[str, Package], table: Table) -> Iterator[Breach]:
    """Yield limits that are clearly wider than the figure, and wider than the goal: they can be lowered."""
    for package, measure, limit in _pairs(packages, table):
        lowest = tightest_limit(package, measure, limit, table.goals)
        if abs(limit - lowest) > _margin(measure, limit):
            yield Breach(package, measure, limit)


def tightest_limit(package: Package, measure: Measure, limit: float, goals: Mapping[str, float]) -> float:
    """Return the limit that today's figure allows: never wider than before, never tighter than the goal."""
    goal, figure = goals[measure], package.figure(measure)
    if measure is Measure.COMMENT_LINES:
        return max(limit, min(figure, goal))
    return min(limit, max(figure, goal))


def lower(text: str, packages: Mapping[str, Package], table: Table) -> str:
    """Return the data file with every limit as tight as today's figures allow; comments and order stay."""
    lowered = {
        (package.name, measure.value): tightest_limit(package, measure, limit, table.goals)
        for package, measure, limit in _pairs(packages, table)
    }
    package_name, lines = "", []
    for line in text.splitlines():
        if header := re.match(r'\[limits\."?([^"\]]+)"?\]', line):
            package_name = header[1]
        elif line.startswith("["):
            package_name = ""
        key, equals, _ = line.partition(" = ")
        limit = lowered.get((package_name, key.strip())) if equals else None
        lines.append(line if limit is None else f"{key} = {limit:g}")
    return "\n".join(lines) + "\n"


def _pairs(packages: Mapping[str, Package], table: Table) -> Iterator[tuple[Package, Measure, float]]:
    for name, row in table.limits.items():
        for measure, limit in row.items():
            yield packages.get(name) or Package(name), Measure(measure), limit


def _worse(measure: Measure, figure: float, limit: float) -> bool:
    return figure < limit if measure is Measure.COMMENT_LINES else figure > limit


def _margin(measure: Measure, limit: float) -> float:
    """Return how far a limit may stand from its figure: half a percent, or a tenth of a number."""
    return 0.5 if measure in SHARES else max(3.0, limit / 10)
