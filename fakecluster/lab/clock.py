"""The cluster's time over HTTP (F-02, F-14)."""

from __future__ import annotations

from ..base.clock import VirtualClock
from ..base.json_types import Json
from ..journal.exports.times import timestamp
from .cluster import Cluster
from .routing import LabError, LabRequest, Route

MAX_STEP_SECONDS = 100 * 365 * 86400.0
"""Seconds of one step: a hundred years, so that times stay ones that can be written."""


def show(cluster: Cluster, request: LabRequest) -> Json:
    """Tell the time and whether it moves by itself."""
    del request
    mode = "virtual" if isinstance(cluster.clock, VirtualClock) else "wall"
    return {"now": timestamp(cluster.clock.now()), "seconds": cluster.clock.now(), "mode": mode}


def advance(cluster: Cluster, request: LabRequest) -> Json:
    """Move virtual time on by {"seconds": N}; whatever becomes due in between happens in order."""
    seconds = request.field("seconds", int, float)
    # Beyond the bound times would have years that no timestamp can be written for.
    if not 0 <= seconds <= MAX_STEP_SECONDS:
        raise LabError(
            400, f"seconds is {seconds!r}: time goes forward only, and at most by {MAX_STEP_SECONDS:g}"
        )
    _require_virtual_clock(cluster)
    cluster.advance(seconds)
    return show(cluster, request)


def settle(cluster: Cluster, request: LabRequest) -> Json:
    """Wait until nothing goes on any more."""
    _require_virtual_clock(cluster)
    cluster.settle()
    return show(cluster, request)


def _require_virtual_clock(cluster: Cluster) -> None:
    if not isinstance(cluster.clock, VirtualClock):
        raise LabError(409, "this cluster runs on the wall clock: start it with --clock virtual")


TABLE = {
    ("GET", "clock"): Route(show),
    ("POST", "clock/advance"): Route(advance, ("seconds",)),
    ("POST", "settle"): Route(settle),
}
