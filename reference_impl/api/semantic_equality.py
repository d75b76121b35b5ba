"""Semantic equality of specs, as apimachinery's `equality.Semantic` has it (PA-063).

Go compares objects that it has decoded. A field that is absent has the zero value of its Go type then: an
empty struct, list, map, text, a zero or false that is held by value equals its absence; what a pointer leads
to does not. A test in `tools` compares the tables here with the Go types of pods.
"""

from __future__ import annotations

from typing import Final

from .quantity import QuantityError, quantity
from .resource import Json

MAPS_OF_TEXTS: Final = frozenset(
    {
        *("annotations", "labels", "matchLabels", "nodeLabels", "nodeSelector"),
        *("options", "userAnnotations", "volumeAttributes"),
    }
)
MAPS_OF_QUANTITIES: Final = frozenset(
    {
        *("requests", "limits", "overhead"),
        *("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"),
    }
)
QUANTITIES: Final = frozenset(
    {"borrowingLimit", "divisor", "lendingLimit", "nominalQuota", "sizeLimit", "weight"}
)
STRUCTS_BY_VALUE: Final = frozenset({"metadata", "podAffinityTerm", "preference", "spec"})
CONTAINERS: Final = frozenset({"containers", "ephemeralContainers", "initContainers"})
POINTERS: Final = frozenset(
    {
        # Booleans
        *("active", "allowPrivilegeEscalation", "automountServiceAccountToken", "blockOwnerDeletion"),
        *("controller", "enableServiceLinks", "hostProcess", "hostUsers", "optional", "privileged"),
        *("readOnlyRootFilesystem", "runAsNonRoot", "setHostnameAsFQDN", "shareProcessNamespace"),
        "unconstrained",
        # Numbers
        *("activeDeadlineSeconds", "defaultMode", "deletionGracePeriodSeconds", "expirationSeconds"),
        *("fsGroup", "maxExpirationSeconds", "maxPriorityThreshold", "maximumExecutionTimeSeconds"),
        *("minCount", "minDomains", "mode", "priority", "runAsGroup", "runAsUser"),
        *("terminationGracePeriodSeconds", "tolerationSeconds"),
        # Quantities
        *("borrowingLimit", "lendingLimit", "sizeLimit"),
        # Texts
        *("apiGroup", "cachingMode", "fsGroupChangePolicy", "gmsaCredentialSpec", "gmsaCredentialSpecName"),
        *("hostnameOverride", "initiatorName", "localhostProfile", "mountPropagation"),
        *("nodeAffinityPolicy", "nodeTaintsPolicy", "podGroupName", "preemptionPolicy", "preferred"),
        *("procMount", "recursiveReadOnly", "required", "resourceClaimName", "resourceClaimTemplateName"),
        *("runAsUserName", "runtimeClassName", "seLinuxChangePolicy", "service", "stopPolicy"),
        *("stopSignal", "storageClassName", "supplementalGroupsPolicy", "topologyName"),
        *("volumeAttributesClassName", "volumeMode"),
    }
)
"""Fields that hold a pointer to a scalar in every Go type that has them: their zero is a value of its own."""


def are_equal(first: Json, second: Json) -> bool:
    """Tell whether two values mean the same to Go: quantities are compared by their amounts, and what Go
    decodes to the zero value of a field is equal to what is absent.
    """
    return bool(first == second) or bool(normalize(first) == normalize(second))


def normalize(value: Json, field: str = "") -> Json:
    """Return the value of a field so that what means the same to Go is equal: quantities by their amounts,
    without the members that have the zero value of their type.
    """
    if isinstance(value, list):
        return [_normalize_struct(item, field) if isinstance(item, dict) else item for item in value]
    if not isinstance(value, dict):
        return _amount(value) if field in QUANTITIES else value
    if field in MAPS_OF_TEXTS:
        # An entry with an empty text is an entry.
        return value
    if field in MAPS_OF_QUANTITIES:
        return {name: _amount(item) for name, item in value.items()}
    return _normalize_struct(value, field)


def _normalize_struct(struct: Json, holder: str) -> Json:
    members = {name: normalize(item, name) for name, item in struct.items()}
    return {name: item for name, item in members.items() if not _is_zero(item, name, holder)}


def _is_zero(value: Json, field: str, holder: str) -> bool:
    """Tell whether Go has the same value of a field that is absent."""
    if value is None or value == []:
        return True
    if value == {}:
        # The resources of a container are held by value, those of a whole pod by a pointer.
        is_struct = field in STRUCTS_BY_VALUE or (field == "resources" and holder in CONTAINERS)
        return is_struct or field in MAPS_OF_TEXTS or field in MAPS_OF_QUANTITIES
    return value in ("", 0, False) and field not in POINTERS


def _amount(value: Json) -> Json:
    try:
        return quantity(value).nano
    except QuantityError:
        return value
