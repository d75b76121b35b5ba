"""Metrics of one queue (AC-390…396)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan

from ...base.bounds import Bound
from ...base.metrics_text import Series, is_declared, kinds, series
from ...case.context import CaseContext
from ...history.fact import Fact
from .queue import Queue


class Metrics:
    """Reads the series of a ClusterQueue and of its LocalQueue
    anew each time; no names of others are in them.
    """

    def __init__(self, context: CaseContext, queue: Queue) -> None:
        self._context = context
        self._queue = queue

    def shows(self, name: str, value: float, **labels: str) -> Fact:
        """The series of the ClusterQueue has this value;
        all series with these labels together, 0 when there is none.
        """
        return self._fact(f"kueue_{name}", {"cluster_queue": self._queue.name, **labels}, value)

    def shows_at_least(self, name: str, value: float, **labels: str) -> Fact:
        """The counter of the ClusterQueue has this value or more."""
        expected_labels = {"cluster_queue": self._queue.name, **labels}
        bound = Bound("", value, inf)
        total = sum(sample.value for sample in self._samples(f"kueue_{name}", expected_labels))
        return Fact(bound.holds(total), f"kueue_{name}{expected_labels} is {bound}", bound.describe(total))

    def shows_preemptions(self, value: float, **labels: str) -> Fact:
        """So many Workloads were preempted for those of the ClusterQueue (MT-031)."""
        return self._fact(
            "kueue_preempted_workloads_total", {"preempting_cluster_queue": self._queue.name, **labels}, value
        )

    def shows_cohort_share(self, name: str, value: float) -> Fact:
        """The share of a cohort, by the name of its object, has this value (MT-051)."""
        return self._fact("kueue_cohort_weighted_share", {"cohort": name}, value)

    def shows_locally(self, name: str, value: float, **labels: str) -> Fact:
        """The series of the LocalQueue has this value."""
        mine = {"name": self._queue.name, "namespace": self._queue.namespace}
        return self._fact(f"kueue_local_queue_{name}", {**mine, **labels}, value)

    def shows_observations(self, name: str, times: int, seconds: float, **labels: str) -> Fact:
        """The ClusterQueue's histogram has so many observations, of so many seconds together."""
        return self.shows(f"{name}_count", times, **labels) and self.shows(f"{name}_sum", seconds, **labels)

    def shows_observations_locally(self, name: str, times: int, seconds: float, **labels: str) -> Fact:
        """The LocalQueue's histogram has so many observations, of so many seconds together."""
        count = self.shows_locally(f"{name}_count", times, **labels)
        return count and self.shows_locally(f"{name}_sum", seconds, **labels)

    def shows_gauges(self, *, inadmissible: int, active: int, reserving: int, admitted: int) -> Fact:
        """So many Workloads of the ClusterQueue wait after a try,
        will be tried, hold quota, and are admitted.
        """
        return (
            self.shows("pending_workloads", inadmissible, status="inadmissible")
            and self.shows("pending_workloads", active, status="active")
            and self.shows("reserving_active_workloads", reserving)
            and self.shows("admitted_active_workloads", admitted)
        )

    def shows_gauges_locally(self, *, inadmissible: int, active: int, reserving: int, admitted: int) -> Fact:
        """So many Workloads of the LocalQueue wait after a try,
        will be tried, hold quota, and are admitted.
        """
        return (
            self.shows_locally("pending_workloads", inadmissible, status="inadmissible")
            and self.shows_locally("pending_workloads", active, status="active")
            and self.shows_locally("reserving_active_workloads", reserving)
            and self.shows_locally("admitted_active_workloads", admitted)
        )

    def has_series(self, text: str) -> Fact:
        """Each line of the text names a metric without `kueue_`, its type, its labels and, of a histogram,
        the number of its bounds.

        All series of that name have those labels, and bounds of 1,
        and 2.5 doubled again and again (E(n) of scheduling.md §12).
        """
        kinds_by_metric = kinds(self._context.exposition())
        observed_kinds = {
            name: kinds_by_metric.get(f"kueue_{name}")
            for name, *_ in (line.split() for line in text.strip().splitlines())
        }
        wrong = [
            f"{name} {observed_kinds[name] or 'is not there'}"
            for name, kind, labels, *bounds in (line.split() for line in text.strip().splitlines())
            if not (of := observed_kinds[name]) or not of.is_of(kind, labels.split(","), *map(int, bounds))
        ]
        return Fact(
            not wrong, "each metric has its type, its labels and its bounds", "; ".join(wrong) or "so it is"
        )

    def attempts(self, result: str = "") -> float:
        """Return in how many cycles a Workload was tried so far,
        of all queues, with any result or with this one (MT-001).
        """
        samples = [
            sample
            for sample in series(self._context.exposition())
            if sample.name == "kueue_admission_attempts_total"
        ]
        return sum(sample.value for sample in samples if sample.labels.get("result") == result or not result)

    def shows_attempts_since(self, before: float, least: int, most: float = inf, result: str = "") -> Fact:
        """So many more attempts were made since there were `before`."""
        new_attempts = self.attempts(result) - before
        bound = Bound("more attempts", least, most)
        return Fact(bound.holds(new_attempts), f"{bound} were made", bound.describe(new_attempts))

    def has_attempts_of_at_most(self, seconds: float) -> Fact:
        """Each attempt was measured, and they took no more than so many seconds on average (MT-002)."""
        samples = series(self._context.exposition())
        name = "kueue_admission_attempt_duration_seconds"
        times, took = (
            sum(sample.value for sample in samples if sample.name == f"{name}_{suffix}")
            for suffix in ("count", "sum")
        )
        bound, average = Bound("s", 0, seconds), took / times if times else 0.0
        return Fact(
            times == self.attempts() and bound.holds(average),
            f"{self.attempts():g} attempts are measured, and took {bound} on average",
            f"{times:g} are measured, and took {bound.describe(average)} on average",
        )

    def _samples(self, name: str, labels: dict[str, str], text: str = "") -> Sequence[Series]:
        return [
            sample
            for sample in series(text or self._context.exposition())
            if sample.name == name and labels.items() <= sample.labels.items()
        ]

    def _fact(self, name: str, labels: dict[str, str], value: float) -> Fact:
        text = self._context.exposition()
        samples = self._samples(name, labels, text)
        # Labels that are not named may have any value, so several series can fit.
        total = sum(sample.value for sample in samples)
        observed = (
            ", ".join(f"{dict(sample.labels)}: {sample.value:g}" for sample in samples) or "no such series"
        )
        # A series of another type is another metric, even with the right value.
        typed = not samples or is_declared(name, text)
        expected = f"{name}{labels} is {value:g}, of the type that its name says"
        equal = total == value or (isnan(total) and isnan(value))
        return Fact(equal and typed, expected, observed if typed else f"{observed}, of another type")
