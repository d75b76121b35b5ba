"""Defaults of HorizontalPodAutoscalers (FK-495)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ..default_rules import Defaulter, constants

CPU_UTILIZATION_METRIC = [
    {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
    }
]
SCALE_UP = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": 15},
        {"type": "Percent", "value": 100, "periodSeconds": 15},
    ],
}
SCALE_DOWN = {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}


def scaling(behavior: Json) -> Json:
    """Complete the scaling rules of an autoscaler's behavior."""
    return {
        name: {
            **rules,
            **{key: setting for key, setting in (behavior.get(name) or {}).items() if setting is not None},
        }
        for name, rules in (("scaleUp", SCALE_UP), ("scaleDown", SCALE_DOWN))
    }


DEFAULTS: Mapping[str, Defaulter] = {
    "autoscaling.v1.HorizontalPodAutoscalerSpec": constants(minReplicas=1),
    "autoscaling.v2.HorizontalPodAutoscalerBehavior": scaling,
    "autoscaling.v2.HorizontalPodAutoscalerSpec": constants(minReplicas=1, metrics=CPU_UTILIZATION_METRIC),
}
