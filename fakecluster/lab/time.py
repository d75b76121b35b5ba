"""The cluster's time over HTTP (F-02, F-14)."""

from __future__ import annotations

from ..base.clock import VirtualClock
from ..base.json_types import Json
from ..journal.exports.times import timestamp
from .asking import Asked, Refusal, Route
from .cluster import Cluster

FARTHEST = 100 * 365 * 86400.0
"""Seconds of one step: a hundred years, so that times stay ones that can be written."""


def now(cluster: Cluster, asked: Asked) -> Json:
    """Tell the time and whether it moves by itself."""
    del asked
    mode = "virtual" if isinstance(cluster.clock, VirtualClock) else "wall"
    return {"now": timestamp(cluster.clock.now()), "seconds": cluster.clock.now(), "mode": mode}


def advance(cluster: Cluster, asked: Asked) -> Json:
    """Move virtual time on by {"seconds": N}; whatever becomes due in between happens in order."""
    seconds = asked.field("seconds", int, float)
    if not 0 <= seconds <= FARTHEST:
        raise Refusal(400, f"seconds is {seconds!r}: time goes forward only, and at most by {FARTHEST:g}")
    _virtual(cluster)
    cluster.advance(seconds)
    return now(cluster, asked)


def settle(cluster: Cluster, asked: Asked) -> Json:
    """Wait until nothing goes on any more."""
    _virtual(cluster)
    cluster.settle()
    return now(cluster, asked)


def _virtual(cluster: Cluster) -> None:
    if not isinstance(cluster.clock, VirtualClock):
        raise Refusal(409, "this cluster runs on the wall clock: start it with --clock virtual")


TABLE = {
    ("GET", "clock"): Route(now),
    ("POST", "clock/advance"): Route(advance, ("seconds",)),
    ("POST", "settle"): Route(settle),
}
