"""Chooses perturbations that can show something, from the trace of a run without (pure).

A write is met where the operator wrote. Events are disturbed where the operator watches what was written.
What is late or skipped is tried first at acts behind which the operator wrote.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import chain, zip_longest

from ..base.validators import expected
from .errors import ExploreError
from .perturbations import Kind, Perturbation
from .trace import Request, Trace

REFUSED = (Kind.KILL_BEFORE_WRITE, Kind.THROTTLED, Kind.FAILED)
STORED = (Kind.KILL_AFTER_WRITE, Kind.TIMED_OUT, Kind.ANSWER_LOST)
OF_EVENTS = (Kind.SKIPPED, Kind.LATE, Kind.REPEATED, Kind.WATCHES_EXPIRED, Kind.WATCHES_CUT)
CONFLICTING_VERBS = ("update", "patch")
"""A create or a delete is not refused because the object has changed meanwhile."""


def candidates(trace: Trace) -> Sequence[Perturbation]:
    """Return every perturbation that the operator would notice."""
    of_writes = (_of_write(number, write, trace) for number, write in enumerate(trace.writes, 1))
    of_acts = (_of_act(act, trace) for act in range(1, trace.act_count + 1))
    return list(chain.from_iterable((*of_writes, *of_acts)))


def plan(trace: Trace, seed: int, only: str) -> Sequence[Perturbation]:
    """Return the perturbations in the order in which they are tried; `only` is the name of some, or a
    pattern.

    Raises ExploreError where nothing has that name.
    """
    everything = candidates(trace)
    chosen = [perturbation for perturbation in everything if fnmatchcase(perturbation.name, only or "*")]
    if only and not chosen:
        names = [perturbation.name for perturbation in everything]
        raise ExploreError(f"only={only!r} is no perturbation of this run: {expected(only, names)}")
    return _spread(chosen, seed)


def _of_write(number: int, write: Request, trace: Trace) -> Iterator[Perturbation]:
    kinds = [*REFUSED]
    if write.verb in CONFLICTING_VERBS:
        kinds.append(Kind.CONFLICT)
    if write.revision:
        kinds.extend(STORED)
    for kind in kinds:
        yield Perturbation(kind=kind, number=number, act=write.act, target=write.target)
    resource = write.resource.partition("/")[0]
    if write.revision and resource in trace.resources_with_events:
        yield Perturbation(
            kind=Kind.LATE_AFTER_WRITE,
            number=number,
            act=write.act,
            target=write.target,
            resources=frozenset({resource}),
        )


def _of_act(act: int, trace: Trace) -> Iterator[Perturbation]:
    if not trace.changed_in_act[act - 1]:
        return
    yield Perturbation(kind=Kind.RESTART, number=act, act=act)
    yield Perturbation(kind=Kind.DOWN, number=act, act=act)
    yield Perturbation(kind=Kind.STALE_RESTART, number=act, act=act)
    if resources := trace.changed_in_act[act - 1] & trace.resources_with_events:
        for kind in OF_EVENTS:
            yield Perturbation(kind=kind, number=act, act=act, resources=resources)


def _spread(perturbations: Iterable[Perturbation], seed: int) -> Sequence[Perturbation]:
    """Return them in drawn order, one of every kind before the second of any."""
    draw = random.Random(f"perturbations {seed}")  # noqa: S311 - a choice, no secret
    by_kind: dict[Kind, list[Perturbation]] = {}
    for perturbation in perturbations:
        by_kind.setdefault(perturbation.kind, []).append(perturbation)
    columns = [draw.sample(column, len(column)) for column in by_kind.values()]
    draw.shuffle(columns)
    # First of all: where a plain restart fails, so does whatever kills.
    columns.sort(key=lambda column: column[0].kind is not Kind.RESTART)
    return [perturbation for row in zip_longest(*columns) for perturbation in row if perturbation]
