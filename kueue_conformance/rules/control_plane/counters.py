"""The counters and usage in queue statuses are right, and soon up to date (Q-371…Q-373, Q-378, Q-380)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.numbers import amount
from ...history.story import Change
from ..story import LATENESS, Finding, SafetyRule, Story
from ..workload import admission, is_active, is_true
from ..writes import is_kueues
from .quota import holds, quotas, usage

_Key: TypeAlias = tuple[str, str, str]
"""Kind, namespace and name of a queue."""
_Objects: TypeAlias = Mapping[tuple[str, str], Json]
Totals: TypeAlias = tuple[Any, Any]
"""Values for Workloads that hold quota, and for admitted ones."""
_WORKLOADS = Bound("Workloads")
_QUEUES = ("ClusterQueue", "LocalQueue")


class ExpectedTotals:
    """The right values of each queue, by the change from which they hold."""

    def __init__(self, story: Story, of: Callable[[Iterable[Json]], Any]) -> None:
        self._of = of
        self._settled = sorted(story.settled)
        self._notice_seconds = story.notice_seconds
        self._since: dict[_Key, list[tuple[Change, Totals]]] = defaultdict(list)
        self._gone = _departure_times(story)
        workloads: dict[tuple[str, str], Json] = {}
        for change in story.changes:
            if change.kind == "Workload":
                # None for one that is gone; it is in no queue then.
                workloads[change.namespace, change.name] = change.after
                for key in {*_queues_of(change.before), *_queues_of(change.after)}:
                    self._since[key].append((change, self._expected_totals(key, workloads)))

    def _nothing(self) -> Totals:
        return self._of(()), self._of(())

    def _expected_totals(self, key: _Key, workloads: _Objects) -> Totals:
        holders = [
            workload for workload in workloads.values() if key in _queues_of(workload) and holds(workload)
        ]
        return self._of(holders), self._of(holder for holder in holders if is_true(holder, "Admitted"))

    def possible_totals(self, key: _Key, change: Change) -> Iterator[Totals]:
        """Yield what the writer of a change may have counted: as it was a moment ago, or will be by its own
        next write, which may come late.
        """
        # At quiet every watcher knows everything: what was before it cannot excuse a count.
        number = bisect_right(self._settled, change.revision - 1)
        noticed = self._settled[number - 1] if number else 0
        totals = self._nothing()
        for change_of_totals, later_totals in self._since[key]:
            if change_of_totals.revision > noticed and change_of_totals.at > change.at - self._notice_seconds:
                yield totals
            totals = later_totals
            # Kueue assumes a Workload in its cache before it writes the admission, so a count may
            # come first.
            if change_of_totals.at > change.at + self._notice_seconds:
                break
        yield totals

    def departures(self, key: _Key, change: Change) -> int:
        """Return how many Workloads of a queue went or were deactivated at about the time of a change: Kueue
        counts what it lets in before it writes so, and what it has not seen go.
        """
        return sum(abs(at - change.at) < self._notice_seconds for at in self._gone.get(key, ()))

    def until(self, key: _Key, revision: int) -> tuple[float, Totals]:
        """Return since when something is to be told of a queue before a revision, and what."""
        result = 0.0, self._nothing()
        for change_of_totals, later_totals in self._since[key]:
            if change_of_totals.revision >= revision:
                break
            result = change_of_totals.at, later_totals
        return result


def _departure_times(story: Story) -> Mapping[_Key, Sequence[float]]:
    """Return by queue when Workloads went or were deactivated."""
    times: dict[_Key, list[float]] = defaultdict(list)
    cluster_queues: dict[tuple[str, str], str] = {}
    for change in story.changes:
        if change.kind == "LocalQueue":
            spec = (change.after or {}).get("spec") or {}
            cluster_queues[change.namespace, change.name] = spec.get("clusterQueue", "")
        if change.kind == "Workload" and change.before and _departs(change):
            local = change.namespace, change.before["spec"].get("queueName", "")
            times["LocalQueue", *local].append(change.at)
            times["ClusterQueue", "", cluster_queues.get(local, "")].append(change.at)
    return times


def _departs(change: Change) -> bool:
    """Tell whether a Workload goes, or is deactivated."""
    return not change.after or (is_active(change.before) and not is_active(change.after))


def _queues_of(workload: Json) -> tuple[_Key, ...]:
    """Return the queues through which a Workload holds quota."""
    name = admission(workload).get("clusterQueue")
    if not name:
        return ()
    namespace = workload["metadata"].get("namespace", "")
    return ("ClusterQueue", "", name), ("LocalQueue", namespace, workload["spec"].get("queueName", ""))


def _counts(workloads: Iterable[Json]) -> int:
    return sum(1 for _ in workloads)


def _amounts(workloads: Iterable[Json]) -> Mapping[tuple[str, str], Fraction]:
    amounts: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for workload in workloads:
        for pair, value in usage(workload).items():
            amounts[pair] += value
    return dict(amounts)


def _counters(queue: Json) -> Totals | None:
    """Return the counters of a queue's status, None where it has none."""
    status = (queue or {}).get("status") or {}
    counters = tuple(status.get(name) for name in ("reservingWorkloads", "admittedWorkloads"))
    # One that is absent beside the other counts as 0.
    return None if counters == (None, None) else (counters[0] or 0, counters[1] or 0)


def _usage_totals(queue: Json) -> Totals | None:
    """Return the usage in a queue's status, nothing for a flavor of its own that is not listed; what v1beta1
    calls otherwise is not judged.
    """
    status = (queue or {}).get("status") or {}
    if "flavorsReservation" not in status or "flavorsUsage" not in status:
        return None
    # A flavor that is configured and not listed counts as 0; one that is not configured is not
    # looked for.
    configured = dict.fromkeys((pair for pair, _ in quotas(queue.get("spec") or {})), Fraction(0))
    reserved, used = (
        {**configured, **_totals(status[name] or ())} for name in ("flavorsReservation", "flavorsUsage")
    )
    return reserved, used


def _totals(flavors: Iterable[Json]) -> Mapping[tuple[str, str], Fraction]:
    return {
        (flavor.get("name", ""), resource.get("name", "")): amount(resource.get("total", 0))
        for flavor in flavors
        for resource in flavor.get("resources") or ()
    }


def _agree(totals: Totals, expected: Totals, assumed: int = 0) -> bool:
    """Tell whether what is told is so, or more by so many Workloads, whose requests are not known; a flavor
    that is not listed, as one that the queue has lost, is not told of.
    """
    return all(
        other <= total <= other + assumed
        if isinstance(total, int)
        else all(
            value == other.get(pair, 0) or (assumed > 0 and value > other.get(pair, 0))
            for pair, value in total.items()
        )
        for total, other in zip(totals, expected, strict=True)
    )


def _describe(totals: Totals) -> str:
    """Return both values, each with its unit and what it is the value of."""
    held, admitted = totals
    if isinstance(held, int):
        return f"{_WORKLOADS.describe(held)} with quota and {admitted} admitted"
    return f"{_describe_amounts(held)} reserved and {_describe_amounts(admitted)} used"


def _describe_amounts(amounts: Mapping[tuple[str, str], Fraction]) -> str:
    return (
        ", ".join(f"{float(value):g} {name} of {flavor}" for (flavor, name), value in sorted(amounts.items()))
        or "nothing"
    )


def _wrong(
    story: Story, of: Callable[[Iterable[Json]], Any], told_by: Callable[[Json], Totals | None]
) -> Iterator[Finding]:
    """Yield each status whose counters never were right, and the first that is out of date when the cluster
    is at rest.
    """
    truth = ExpectedTotals(story, of)
    for change in story.changes:
        totals = told_by(change.after) if change.kind in _QUEUES and is_kueues(change) else None
        # Only what this write says anew: the counters that it found are judged where they were
        # written.
        if totals is None or totals == told_by(change.before):
            continue
        key = _key(change)
        assumed = truth.departures(key, change)
        if not any(_agree(totals, possible, assumed) for possible in truth.possible_totals(key, change)):
            yield (
                change,
                f"reports {_describe(totals)}, and it is {_describe(truth.until(key, change.revision)[1])}",
            )
    yield from _late(story, truth, told_by)


def _late(story: Story, truth: ExpectedTotals, told_by: Callable[[Json], Totals | None]) -> Iterator[Finding]:
    """Yield the first status that is out of date for seconds, although all was at rest meanwhile."""
    written: dict[_Key, Change] = {}
    settled = sorted(story.settled)
    for change, following in zip(story.changes, [*story.changes[1:], None], strict=False):
        if change.kind in _QUEUES:
            written[_key(change)] = change
        end = following.revision if following else change.revision + 1
        # No moment of quiet lies between this change and the next.
        if bisect_left(settled, change.revision) == bisect_left(settled, end):
            continue
        for key, last in written.items():
            since, expected = truth.until(key, end)
            totals, until = told_by(last.after), following.at if following else story.until
            delay = until - max(since, last.at)
            if totals is None or _agree(totals, expected) or delay < story.notice_seconds:
                continue
            late = LATENESS.describe(delay)
            yield last, f"still reports {_describe(totals)} after {late}, and it is {_describe(expected)}"
            return


def _key(change: Change) -> _Key:
    return change.kind, change.namespace, change.name


COUNTERS = (
    SafetyRule(
        "Q-371",
        f"counts in the status of each queue the Workloads that hold its quota, and the admitted ones, {LATENESS} late",
        lambda story: _wrong(story, _counts, _counters),
    ),
    SafetyRule(
        "Q-373",
        f"reports in the status of each queue how much of each flavor is reserved, and how much is used, {LATENESS} late",
        lambda story: _wrong(story, _amounts, _usage_totals),
    ),
)
