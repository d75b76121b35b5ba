"""Pods, nodes, groups and requests for the tests of the autoscaler."""

from __future__ import annotations

from reference_impl.api.resource import Json
from reference_impl.autoscaler.cloud import Instance, NodeGroup
from reference_impl.autoscaler.proposal.requests import ATOMIC_SCALE_UP, FIELDS
from reference_impl.autoscaler.requests.request import CHECK_CAPACITY, ProvisioningRequest
from reference_impl.autoscaler.simulation.node import NodeShape
from reference_impl.autoscaler.simulation.pod import Pod, PodShape

CREATED = "2026-01-01T00:00:00Z"
START = 1767225600.0
"""The same moment, in seconds."""


def shape(cpu: str = "1", memory: str = "1Gi", labels: Json = None, **spec: Json) -> PodShape:
    container = {"name": "c", "resources": {"requests": {"cpu": cpu, "memory": memory}}}
    return PodShape.of("ns", {"labels": labels or {}}, {"containers": [container], **spec})


def pods(count: int, pod_shape: PodShape | None = None) -> list[Pod]:
    kind = pod_shape or shape()
    return [Pod("ns", f"pod-{index}", kind, uid=f"uid-{index}") for index in range(count)]


def node_object(name: str, cpu: str = "4", memory: str = "16Gi", count: str = "110", **fields: Json) -> Json:
    amounts = {"cpu": cpu, "memory": memory, "pods": count}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "creationTimestamp": CREATED,
            "labels": {"kubernetes.io/hostname": name, **fields.get("labels", {})},
        },
        "spec": {
            "providerID": f"sim://{name}",
            "taints": fields.get("taints", []),
            "unschedulable": fields.get("unschedulable", False),
        },
        "status": {
            "capacity": amounts,
            "allocatable": amounts,
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def node(name: str = "node", **fields: Json) -> NodeShape:
    return NodeShape.of(node_object(name, **fields))


def group(name: str = "ng-a", most: int = 10, target: int = 0, **fields: Json) -> NodeGroup:
    instances = [Instance(f"sim://{name}-{index}", "running") for index in range(target)]
    template = fields.pop("template", None) or node(f"template-{name}")
    return NodeGroup(
        id=name, min=0, max=most, target=target, instances=instances, template=template, **fields
    )


def request(
    name: str = "r",
    count: int = 1,
    class_name: str = CHECK_CAPACITY,
    parameters: Json = None,
    conditions: Json = (),
    created: str = CREATED,
) -> ProvisioningRequest:
    return ProvisioningRequest(
        {
            "apiVersion": "autoscaling.x-k8s.io/v1",
            "kind": "ProvisioningRequest",
            "metadata": {
                "name": name,
                "namespace": "ns",
                "uid": f"uid-{name}",
                "resourceVersion": "1",
                "generation": 1,
                "creationTimestamp": created,
            },
            "spec": {
                "provisioningClassName": class_name,
                "podSets": [{"podTemplateRef": {"name": "t"}, "count": count}],
                **({"parameters": parameters} if parameters else {}),
            },
            "status": {"conditions": list(conditions)},
        }
    )


def condition(kind: str, status: str = "True", since: str = CREATED) -> Json:
    return {"type": kind, "status": status, "reason": "Test", "message": "", "lastTransitionTime": since}


def template(cpu: str = "1", memory: str = "1Gi") -> Json:
    container = {"name": "c", "resources": {"requests": {"cpu": cpu, "memory": memory}}}
    return {
        "metadata": {"name": "t", "namespace": "ns"},
        "template": {"metadata": {}, "spec": {"containers": [container]}},
    }


def pod_object(name: str, *, node: str = "", annotations: Json = None, cpu: str = "1", **spec: Json) -> Json:
    """Return a Pod: on a node, or one that a scheduler gave up on."""
    gave_up = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "ns",
            "uid": f"uid-{name}",
            "creationTimestamp": CREATED,
            "annotations": annotations or {},
            "ownerReferences": [{"uid": "owner", "kind": "Job", "controller": True}],
        },
        "spec": {
            "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}],
            **({"nodeName": node} if node else {}),
            **spec,
        },
        "status": {"phase": "Pending", "conditions": [] if node else [gave_up]},
    }


def make_proposed(
    name: str = "r", count: int = 1, class_name: str = ATOMIC_SCALE_UP, parameters: Json = None
) -> ProvisioningRequest:
    """Return a request in the form of the proposal."""
    metadata = request(name).object["metadata"]
    return ProvisioningRequest(
        {
            "apiVersion": "autoscaling.x-k8s.io/v1alpha1aep",
            "kind": "ProvisioningRequest",
            "metadata": metadata,
            "spec": {
                "provisioningClass": class_name,
                "podSets": [{"podTemplateRef": {"name": "t"}, "count": count}],
                **({"additionalParameters": parameters} if parameters else {}),
            },
            "status": {"conditions": []},
        },
        FIELDS,
    )
