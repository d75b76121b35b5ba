"""The kinds that Kueue serves and those that it reads, at their URLs (AC-001, spec/apiserver.md §2.5.3)."""

from __future__ import annotations

from typing import Final

from .resource import Resource

GROUP: Final = "kueue.x-k8s.io"
VERSION: Final = "v1beta2"
PROVISIONING_PARAMETERS: Final = "provreq.kueue.x-k8s.io/"
"""Annotations with this prefix are parameters of ProvisioningRequests (PA-059)."""
RESOURCE_IN_USE: Final = "kueue.x-k8s.io/resource-in-use"


def _kueue(plural: str, kind: str, *, namespaced: bool = False) -> Resource:
    return Resource(group=GROUP, version=VERSION, plural=plural, kind=kind, namespaced=namespaced)


WORKLOADS: Final = _kueue("workloads", "Workload", namespaced=True)
LOCAL_QUEUES: Final = _kueue("localqueues", "LocalQueue", namespaced=True)
CLUSTER_QUEUES: Final = _kueue("clusterqueues", "ClusterQueue")
COHORTS: Final = _kueue("cohorts", "Cohort")
RESOURCE_FLAVORS: Final = _kueue("resourceflavors", "ResourceFlavor")
ADMISSION_CHECKS: Final = _kueue("admissionchecks", "AdmissionCheck")
WORKLOAD_PRIORITY_CLASSES: Final = _kueue("workloadpriorityclasses", "WorkloadPriorityClass")

PROVISIONING_REQUEST_CONFIGS: Final = _kueue("provisioningrequestconfigs", "ProvisioningRequestConfig")
TOPOLOGIES: Final = _kueue("topologies", "Topology")
MULTI_KUEUE_CONFIGS: Final = _kueue("multikueueconfigs", "MultiKueueConfig")
MULTI_KUEUE_CLUSTERS: Final = _kueue("multikueueclusters", "MultiKueueCluster")

KUEUE_KINDS: Final = (
    ADMISSION_CHECKS,
    CLUSTER_QUEUES,
    COHORTS,
    LOCAL_QUEUES,
    MULTI_KUEUE_CLUSTERS,
    MULTI_KUEUE_CONFIGS,
    PROVISIONING_REQUEST_CONFIGS,
    RESOURCE_FLAVORS,
    TOPOLOGIES,
    WORKLOAD_PRIORITY_CLASSES,
    WORKLOADS,
)


def _alpha(plural: str, kind: str) -> Resource:
    return Resource(group=GROUP, version="v1alpha1", plural=plural, kind=kind, namespaced=False)


CAPACITY_PROVIDERS: Final = _alpha("capacityproviders", "CapacityProvider")
DYNAMIC_QUOTA_ORCHESTRATORS: Final = _alpha("dynamicquotaorchestrators", "DynamicQuotaOrchestrator")
PREEMPTION_CONFIGS: Final = _alpha("preemptionconfigs", "PreemptionConfig")
ALPHA_KINDS: Final = (CAPACITY_PROVIDERS, DYNAMIC_QUOTA_ORCHESTRATORS, PREEMPTION_CONFIGS)

PROVISIONING_REQUESTS: Final = Resource(
    group="autoscaling.x-k8s.io", version="v1", plural="provisioningrequests", kind="ProvisioningRequest"
)
"""An autoscaler's kind, not Kueue's (PR-001…007)."""
PROVISIONING_CLASSES: Final = Resource(
    group="autoscaling.x-k8s.io",
    version="v1alpha1",
    plural="provisioningclasses",
    kind="ProvisioningClass",
    namespaced=False,
)
"""ProvisioningClasses of the proposal (PR-260)."""
POD_TEMPLATES: Final = Resource(group="", version="v1", plural="podtemplates", kind="PodTemplate")
JOBS: Final = Resource(group="batch", version="v1", plural="jobs", kind="Job")
NODES: Final = Resource(group="", version="v1", plural="nodes", kind="Node", namespaced=False)
DEPLOYMENTS: Final = Resource(group="apps", version="v1", plural="deployments", kind="Deployment")
STATEFUL_SETS: Final = Resource(group="apps", version="v1", plural="statefulsets", kind="StatefulSet")
PODS: Final = Resource(group="", version="v1", plural="pods", kind="Pod")
NAMESPACES: Final = Resource(group="", version="v1", plural="namespaces", kind="Namespace", namespaced=False)
LIMIT_RANGES: Final = Resource(group="", version="v1", plural="limitranges", kind="LimitRange")
CONFIG_MAPS: Final = Resource(group="", version="v1", plural="configmaps", kind="ConfigMap")
SECRETS: Final = Resource(group="", version="v1", plural="secrets", kind="Secret")
EVENTS: Final = Resource(group="events.k8s.io", version="v1", plural="events", kind="Event")
LEASES: Final = Resource(group="coordination.k8s.io", version="v1", plural="leases", kind="Lease")
PRIORITY_CLASSES: Final = Resource(
    group="scheduling.k8s.io", version="v1", plural="priorityclasses", kind="PriorityClass", namespaced=False
)
RUNTIME_CLASSES: Final = Resource(
    group="node.k8s.io", version="v1", plural="runtimeclasses", kind="RuntimeClass", namespaced=False
)
CRDS: Final = Resource(
    group="apiextensions.k8s.io",
    version="v1",
    plural="customresourcedefinitions",
    kind="CustomResourceDefinition",
    namespaced=False,
)


def _flow_control(plural: str, kind: str) -> Resource:
    group, version = "flowcontrol.apiserver.k8s.io", "v1"
    return Resource(group=group, version=version, plural=plural, kind=kind, namespaced=False)


FLOW_SCHEMAS: Final = _flow_control("flowschemas", "FlowSchema")
PRIORITY_LEVELS: Final = _flow_control("prioritylevelconfigurations", "PriorityLevelConfiguration")
