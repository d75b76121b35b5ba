"""The counters and usage in queue statuses are right, and soon up to date (Q-371…Q-373, Q-378, Q-380)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ...base.json_types import Json
from ...base.numbers import amount
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import admission, is_true
from .quota import holds, quotas, usage
from .writes import NOTICE_SECONDS, is_kueues

_Key: TypeAlias = tuple[str, str, str]
"""Kind, namespace and name of a queue."""
_Objects: TypeAlias = Mapping[tuple[str, str], Json]
Told: TypeAlias = tuple[Any, Any]
"""Values for Workloads that hold quota, and for admitted ones."""
_QUEUES = ("ClusterQueue", "LocalQueue")


class Truth:
    """The right values of each queue, by the change from which they hold."""

    def __init__(self, story: Story, of: Callable[[Iterable[Json]], Any]) -> None:
        self._of = of
        self._settled = sorted(story.settled)
        self._since: dict[_Key, list[tuple[Change, Told]]] = defaultdict(list)
        self._gone = _gone(story)
        workloads: dict[tuple[str, str], Json] = {}
        for change in story.changes:
            if change.kind == "Workload":
                workloads[change.namespace, change.name] = change.after
                for key in {*_queues_of(change.before), *_queues_of(change.after)}:
                    self._since[key].append((change, self._told(key, workloads)))

    def _nothing(self) -> Told:
        return self._of(()), self._of(())

    def _told(self, key: _Key, workloads: _Objects) -> Told:
        held = [one for one in workloads.values() if key in _queues_of(one) and holds(one)]
        return self._of(held), self._of(one for one in held if is_true(one, "Admitted"))

    def may_be_told(self, key: _Key, change: Change) -> Iterator[Told]:
        """Yield what the writer of a change may have counted: as it was a moment ago, or will be by its own
        next write, which may come late.
        """
        number = bisect_right(self._settled, change.revision - 1)
        noticed = self._settled[number - 1] if number else 0
        told = self._nothing()
        for one, then in self._since[key]:
            if one.revision > noticed and one.at > change.at - NOTICE_SECONDS:
                yield told
            told = then
            if one.at > change.at + NOTICE_SECONDS:
                break
        yield told

    def assumed(self, key: _Key, change: Change) -> int:
        """Return how many Workloads of a queue went while they waited, at about the time of a change: Kueue
        counts what it lets in before it writes so, and may not find it any more.
        """
        return sum(abs(at - change.at) < NOTICE_SECONDS for at in self._gone.get(key, ()))

    def until(self, key: _Key, revision: int) -> tuple[float, Told]:
        """Return since when something is to be told of a queue before a revision, and what."""
        found = 0.0, self._nothing()
        for one, then in self._since[key]:
            if one.revision >= revision:
                break
            found = one.at, then
        return found


def _gone(story: Story) -> Mapping[_Key, Sequence[float]]:
    """Return by queue when Workloads went that had no quota."""
    found: dict[_Key, list[float]] = defaultdict(list)
    cluster_queues: dict[tuple[str, str], str] = {}
    for change in story.changes:
        if change.kind == "LocalQueue":
            spec = (change.after or {}).get("spec") or {}
            cluster_queues[change.namespace, change.name] = spec.get("clusterQueue", "")
        if change.kind == "Workload" and change.before and not change.after and not holds(change.before):
            local = change.namespace, change.before["spec"].get("queueName", "")
            found["LocalQueue", *local].append(change.at)
            found["ClusterQueue", "", cluster_queues.get(local, "")].append(change.at)
    return found


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
    found: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for one in workloads:
        for pair, value in usage(one).items():
            found[pair] += value
    return dict(found)


def _counted(queue: Json) -> Told | None:
    """Return the counters of a queue's status, None where it has none."""
    status = (queue or {}).get("status") or {}
    told = tuple(status.get(name) for name in ("reservingWorkloads", "admittedWorkloads"))
    return None if told == (None, None) else (told[0] or 0, told[1] or 0)


def _used(queue: Json) -> Told | None:
    """Return the usage in a queue's status, nothing for a flavor of its own that is not listed; what v1beta1
    calls otherwise is not judged.
    """
    status = (queue or {}).get("status") or {}
    if "flavorsReservation" not in status or "flavorsUsage" not in status:
        return None
    configured = dict.fromkeys((pair for pair, _ in quotas(queue.get("spec") or {})), Fraction(0))
    reserved, used = (
        {**configured, **_totals(status[name] or ())} for name in ("flavorsReservation", "flavorsUsage")
    )
    return reserved, used


def _totals(flavors: Iterable[Json]) -> Mapping[tuple[str, str], Fraction]:
    return {
        (flavor.get("name", ""), one.get("name", "")): amount(one.get("total", 0))
        for flavor in flavors
        for one in flavor.get("resources") or ()
    }


def _agree(told: Told, then: Told, assumed: int = 0) -> bool:
    """Tell whether what is told is so, or more by so many Workloads, whose requests are not known; a flavor
    that is not listed, as one that the queue has lost, is not told of.
    """
    return all(
        other <= one <= other + assumed
        if isinstance(one, int)
        else all(
            value == other.get(pair, 0) or (assumed > 0 and value > other.get(pair, 0))
            for pair, value in one.items()
        )
        for one, other in zip(told, then, strict=True)
    )


def _shown(told: Told) -> str:
    """Return both as words."""
    return " and ".join(
        str(one)
        if isinstance(one, int)
        else ", ".join(
            f"{float(value):g} {name} of {flavor}" for (flavor, name), value in sorted(one.items())
        )
        or "nothing"
        for one in told
    )


def _wrong(
    story: Story, of: Callable[[Iterable[Json]], Any], told_by: Callable[[Json], Told | None]
) -> Iterator[Finding]:
    """Tell of each status that says what never was, and of each that is late: one of all that says so stays
    as it is when all is at rest.
    """
    truth = Truth(story, of)
    for change in story.changes:
        told = told_by(change.after) if change.kind in _QUEUES and is_kueues(change) else None
        if told is None or told == told_by(change.before):
            continue
        key = _key(change)
        assumed = truth.assumed(key, change)
        if not any(_agree(told, one, assumed) for one in truth.may_be_told(key, change)):
            yield (
                change,
                f"tells {_shown(told)}, and it is {_shown(truth.until(key, change.revision)[1])}",
            )
    yield from _late(story, truth, told_by)


def _late(story: Story, truth: Truth, told_by: Callable[[Json], Told | None]) -> Iterator[Finding]:
    """Tell of the first status that stays as it is for seconds
    although it is not so, and although all was at rest meanwhile.
    """
    written: dict[_Key, Change] = {}
    settled = sorted(story.settled)
    for change, following in zip(story.changes, [*story.changes[1:], None], strict=False):
        if change.kind in _QUEUES:
            written[_key(change)] = change
        end = following.revision if following else change.revision + 1
        if bisect_left(settled, change.revision) == bisect_left(settled, end):
            continue
        for key, last in written.items():
            since, wanted = truth.until(key, end)
            told, until = told_by(last.after), following.at if following else story.until
            if told is None or _agree(told, wanted) or until - max(since, last.at) < NOTICE_SECONDS:
                continue
            yield last, f"still tells {_shown(told)}, and it is {_shown(wanted)}"
            return


def _key(change: Change) -> _Key:
    return change.kind, change.namespace, change.name


COUNTERS = (
    SafetyRule(
        "Q-371",
        "counts in the status of each queue the Workloads that hold its quota, and those that are admitted",
        lambda story: _wrong(story, _counts, _counted),
    ),
    SafetyRule(
        "Q-373",
        "tells in the status of each queue how much of each flavor is reserved, and how much is used",
        lambda story: _wrong(story, _amounts, _used),
    ),
)
