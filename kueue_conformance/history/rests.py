"""The moments at which a cluster looked quiet, and which of them something late disproves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from .story import PLAYERS, UNKNOWN, Change, Recorder

_OTHERS = (*PLAYERS, UNKNOWN)
"""Actors that begin something new; all others react to what was there."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The server's newest revision at a moment of quiet, and how many changes had arrived by then."""

    revision: int
    arrivals: int


def current_rest(recorder: Recorder) -> Rest:
    """Return the present as a moment of quiet."""
    return Rest(recorder.newest_revision(), len(recorder.arrivals(0)))


def settled_revisions(
    rests: Sequence[Rest], recorder: Recorder, reaction_seconds: float = 0.0
) -> Sequence[int]:
    """Return the revisions at which the cluster was quiet.

    A moment is left out where a change of before arrived after it: a watch was late, and its silence looked
    like quiet. In real time a reaction may be as late: a moment that one ended within `reaction_seconds`
    after the change before it was none.
    """
    changes = recorder.changes() if reaction_seconds else ()
    revisions = [change.revision for change in recorder.arrivals(0)]
    # The lowest revision from each arrival on; after the last one there is none.
    lowest = [*accumulate(reversed(revisions), min)][::-1]
    return [
        rest.revision
        for rest in rests
        if (rest.arrivals >= len(lowest) or lowest[rest.arrivals] > rest.revision)
        and not _ended_by_reaction(rest, changes, reaction_seconds)
    ]


def _ended_by_reaction(rest: Rest, changes: Sequence[Change], seconds: float) -> bool:
    """Tell whether the first change after a moment came within seconds, by an actor that only reacts."""
    following = bisect_right(changes, rest.revision, key=lambda change: change.revision)
    if not 0 < following < len(changes):
        return False
    pause_seconds = changes[following].at - changes[following - 1].at
    return pause_seconds < seconds and not changes[following].actor.startswith(_OTHERS)
