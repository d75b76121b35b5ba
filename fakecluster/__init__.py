"""A Kubernetes API server in one process that knows nothing about the APIs installed in it.

Public: `FakeCluster` and the `fakecluster` command line. Everything else may change between releases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cluster import FakeCluster

__all__ = ["FakeCluster"]


def __getattr__(name: str) -> Any:
    """Import FakeCluster when it is asked for, so that `fakecluster --help` starts at once (SH-22)."""
    if name == "FakeCluster":
        from .cluster import FakeCluster

        return FakeCluster
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
