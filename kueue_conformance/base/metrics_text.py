"""Parses the metrics of a control plane (AC-390…396).

Only what Kueue writes is understood: names, labels and
values of Prometheus' text format, one series per line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

_LINE = re.compile(r"(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")
_TYPE = re.compile(r"^# TYPE (\S+) (\S+)$", re.MULTILINE)
_PARTS = ("_count", "_sum", "_bucket")
"""Suffixes of a histogram's series."""
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Series:
    """One line: a name, its labels and the value."""

    name: str
    labels: Mapping[str, str]
    value: float


@lru_cache(maxsize=1)
def series(exposition: str) -> Sequence[Series]:
    """Return the series of a text in Prometheus' format; comments and other lines are skipped.

    A condition about metrics is judged at every moment of a story, mostly of the same text.
    """
    return tuple(_series(exposition))


def _series(exposition: str) -> Iterator[Series]:
    for line in exposition.splitlines():
        match = None if line.startswith("#") else _LINE.match(line)
        if match:
            labels = {name: _plain(value) for name, value in _LABEL.findall(match["labels"] or "")}
            yield Series(match["name"], labels, float(match["value"]))


@dataclass(frozen=True, slots=True)
class MetricKind:
    """What a metric is declared as, the labels that all its series have,
    and the bounds of a histogram's buckets.
    """

    type: str
    labels: frozenset[str]
    bounds: tuple[float, ...] = ()

    def is_of(self, kind: str, labels: Sequence[str], bounds: int = 0) -> bool:
        """Tell whether it is of a type, has labels, others as well,
        and so many bounds that double (E(n) of scheduling.md §12).
        """
        doubling = (1.0, *(2.5 * 2**k for k in range(bounds - 1))) if bounds else ()
        return self.type == kind and self.labels >= {*labels} and self.bounds == doubling


def kinds(exposition: str) -> Mapping[str, MetricKind]:
    """Return the type, labels and bounds of each metric that has a series."""
    kinds_by_name, types_by_name = dict[str, MetricKind](), types(exposition)
    for sample in series(exposition):
        name = next(
            (
                sample.name.removesuffix(suffix)
                for suffix in _PARTS
                if sample.name.removesuffix(suffix) in types_by_name
            ),
            sample.name,
        )
        labels = frozenset(sample.labels) - {"le"}
        bounds = {float(sample.labels["le"])} - {inf} if "le" in sample.labels else set[float]()
        before = kinds_by_name.get(name, MetricKind(types_by_name.get(name, ""), labels))
        kinds_by_name[name] = MetricKind(
            before.type, before.labels & labels, tuple(sorted({*before.bounds, *bounds}))
        )
    return kinds_by_name


@lru_cache(maxsize=1)
def types(exposition: str) -> Mapping[str, str]:
    """Return the declared types: `counter`, `gauge` and so on by the name of the metric."""
    return dict(_TYPE.findall(exposition))


def is_declared(name: str, exposition: str) -> bool:
    """Tell whether the declared type of a series fits its name: `…_total` is a counter, a name with `_count`
    and `_sum` a histogram, others gauges.
    """
    base = next((name.removesuffix(suffix) for suffix in _PARTS if name.endswith(suffix)), "")
    types_by_name = types(exposition)
    if base in types_by_name:
        return types_by_name[base] == "histogram"
    return types_by_name.get(name) == ("counter" if name.endswith("_total") else "gauge")


def _plain(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] == "n" else match[1], value)
