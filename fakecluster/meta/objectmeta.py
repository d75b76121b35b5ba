"""Validation of an object's metadata (FK-064…FK-071, FK-104, FK-108).

The rules of a kind judge the metadata of an update once more, after what all kinds do, in rounds:
what is wrong with it is then listed once more (FK-065, FK-071).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..api.kind import Kind
from ..api.options import manager_errors
from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError
from . import labels, names
from .metadata import (
    finalizer_errors,
    finalizers_of,
    late_finalizer_errors,
    owner_errors,
    unqualified_finalizer_errors,
)

ANNOTATIONS_LIMIT = 262_144
SUBRESOURCE_LIMIT = 256
NEGATIVE_GENERATION = "must be greater than or equal to 0"
IMMUTABLE_FIELDS = (
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)
STRICT_GROUPS: Final = frozenset(
    {
        "",
        "apps",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "networking.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
    }
)
"""Groups whose kinds insist on qualified finalizers (FK-071)."""
IMMUTABLE_ROUND: Final = "what does not change, then the contents but for finalizers"
FINALIZERS_ROUND: Final = "that finalizers are qualified"
CONTENT_ROUND: Final = "the contents"
STRICT_CONTENT_ROUND: Final = "the contents, and that finalizers are qualified"
Rounds = tuple[str, ...]
STRICT_GROUP_ROUNDS: Final[Rounds] = (IMMUTABLE_ROUND, FINALIZERS_ROUND, STRICT_CONTENT_ROUND)
"""Of the groups that insist on qualified finalizers."""
OTHER_ROUNDS: Final[Rounds] = (IMMUTABLE_ROUND,)
IMMUTABLE_AND_FINALIZERS: Final[Rounds] = (IMMUTABLE_ROUND, FINALIZERS_ROUND)
CONTENT_FIRST: Final[Rounds] = (STRICT_CONTENT_ROUND, IMMUTABLE_ROUND, FINALIZERS_ROUND)
RBAC_GROUP, ADMISSION_GROUP = "rbac.authorization.k8s.io", "admissionregistration.k8s.io"
KINDS_BY_ROUNDS: Final[Mapping[tuple[str, Rounds], str]] = {
    ("apps", IMMUTABLE_AND_FINALIZERS): "Deployment ReplicaSet StatefulSet DaemonSet",
    ("", IMMUTABLE_AND_FINALIZERS): "ReplicationController PodTemplate ResourceQuota Service",
    ("batch", IMMUTABLE_AND_FINALIZERS): "CronJob",
    ("events.k8s.io", IMMUTABLE_AND_FINALIZERS): "Event",
    ("scheduling.k8s.io", IMMUTABLE_AND_FINALIZERS): "PriorityClass",
    ("resource.k8s.io", IMMUTABLE_AND_FINALIZERS): "ResourceSlice",
    ("autoscaling", IMMUTABLE_AND_FINALIZERS): "HorizontalPodAutoscaler",
    ("networking.k8s.io", IMMUTABLE_AND_FINALIZERS): "NetworkPolicy ServiceCIDR",
    ("storage.k8s.io", IMMUTABLE_AND_FINALIZERS): "CSIDriver",
    ("batch", CONTENT_FIRST): "Job",
    ("", CONTENT_FIRST): "Namespace Node",
    ("certificates.k8s.io", CONTENT_FIRST): "CertificateSigningRequest",
    (RBAC_GROUP, CONTENT_FIRST): "ClusterRole ClusterRoleBinding Role RoleBinding",
    ("resource.k8s.io", CONTENT_FIRST): "DeviceClass ResourceClaim ResourceClaimTemplate",
    ("networking.k8s.io", CONTENT_FIRST): "IPAddress",
    ("storage.k8s.io", CONTENT_FIRST): "CSIStorageCapacity StorageClass",
    ("", (STRICT_CONTENT_ROUND,)): "LimitRange",
    ("discovery.k8s.io", (STRICT_CONTENT_ROUND,)): "EndpointSlice",
    ("flowcontrol.apiserver.k8s.io", (STRICT_CONTENT_ROUND,)): "FlowSchema PriorityLevelConfiguration",
    ("storage.k8s.io", (STRICT_CONTENT_ROUND,)): "CSINode VolumeAttachment",
    ("", (STRICT_CONTENT_ROUND, STRICT_CONTENT_ROUND)): "PersistentVolume",
    ("", ()): "Event",
    ("policy", ()): "PodDisruptionBudget",
    (ADMISSION_GROUP, (CONTENT_ROUND,)): (
        "MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy"
        " ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"
    ),
    ("apiregistration.k8s.io", (IMMUTABLE_ROUND, CONTENT_ROUND)): "APIService",
    ("node.k8s.io", (CONTENT_ROUND, IMMUTABLE_ROUND)): "RuntimeClass",
}
"""The kinds of a group with these rounds, where they are not those of their group."""
ROUNDS_BY_KIND: Final[Mapping[tuple[str, str], Rounds]] = {
    (group, kind): rounds for (group, rounds), kinds in KINDS_BY_ROUNDS.items() for kind in kinds.split()
}
STATUS_ROUNDS_BY_KIND: Final[Mapping[tuple[str, str], Rounds]] = {
    ("batch", "CronJob"): (),
    ("policy", "PodDisruptionBudget"): (),
    ("certificates.k8s.io", "CertificateSigningRequest"): CONTENT_FIRST,
}
"""Kinds whose rules judge the metadata of an update of /status otherwise than by what may not change."""


def of_new(metadata: Json, kind: Kind) -> list[FieldError]:
    """Judge the metadata of a new object."""
    rule = names.RULES[kind.strategy.name_rule]
    base, name = metadata.get("generateName"), metadata.get("name")
    problems = (
        [fields.invalid("metadata.generateName", base, why) for why in rule(names.as_prefix(base))]
        if base
        else []
    )
    if name:
        problems += [fields.invalid("metadata.name", name, why) for why in rule(name)]
    else:
        problems.append(fields.required("metadata.name", "name or generateName is required"))
    if (generation := metadata.get("generation") or 0) < 0:
        problems.append(fields.invalid("metadata.generation", generation, NEGATIVE_GENERATION))
    return [*problems, *content_errors(metadata, strict=strict_finalizers(kind))]


def of_update(new: Json, old: Json, kind: Kind, *, of_status: bool = False) -> list[FieldError]:
    """Judge the metadata that shall replace another:
    once for all kinds, and once more by the kind's own rules.
    """
    metadata, names = new["metadata"], finalizers_of(new)
    maps, standard = _maps(metadata), unqualified_finalizer_errors(names)
    named, owners = [*maps, *finalizer_errors(names)], _owners(metadata.get("managedFields") or [])
    # The real server validates metadata in the common strategy and again in many kinds, and lists the
    # errors twice.
    errors_by_round = {
        IMMUTABLE_ROUND: [*_of_change(new, old), *maps],
        FINALIZERS_ROUND: standard,
        CONTENT_ROUND: [*named, *owners],
        STRICT_CONTENT_ROUND: [*named, *standard, *owners],
    }
    rounds = (
        CONTENT_ROUND,
        IMMUTABLE_ROUND,
        *rounds_of(kind, of_status=of_status),
    )
    return [error for judged in rounds for error in errors_by_round[judged]]


def _of_change(new: Json, old: Json) -> list[FieldError]:
    metadata = new["metadata"]
    changed = [
        fields.invalid(f"metadata.{member}", metadata.get(member, ""), "field is immutable")
        for member in IMMUTABLE_FIELDS
        if metadata.get(member) != old["metadata"].get(member)
    ]
    return [*late_finalizer_errors(new, old), *changed]


def content_errors(metadata: Json, *, strict: bool) -> list[FieldError]:
    """Judge labels, annotations, owners and finalizers; `strict` insists on qualified finalizers."""
    names = metadata.get("finalizers") or []
    return [
        *_maps(metadata),
        *finalizer_errors(names),
        *(unqualified_finalizer_errors(names) if strict else ()),
        *_owners(metadata.get("managedFields") or []),
    ]


def _owners(entries: list[Json]) -> list[FieldError]:
    """Judge the names in managedFields; entries that make no sense never get here (FK-219)."""
    errors: list[FieldError] = []
    for index, entry in enumerate(entries):
        path = f"metadata.managedFields[{index}]"
        errors += manager_errors(entry.get("manager") or "", f"{path}.manager")
        if len((entry.get("subresource") or "").encode()) > SUBRESOURCE_LIMIT:
            errors.append(fields.too_long(f"{path}.subresource", SUBRESOURCE_LIMIT))
    return errors


def _maps(metadata: Json) -> list[FieldError]:
    return [
        *_labels(metadata.get("labels") or {}),
        *_annotations(metadata.get("annotations") or {}),
        *owner_errors(metadata.get("ownerReferences") or []),
    ]


def map_errors(member: str, values: dict[str, str]) -> list[FieldError]:
    """Judge labels or annotations alone."""
    return _labels(values) if member == "labels" else _annotations(values)


def _labels(values: dict[str, str]) -> list[FieldError]:
    path = "metadata.labels"
    errors: list[FieldError] = []
    for key, value in sorted(values.items()):
        errors += [fields.invalid(path, key, why) for why in labels.key_problems(key)]
        errors += [fields.invalid(path, value, why) for why in labels.value_problems(value)]
    return errors


def _annotations(values: dict[str, str]) -> list[FieldError]:
    path = "metadata.annotations"
    errors = [
        fields.invalid(path, key, why) for key in sorted(values) for why in labels.key_problems(key.lower())
    ]
    # The limit is for all annotations together, keys included.
    if sum(len(key.encode()) + len(value.encode()) for key, value in values.items()) > ANNOTATIONS_LIMIT:
        errors.append(fields.too_long(path, ANNOTATIONS_LIMIT))
    return errors


def strict_finalizers(kind: Kind) -> bool:
    """Whether the kind insists on qualified finalizers."""
    return not kind.custom and kind.group in STRICT_GROUPS


def rounds_of(kind: Kind, *, of_status: bool) -> Rounds:
    """Return what the rules of the kind judge, in order."""
    if kind.custom:
        return OTHER_ROUNDS
    if of_status:
        alone = IMMUTABLE_AND_FINALIZERS if strict_finalizers(kind) else OTHER_ROUNDS
        return STATUS_ROUNDS_BY_KIND.get((kind.group, kind.kind), alone)
    return ROUNDS_BY_KIND.get(
        (kind.group, kind.kind), STRICT_GROUP_ROUNDS if strict_finalizers(kind) else OTHER_ROUNDS
    )
