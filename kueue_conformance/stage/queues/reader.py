"""Reads a queue: its ClusterQueue and its LocalQueue."""

from __future__ import annotations

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact


class QueueReader:
    """A LocalQueue and its ClusterQueue, which bears the same name unless another is given."""

    def __init__(self, context: CaseContext, name: str, namespace: str, cluster_queue: str = "") -> None:
        self._context = context
        self.name = name
        self.namespace = namespace
        self.cluster_queue = cluster_queue or name

    def _object(self, kind: str) -> Json:
        local = kind == "LocalQueue"
        name, namespace = (self.name, self.namespace) if local else (self.cluster_queue, "")
        return self._context.client.find(kind, name, namespace) or {}

    def is_gone(self) -> Fact:
        """The ClusterQueue no longer exists."""
        cluster_queue = self._context.client.find("ClusterQueue", self.cluster_queue)
        observed = (
            "gone"
            if cluster_queue is None
            else f"there, with finalizers {cluster_queue['metadata'].get('finalizers', [])}"
        )
        return Fact(cluster_queue is None, f"ClusterQueue {self.cluster_queue} is gone", observed)
