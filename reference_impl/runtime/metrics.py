"""Metrics: counters, gauges and histograms, written as Prometheus reads them (AC-390…396, MT-001…041).

A metric is a row of a table; which ones exist is the caller's data.
The registry's own labels go on every series.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Labels = tuple[str, ...]
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: name, type, label names and help text."""

    name: str
    type: Literal["counter", "gauge", "histogram"]
    labels: Labels
    buckets: tuple[float, ...] = ()
    help: str = field(kw_only=True)


def exponential(count: int) -> tuple[float, ...]:
    """Return the bucket bounds that Kueue uses: 1, then 2.5 doubled again and again (scheduling.md §12)."""
    return (1.0, *(2.5 * 2**k for k in range(count - 1)))


class Registry:
    """The present value of every series. Values are set from the loop's thread only."""

    def __init__(self, metrics: Iterable[Metric] = ()) -> None:
        self.common: dict[str, str] = {}
        """Labels that every series carries."""
        self._metrics = {metric.name: metric for metric in metrics}
        self._values: dict[tuple[str, Labels], float] = {}
        self._counts: dict[tuple[str, Labels], list[int]] = {}

    def add(self, metrics: Iterable[Metric]) -> None:
        """Make more metrics known."""
        self._metrics.update((metric.name, metric) for metric in metrics)

    def increment(self, name: str, *labels: str, by: float = 1) -> None:
        """Count something."""
        series = self._series(name, labels)
        self._values[series] = self._values.get(series, 0) + by

    def set(self, name: str, *labels: str, value: float) -> None:
        """Set a gauge."""
        self._values[self._series(name, labels)] = value

    def observe(self, name: str, *labels: str, value: float) -> None:
        """Add an observation to a histogram."""
        series = self._series(name, labels)
        buckets = self._metrics[name].buckets
        counts = self._counts.setdefault(series, [0] * (len(buckets) + 1))
        # `le` is inclusive: a value on the bound belongs into its bucket.
        counts[bisect.bisect_left(buckets, value)] += 1
        self._values[series] = self._values.get(series, 0) + value

    def remove(self, name: str, *first: str) -> None:
        """Remove the series of a metric whose first labels are these."""
        for series in [s for s in self._values if s[0] == name and s[1][: len(first)] == first]:
            del self._values[series]
            self._counts.pop(series, None)

    def value(self, name: str, *labels: str) -> float:
        """Return the value of a series (of a histogram the sum), 0 when it was never touched."""
        return self._values.get(self._series(name, labels), 0)

    def exposition(self) -> str:
        """Write every series in Prometheus' text format."""
        return "".join(
            f"{line}\n" for name in sorted(self._metrics) for line in self._lines(self._metrics[name])
        )

    def _series(self, name: str, labels: Labels) -> tuple[str, Labels]:
        metric = self._metrics[name]
        if len(labels) != len(metric.labels):
            raise ValueError(f"{name} has the labels {metric.labels}, got {labels}")
        return name, labels

    def _lines(self, metric: Metric) -> Iterator[str]:
        series = sorted(labels for name, labels in self._values if name == metric.name)
        if not series:
            return
        yield f"# HELP {metric.name} {metric.help}"
        yield f"# TYPE {metric.name} {metric.type}"
        for labels in series:
            pairs = {**dict(zip(metric.labels, labels, strict=True)), **self.common}
            if metric.type == "histogram":
                yield from self._histogram(metric, labels, pairs)
            else:
                yield f"{metric.name}{_labels(pairs)} {_number(self._values[metric.name, labels])}"

    def _histogram(self, metric: Metric, labels: Labels, pairs: Mapping[str, str]) -> Iterator[str]:
        total = 0
        for bound, count in zip((*metric.buckets, math.inf), self._counts[metric.name, labels], strict=True):
            total += count
            yield f"{metric.name}_bucket{_labels({**pairs, 'le': _number(bound)})} {total}"
        yield f"{metric.name}_sum{_labels(pairs)} {_number(self._values[metric.name, labels])}"
        yield f"{metric.name}_count{_labels(pairs)} {total}"


def _labels(pairs: Mapping[str, str]) -> str:
    if not pairs:
        return ""
    return "{" + ",".join(f'{name}="{_escape(value)}"' for name, value in sorted(pairs.items())) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    # Go's format: whole numbers without a fraction, as Prometheus' own clients write
    # them.
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
