"""How the rules of a kind judge the metadata of an update once more,
after what all kinds do (FK-065, FK-071).

What is wrong with it is then listed once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..api.kind import Kind

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
CHANGE: Final = "what does not change, then the contents but for finalizers"
FINALIZERS: Final = "that finalizers are qualified"
CONTENTS: Final = "the contents"
STRICTLY: Final = "the contents, and that finalizers are qualified"
Rounds = tuple[str, ...]
COMMON: Final[Rounds] = (CHANGE, FINALIZERS, STRICTLY)
"""Of the groups that insist on qualified finalizers."""
OTHERS: Final[Rounds] = (CHANGE,)
CHANGE_ALONE: Final[Rounds] = (CHANGE, FINALIZERS)
WHOLE_FIRST: Final[Rounds] = (STRICTLY, CHANGE, FINALIZERS)
RBAC, ADMISSION = "rbac.authorization.k8s.io", "admissionregistration.k8s.io"
ROUNDS: Final[Mapping[tuple[str, Rounds], str]] = {
    ("apps", CHANGE_ALONE): "Deployment ReplicaSet StatefulSet DaemonSet",
    ("", CHANGE_ALONE): "ReplicationController PodTemplate ResourceQuota Service",
    ("batch", CHANGE_ALONE): "CronJob",
    ("events.k8s.io", CHANGE_ALONE): "Event",
    ("scheduling.k8s.io", CHANGE_ALONE): "PriorityClass",
    ("resource.k8s.io", CHANGE_ALONE): "ResourceSlice",
    ("autoscaling", CHANGE_ALONE): "HorizontalPodAutoscaler",
    ("networking.k8s.io", CHANGE_ALONE): "NetworkPolicy ServiceCIDR",
    ("storage.k8s.io", CHANGE_ALONE): "CSIDriver",
    ("batch", WHOLE_FIRST): "Job",
    ("", WHOLE_FIRST): "Namespace Node",
    ("certificates.k8s.io", WHOLE_FIRST): "CertificateSigningRequest",
    (RBAC, WHOLE_FIRST): "ClusterRole ClusterRoleBinding Role RoleBinding",
    ("resource.k8s.io", WHOLE_FIRST): "DeviceClass ResourceClaim ResourceClaimTemplate",
    ("networking.k8s.io", WHOLE_FIRST): "IPAddress",
    ("storage.k8s.io", WHOLE_FIRST): "CSIStorageCapacity StorageClass",
    ("", (STRICTLY,)): "LimitRange",
    ("discovery.k8s.io", (STRICTLY,)): "EndpointSlice",
    ("flowcontrol.apiserver.k8s.io", (STRICTLY,)): "FlowSchema PriorityLevelConfiguration",
    ("storage.k8s.io", (STRICTLY,)): "CSINode VolumeAttachment",
    ("", (STRICTLY, STRICTLY)): "PersistentVolume",
    ("", ()): "Event",
    ("policy", ()): "PodDisruptionBudget",
    (ADMISSION, (CONTENTS,)): (
        "MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy"
        " ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"
    ),
    ("apiregistration.k8s.io", (CHANGE, CONTENTS)): "APIService",
    ("node.k8s.io", (CONTENTS, CHANGE)): "RuntimeClass",
}
"""The kinds of a group with these rounds, where they are not those of their group."""
BY_KIND: Final[Mapping[tuple[str, str], Rounds]] = {
    (group, kind): rounds for (group, rounds), kinds in ROUNDS.items() for kind in kinds.split()
}

OF_STATUS: Final[Mapping[tuple[str, str], Rounds]] = {
    ("batch", "CronJob"): (),
    ("policy", "PodDisruptionBudget"): (),
    ("certificates.k8s.io", "CertificateSigningRequest"): WHOLE_FIRST,
}
"""Kinds whose rules judge the metadata of an update of /status otherwise than by what may not change."""


def strict_finalizers(kind: Kind) -> bool:
    """Whether the kind insists on qualified finalizers."""
    return not kind.custom and kind.group in STRICT_GROUPS


def rounds_of(kind: Kind, *, of_status: bool) -> Rounds:
    """Return what the rules of the kind judge, in order."""
    if kind.custom:
        return OTHERS
    if of_status:
        alone = CHANGE_ALONE if strict_finalizers(kind) else OTHERS
        return OF_STATUS.get((kind.group, kind.kind), alone)
    return BY_KIND.get((kind.group, kind.kind), COMMON if strict_finalizers(kind) else OTHERS)
