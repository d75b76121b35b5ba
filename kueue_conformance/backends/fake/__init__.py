"""The in-process API server: the only importer of fakecluster.

A fork with its own virtual clock for each case (`forks`); where a foreign subject takes part, one cluster in
real time for each worker (`shared`). Both tell their story out of the server's journal (`journal`).
"""

from __future__ import annotations

from fakecluster.cluster.fake_cluster import FakeCluster

from .forks import FakeBackend
from .shared import WallFakeBackend

__all__ = ["FakeBackend", "WallFakeBackend", "bare_cluster"]


def bare_cluster() -> FakeCluster:
    """Return a cluster with nothing installed, not yet started."""
    return FakeCluster(clock="virtual")
