"""ReplicaSets and ReplicationControllers: the same controller
but for names, selector and one number of the status (FK-464).
"""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from ..claims import Owners


class ReplicaKind(Struct, frozen=True):
    """A kind that keeps a number of equal pods."""

    owners: Owners
    account: str
    """The service account of the controller, and the component of its Events."""
    counts_terminating: bool
    """Whether the status has `terminatingReplicas`."""


def _selector(controller: Json) -> Json:
    """Return the selector of a ReplicationController, a plain map, as a label selector."""
    return {"matchLabels": controller["spec"].get("selector") or {}}


REPLICA_SETS = ReplicaKind(
    Owners(("apps", "replicasets"), "apps/v1", "ReplicaSet"), "replicaset-controller", counts_terminating=True
)
REPLICATION_CONTROLLERS = ReplicaKind(
    Owners(("", "replicationcontrollers"), "v1", "ReplicationController", _selector),
    "replication-controller",
    counts_terminating=False,
)
