"""Where the kinds live that scenarios read and write."""

from __future__ import annotations

from dataclasses import dataclass

from ..scenarios.cases import NEWEST


@dataclass(frozen=True, slots=True)
class Resource:
    """Where objects of a kind live."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """`group/version`, or the version alone."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """Return the URL path of a collection, an object or a subresource."""
        root = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        segments = [
            root,
            # Without a namespace the path is the collection over all namespaces.
            f"namespaces/{namespace}" if self.namespaced and namespace else "",
            self.plural,
            name,
            subresource,
        ]
        return "/".join(segment for segment in segments if segment)


KUEUE, ALPHA = "kueue.x-k8s.io", "v1alpha1"
RESOURCES = {
    resource.kind: resource
    for resource in (
        Resource("", "v1", "Namespace", "namespaces", namespaced=False),
        Resource("", "v1", "Event", "events"),
        Resource("", "v1", "ConfigMap", "configmaps"),
        Resource("", "v1", "Node", "nodes", namespaced=False),
        Resource("", "v1", "Pod", "pods"),
        Resource("", "v1", "LimitRange", "limitranges"),
        Resource("", "v1", "PodTemplate", "podtemplates"),
        Resource("autoscaling.x-k8s.io", "v1", "ProvisioningRequest", "provisioningrequests"),
        Resource("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", namespaced=False),
        Resource("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", namespaced=False),
        Resource("batch", "v1", "Job", "jobs"),
        Resource(
            "apiextensions.k8s.io",
            "v1",
            "CustomResourceDefinition",
            "customresourcedefinitions",
            namespaced=False,
        ),
        Resource(KUEUE, NEWEST, "Workload", "workloads"),
        Resource(KUEUE, NEWEST, "LocalQueue", "localqueues"),
        Resource(KUEUE, NEWEST, "ClusterQueue", "clusterqueues", namespaced=False),
        Resource(KUEUE, NEWEST, "ResourceFlavor", "resourceflavors", namespaced=False),
        Resource(KUEUE, NEWEST, "Topology", "topologies", namespaced=False),
        Resource(KUEUE, NEWEST, "AdmissionCheck", "admissionchecks", namespaced=False),
        Resource(KUEUE, NEWEST, "WorkloadPriorityClass", "workloadpriorityclasses", namespaced=False),
        Resource(KUEUE, NEWEST, "Cohort", "cohorts", namespaced=False),
        Resource(KUEUE, NEWEST, "ProvisioningRequestConfig", "provisioningrequestconfigs", namespaced=False),
        Resource(KUEUE, ALPHA, "CapacityProvider", "capacityproviders", namespaced=False),
        Resource(KUEUE, ALPHA, "DynamicQuotaOrchestrator", "dynamicquotaorchestrators", namespaced=False),
        Resource(KUEUE, ALPHA, "PreemptionConfig", "preemptionconfigs", namespaced=False),
    )
}
