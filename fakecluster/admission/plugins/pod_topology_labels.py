"""PodTopologyLabels: a pod that is bound gets the zone and the region of its node as labels (FK-317)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from .plugin import CREATE, PODS, Plugin

NODES = ("", "nodes")
LABELS = ("topology.kubernetes.io/zone", "topology.kubernetes.io/region")


def label_pod(api: Context, review: Review, pod: Json) -> Json:
    """Return a new pod that names its node with the labels of the node."""
    del review
    return _with_labels_of(api, pod, pod["spec"].get("nodeName"))


def label_binding(api: Context, review: Review, binding: Json) -> Json:
    """Return a Binding with the labels of its node, which the pod gets with it."""
    del review
    target = binding["target"]
    # A Binding to anything but a node has no topology.
    return _with_labels_of(api, binding, target.get("name")) if target.get("kind") == "Node" else binding


def _with_labels_of(api: Context, obj: Json, node: str | None) -> Json:
    stored = api.store.get(NODES, ("", node)) if node else None
    labels = (stored.object["metadata"].get("labels") or {}) if stored else {}
    added = {label: labels[label] for label in LABELS if label in labels}
    if not added:
        return obj
    metadata = obj["metadata"]
    # The node's labels win over those that a client has chosen.
    return {**obj, "metadata": {**metadata, "labels": {**(metadata.get("labels") or {}), **added}}}


PLUGIN = Plugin(
    name="PodTopologyLabels",
    operations=CREATE,
    mutates={PODS: label_pod, ("", "pods", "binding"): label_binding},
)
