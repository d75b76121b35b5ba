"""Workloads as stories about queues write them: who asks for what, without the rest of a pod template (pure)."""

from __future__ import annotations

from ..base.json_types import Json


def submitted(content: Json) -> Json:
    """Return the Workload of an action `submit`: name, queue, priority, active, annotations, and `sets` with
    name, count, minCount, requests, limits, and `pod` for what else its pods have.
    """
    metadata = {"name": content["name"]}
    if "annotations" in content:
        metadata["annotations"] = content["annotations"]
    given = {key: content[key] for key in ("priority", "active") if key in content}
    sets = [_pod_set(one) for one in content["sets"]]
    spec = {"queueName": content["queue"], **given, "podSets": sets}
    return {"kind": "Workload", "metadata": metadata, "spec": spec}


def _pod_set(content: Json) -> Json:
    counts = {key: content[key] for key in ("count", "minCount") if key in content}
    resources = {key: content[key] for key in ("requests", "limits") if key in content}
    container = {"name": "c", "image": "registry.example.com/work:1", "resources": resources}
    pod = {"restartPolicy": "Never", "containers": [container], **content.get("pod", {})}
    return {"name": content["name"], **counts, "template": {"spec": pod}}
