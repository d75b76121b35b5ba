"""The autoscaler of the proposal in a laboratory: what its tests share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reference_impl.api.resource import Json
from reference_impl.autoscaler.cloud import InstanceErrorInfo

from .laboratory import Laboratory
from .objects import group

AVAILABLE = "CapacityAvailable=True/CapacityFound"
NOT_AVAILABLE = "CapacityAvailable=False/CapacityNotFound"
PROVISIONED = "Provisioned=True/Provisioned"
BACK_OFF = "Provisioned=False/BackOff"
EXPIRED = "Failed=True/ValidUntilExpired"
INVALID = "Failed=True/InvalidParameter"
OLD_KEY = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"
NEW_KEY = "autoscaling.x-k8s.io/consume-provisioning-request"
WEEK = 7 * 24 * 3600


def laboratory(nodes: int = 0, **flags: Json) -> Laboratory:
    return Laboratory(group(), nodes=nodes, rules="aep", **flags)


def failing(lab: Laboratory, index: int, name: str = "ng-a") -> None:
    """Let a machine of a group end in an error."""
    group = lab.cloud.known[name]
    instances = list(group.instances)
    instances[index] = replace(
        instances[index], error=InstanceErrorInfo("STOCKOUT", "no machines left", True)
    )
    lab.cloud.known[name] = replace(group, instances=instances)


def sizes(lab: Laboratory) -> tuple[int, int]:
    """Return the target of the group and how many machines it has."""
    group = lab.cloud.known["ng-a"]
    return group.target, len(group.instances)


def growth(lab: Laboratory) -> Sequence[int]:
    return [delta for verb, _, delta in lab.cloud.calls if verb == "increase"]
