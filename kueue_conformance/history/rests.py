"""The moments at which a cluster looked quiet, and which of them a late watch disproves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from .story import Recorder


@dataclass(frozen=True, slots=True)
class Rest:
    """The server's newest revision at a moment of quiet, and how many changes had arrived by then."""

    revision: int
    arrivals: int


def current_rest(recorder: Recorder) -> Rest:
    """Return the present as a moment of quiet."""
    return Rest(recorder.newest_revision(), len(recorder.arrivals(0)))


def settled_revisions(rests: Sequence[Rest], recorder: Recorder) -> Sequence[int]:
    """Return the revisions at which the cluster was quiet.

    A moment is left out where a change of before arrived after it: a watch was late, and its silence looked
    like quiet.
    """
    revisions = [change.revision for change in recorder.arrivals(0)]
    # The lowest revision from each arrival on; after the last one there is none.
    lowest = [*accumulate(reversed(revisions), min)][::-1]
    return [
        rest.revision
        for rest in rests
        if rest.arrivals >= len(lowest) or lowest[rest.arrivals] > rest.revision
    ]
