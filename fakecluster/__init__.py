"""A Kubernetes API server in one process that knows nothing about the APIs installed in it.

Public: `FakeCluster`, what its extension servers get and answer, and the `fakecluster` command line.
Everything else may change between releases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .aggregation.extension_server import ExtensionRequest, ExtensionResponse
    from .cluster.fake_cluster import FakeCluster

__all__ = ["ExtensionRequest", "ExtensionResponse", "FakeCluster"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for, so that `fakecluster --help` starts at once (SH-22)."""
    if name == "FakeCluster":
        from .cluster.fake_cluster import FakeCluster

        return FakeCluster
    if name in __all__:
        from .aggregation import extension_server

        return getattr(extension_server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
