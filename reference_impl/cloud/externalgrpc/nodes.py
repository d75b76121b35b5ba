"""A Node as the protocol has it: the template of a group in Kubernetes' own protobuf."""

from __future__ import annotations

from typing import Any

from reference_impl.api.resource import Json
from reference_impl.externalgrpc.messages import message


def node_message(node: Json) -> Any:
    """Return a Node as the message that kube-apiserver would make of it, with what a template needs."""
    metadata, spec, status = node["metadata"], node["spec"], node["status"]
    amount = message("Quantity")
    ready = message("Condition")(type="Ready", status="True", reason="KubeletReady")
    return message("Node")(
        metadata=message("ObjectMeta")(
            name=metadata["name"], labels=metadata["labels"], annotations=metadata["annotations"]
        ),
        spec=message("NodeSpec")(taints=[message("Taint")(**taint) for taint in spec.get("taints", ())]),
        status=message("NodeStatus")(
            capacity={name: amount(string=value) for name, value in status["capacity"].items()},
            allocatable={name: amount(string=value) for name, value in status["allocatable"].items()},
            conditions=[ready],
        ),
    )
