"""Go structs inside others whose members stand among those of the outer one; Go names them when it finds a
wrong type (FK-041).
"""

from __future__ import annotations

from collections.abc import Mapping

from . import types

LOCAL = "LocalObjectReference"
KEY = (LOCAL, frozenset({"key", "optional"}))
ITEMS = (LOCAL, frozenset({"items", "defaultMode", "optional"}))
DEVICE_CONFIGURATION = "DeviceConfiguration"
EMBEDDED_STRUCTS: Mapping[str, tuple[str, frozenset[str]]] = {
    "admissionregistration.v1.NamedRuleWithOperations": ("RuleWithOperations", frozenset({"resourceNames"})),
    "admissionregistration.v1.RuleWithOperations": ("Rule", frozenset({"operations"})),
    "core.v1.ConfigMapEnvSource": (LOCAL, frozenset({"optional"})),
    "core.v1.ConfigMapKeySelector": KEY,
    "core.v1.ConfigMapProjection": ITEMS,
    "core.v1.ConfigMapVolumeSource": ITEMS,
    "core.v1.EphemeralContainer": ("EphemeralContainerCommon", frozenset({"targetContainerName"})),
    "core.v1.PersistentVolumeSpec": (
        "PersistentVolumeSource",
        frozenset(
            {
                "accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity", "persistentVolumeReclaimPolicy",
                "storageClassName", "volumeAttributesClassName", "volumeMode",
            }
        ),
    ),
    "core.v1.Probe": (
        "ProbeHandler",
        frozenset(
            {
                "failureThreshold", "initialDelaySeconds", "periodSeconds", "successThreshold", "terminationGracePeriodSeconds",
                "timeoutSeconds",
            }
        ),
    ),
    "core.v1.SecretEnvSource": (LOCAL, frozenset({"optional"})),
    "core.v1.SecretKeySelector": KEY,
    "core.v1.SecretProjection": ITEMS,
    "core.v1.Volume": ("VolumeSource", frozenset({"name"})),
    "resource.v1.DeviceAllocationConfiguration": (DEVICE_CONFIGURATION, frozenset({"requests", "source"})),
    "resource.v1.DeviceClaimConfiguration": (DEVICE_CONFIGURATION, frozenset({"requests"})),
    "resource.v1.DeviceClassConfiguration": (DEVICE_CONFIGURATION, frozenset()),
}  # fmt: skip
"""By message: the struct inside, and the members that are not its."""
TYPE = frozenset({"apiVersion", "kind"})


def go_member_path(message: str, member: str) -> str:
    """Return a member as Go names its place in a message, such as `VolumeSource.secret`."""
    inner, own = EMBEDDED_STRUCTS.get(message, ("", frozenset[str]()))
    if inner and member not in own:
        rest = go_member_path(f"{message.rpartition('.')[0]}.{inner}", member)
        return f"{inner}.{rest}"
    # Only whole objects embed TypeMeta; other structs may have a `kind` of their own.
    if member in TYPE and "metadata" in types.go_fields(message):
        return f"TypeMeta.{member}"
    return member
