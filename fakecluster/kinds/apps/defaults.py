"""Defaults of the workloads of `apps` (FK-500)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ..default_rules import Defaulter, both, constants, drop_fields
from . import template_generation


def rolling(**values: Json) -> Defaulter:
    """A rolling update with these numbers, unless another strategy is chosen."""

    def rule(strategy: Json) -> Json:
        strategy = constants(type="RollingUpdate")(strategy)
        if strategy["type"] != "RollingUpdate":
            return strategy
        return {**strategy, "rollingUpdate": constants(**values)(strategy.get("rollingUpdate") or {})}

    return rule


def stateful_update(strategy: Json) -> Json:
    """Only a strategy that names no type gets a rolling update of its own."""
    if not strategy.get("type"):
        strategy = {"rollingUpdate": {}, **strategy, "type": "RollingUpdate"}
    if strategy["type"] != "RollingUpdate" or strategy.get("rollingUpdate") is None:
        return strategy
    return {**strategy, "rollingUpdate": constants(partition=0)(strategy["rollingUpdate"])}


def retention(spec: Json) -> Json:
    """Claims of a StatefulSet are kept."""
    policy = constants(whenDeleted="Retain", whenScaled="Retain")(
        spec.get("persistentVolumeClaimRetentionPolicy") or {}
    )
    return {**spec, "persistentVolumeClaimRetentionPolicy": policy}


def claims(spec: Json) -> Json:
    """Templates of claims always say what they are."""
    templates = spec.get("volumeClaimTemplates")
    if not templates:
        return spec
    return {**spec, "volumeClaimTemplates": [{**CLAIM, **claim, **CLAIM} for claim in templates]}


def with_template_generation(value: Json) -> Json:
    """A DaemonSet has a count of its templates, which creation begins."""
    annotations = {template_generation.ANNOTATION: "0", **(value["metadata"].get("annotations") or {})}
    return {**value, "metadata": {**value["metadata"], "annotations": annotations}}


CLAIM = {"kind": "PersistentVolumeClaim", "apiVersion": "v1"}
DEFAULTS: Mapping[str, Defaulter] = {
    "apps.v1.DaemonSet": with_template_generation,
    "apps.v1.DaemonSetSpec": constants(revisionHistoryLimit=10),
    "apps.v1.DaemonSetUpdateStrategy": rolling(maxUnavailable=1, maxSurge=0),
    "apps.v1.DeploymentSpec": constants(replicas=1, revisionHistoryLimit=10, progressDeadlineSeconds=600),
    "apps.v1.DeploymentStrategy": rolling(maxUnavailable="25%", maxSurge="25%"),
    "apps.v1.ReplicaSetSpec": constants(replicas=1),
    "apps.v1.RollingUpdateStatefulSetStrategy": drop_fields("maxUnavailable"),
    "apps.v1.StatefulSetSpec": both(
        constants(replicas=1, revisionHistoryLimit=10, podManagementPolicy="OrderedReady"), retention, claims
    ),
    "apps.v1.StatefulSetUpdateStrategy": stateful_update,
}
