"""Versions that the server can still read but serves no more:
their objects are told apart from unknown ones (FK-041).
"""

from __future__ import annotations

from collections.abc import Mapping

EARLIER_KINDS: Mapping[str, tuple[str, ...]] = {
    "admissionregistration.k8s.io/v1alpha1": (
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
    ),
    "admissionregistration.k8s.io/v1beta1": (
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
    ),
    "apiextensions.k8s.io/v1beta1": (
        "CustomResourceDefinition",
        "ConversionReview",
    ),
    "apiregistration.k8s.io/v1beta1": ("APIService",),
    "apps/v1beta1": (
        "Deployment",
        "StatefulSet",
        "ControllerRevision",
    ),
    "apps/v1beta2": (
        "Deployment",
        "StatefulSet",
        "DaemonSet",
        "ReplicaSet",
        "ControllerRevision",
    ),
    "authentication.k8s.io/v1alpha1": ("SelfSubjectReview",),
    "authentication.k8s.io/v1beta1": (
        "SelfSubjectReview",
        "TokenReview",
    ),
    "authorization.k8s.io/v1beta1": (
        "SelfSubjectRulesReview",
        "SelfSubjectAccessReview",
        "SubjectAccessReview",
        "LocalSubjectAccessReview",
    ),
    "batch/v1beta1": ("CronJob",),
    "certificates.k8s.io/v1alpha1": ("ClusterTrustBundle",),
    "certificates.k8s.io/v1beta1": (
        "CertificateSigningRequest",
        "ClusterTrustBundle",
        "PodCertificateRequest",
    ),
    "coordination.k8s.io/v1alpha2": ("LeaseCandidate",),
    "coordination.k8s.io/v1beta1": (
        "Lease",
        "LeaseCandidate",
    ),
    "discovery.k8s.io/v1beta1": ("EndpointSlice",),
    "events.k8s.io/v1beta1": ("Event",),
    "extensions/v1beta1": (
        "Deployment",
        "DaemonSet",
        "Ingress",
        "ReplicaSet",
        "NetworkPolicy",
    ),
    "flowcontrol.apiserver.k8s.io/v1beta1": (
        "FlowSchema",
        "PriorityLevelConfiguration",
    ),
    "flowcontrol.apiserver.k8s.io/v1beta2": (
        "FlowSchema",
        "PriorityLevelConfiguration",
    ),
    "flowcontrol.apiserver.k8s.io/v1beta3": (
        "FlowSchema",
        "PriorityLevelConfiguration",
    ),
    "networking.k8s.io/v1beta1": (
        "Ingress",
        "IngressClass",
        "IPAddress",
        "ServiceCIDR",
    ),
    "node.k8s.io/v1alpha1": ("RuntimeClass",),
    "node.k8s.io/v1beta1": ("RuntimeClass",),
    "policy/v1beta1": (
        "PodDisruptionBudget",
        "Eviction",
    ),
    "rbac.authorization.k8s.io/v1alpha1": (
        "Role",
        "RoleBinding",
        "ClusterRole",
        "ClusterRoleBinding",
    ),
    "rbac.authorization.k8s.io/v1beta1": (
        "Role",
        "RoleBinding",
        "ClusterRole",
        "ClusterRoleBinding",
    ),
    "resource.k8s.io/v1alpha3": (
        "DeviceTaintRule",
        "ResourcePoolStatusRequest",
    ),
    "resource.k8s.io/v1beta1": (
        "DeviceClass",
        "ResourceClaim",
        "ResourceClaimTemplate",
        "ResourceSlice",
    ),
    "resource.k8s.io/v1beta2": (
        "DeviceClass",
        "DeviceTaintRule",
        "ResourceClaim",
        "ResourceClaimTemplate",
        "ResourceSlice",
    ),
    "scheduling.k8s.io/v1alpha2": (
        "Workload",
        "PodGroup",
    ),
    "scheduling.k8s.io/v1beta1": ("PriorityClass",),
    "storage.k8s.io/v1alpha1": (
        "VolumeAttachment",
        "CSIStorageCapacity",
        "VolumeAttributesClass",
    ),
    "storage.k8s.io/v1beta1": (
        "StorageClass",
        "VolumeAttachment",
        "CSIDriver",
        "CSINode",
        "CSIStorageCapacity",
        "VolumeAttributesClass",
    ),
    "storagemigration.k8s.io/v1beta1": ("StorageVersionMigration",),
}
