"""The groups and versions that the real server knows types of,
served or not: version 2 of OpenAPI names them (FK-374).
"""

from __future__ import annotations

from collections.abc import Mapping

_VERSIONS: Mapping[str, tuple[str, ...]] = {
    "": ("v1",),
    "admission.k8s.io": ("v1", "v1beta1"),
    "admissionregistration.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "apiextensions.k8s.io": ("v1", "v1beta1"),
    "apiregistration.k8s.io": ("v1", "v1beta1"),
    "apps": ("v1", "v1beta1", "v1beta2"),
    "authentication.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "authorization.k8s.io": ("v1", "v1beta1"),
    "autoscaling": ("v1", "v2"),
    "batch": ("v1", "v1beta1"),
    "certificates.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "coordination.k8s.io": ("v1", "v1alpha2", "v1beta1"),
    "discovery.k8s.io": ("v1", "v1beta1"),
    "events.k8s.io": ("v1", "v1beta1"),
    "extensions": ("v1beta1",),
    "flowcontrol.apiserver.k8s.io": ("v1", "v1beta1", "v1beta2", "v1beta3"),
    "imagepolicy.k8s.io": ("v1alpha1",),
    "internal.apiserver.k8s.io": ("v1alpha1",),
    "networking.k8s.io": ("v1", "v1beta1"),
    "node.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "policy": ("v1", "v1beta1"),
    "rbac.authorization.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "resource.k8s.io": ("v1", "v1alpha3", "v1beta1", "v1beta2"),
    "scheduling.k8s.io": ("v1", "v1alpha2", "v1beta1"),
    "storage.k8s.io": ("v1", "v1alpha1", "v1beta1"),
    "storagemigration.k8s.io": ("v1beta1",),
}
UNKNOWN_TO_CLIENTS = (
    "admission.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "imagepolicy.k8s.io",
)
GROUP_VERSIONS = tuple((group, version) for group, versions in _VERSIONS.items() for version in versions)
OF_CLIENTS = tuple(pair for pair in GROUP_VERSIONS if pair[0] not in UNKNOWN_TO_CLIENTS)
"""Those that documents of custom resources name."""
