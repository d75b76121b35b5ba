"""The plugins in the order in which kube-apiserver v1.36 asks them (FK-300).

CertificateApproval and CertificateSigning are rights, and are checked where rights are. PodGroupProtection,
PodGroupWorkloadExists, JobValidation and ClusterTrustBundleAttest concern what a stock server does not serve.
"""

from __future__ import annotations

from . import (
    certificate_subject_restriction,
    default_ingress_class,
    default_storage_class,
    default_toleration_seconds,
    limit_ranger,
    namespace_lifecycle,
    node_declared_feature_validator,
    persistent_volume_claim_resize,
    pod_resize_validator,
    pod_security,
    pod_topology_labels,
    priority,
    runtime_class,
    service_account,
    storage_object_in_use_protection,
    storage_steps,
    taint_nodes_by_condition,
)
from .plugin import Plugin

PLUGINS: tuple[Plugin, ...] = (
    namespace_lifecycle.PLUGIN,
    limit_ranger.PLUGIN,
    service_account.PLUGIN,
    taint_nodes_by_condition.PLUGIN,
    pod_security.PLUGIN,
    priority.PLUGIN,
    default_toleration_seconds.PLUGIN,
    default_storage_class.PLUGIN,
    storage_object_in_use_protection.PLUGIN,
    persistent_volume_claim_resize.PLUGIN,
    runtime_class.PLUGIN,
    certificate_subject_restriction.PLUGIN,
    default_ingress_class.PLUGIN,
    pod_topology_labels.PLUGIN,
    node_declared_feature_validator.PLUGIN,
    pod_resize_validator.PLUGIN,
    storage_steps.PLUGIN,
)
