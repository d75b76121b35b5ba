"""The controllers of ReplicaSets and ReplicationControllers as Kubernetes 1.36 has them (FK-464)."""

from __future__ import annotations

from functools import partial

from .controller import ReplicaSetController
from .variants import REPLICATION_CONTROLLERS

ReplicationManager = partial(ReplicaSetController, variant=REPLICATION_CONTROLLERS)

__all__ = ["ReplicaSetController", "ReplicationManager"]
