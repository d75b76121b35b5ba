"""PodResizeValidator: a pod that is resized still fits its node, which runs Linux (FK-487)."""

from __future__ import annotations

from collections.abc import Iterator

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...kinds import resource_lists
from ...kinds.core.pod import requests
from ...schema.fields import go_quote
from .plugin import UPDATE, Plugin, forbidden

NODES = ("", "nodes")
OS_LABEL = "kubernetes.io/os"
SCALES = {"cpu": 1000, "memory": 1}
"""What is compared, and how many of the unit that messages count in make a whole."""


def check_resize(api: Context, review: Review) -> None:
    """Check that the node of a pod has available for its new requests. Raises 403."""
    pod = review.new
    name = pod["spec"].get("nodeName")
    # A resize that changes nothing is not judged.
    if not name or pod["spec"] == review.old["spec"]:
        return
    stored = api.store.get(NODES, ("", name))
    if stored is None:
        raise forbidden(review, f"node {go_quote(name)} not found")
    node = stored.object
    # A node without the label counts as Linux.
    system = (node["metadata"].get("labels") or {}).get(OS_LABEL, "linux")
    if system != "linux":
        why = f"pod resize is only supported on linux nodes, node {go_quote(name)} is {go_quote(system)}"
        raise forbidden(review, why, [{"reason": "UnsupportedPlatform"}])
    if lacking := "; ".join(_lacking(pod, node)):
        why = f"node didn't have enough allocatable resources: {lacking}"
        raise forbidden(review, why, [{"reason": "NodeCapacity"}])


def _lacking(pod: Json, node: Json) -> Iterator[str]:
    allocatable = resource_lists.of((node.get("status") or {}).get("allocatable"))
    requested = requests.total_of_pod(pod["spec"], "requests")
    for name, scale in SCALES.items():
        need = requested.get(name, resource_lists.ZERO).amount
        available = allocatable.get(name, resource_lists.ZERO).amount
        if need > available:
            yield f"{name}, requested: {int(need * scale)}, allocatable: {int(available * scale)}"


PLUGIN = Plugin(
    name="PodResizeValidator", operations=UPDATE, validates={("", "pods", "resize"): check_resize}
)
