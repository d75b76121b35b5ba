"""The controllers of ReplicaSets and ReplicationControllers as Kubernetes 1.36 has them (FK-464)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...registry.machinery import Api
from .controller import ReplicaSetController
from .variants import REPLICATION_CONTROLLERS

ReplicationManager: Callable[[Api], ReplicaSetController] = partial(
    ReplicaSetController, variant=REPLICATION_CONTROLLERS
)

__all__ = ["ReplicaSetController", "ReplicationManager"]
