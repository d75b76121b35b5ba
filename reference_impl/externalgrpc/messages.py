"""The messages of the protocol, and of Nodes and Pods inside them: fields by number, as the wire has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE: Final = "clusterautoscaler.cloudprovider.v1.externalgrpc"
SERVICE: Final = f"{PACKAGE}.CloudProvider"
Fields = Mapping[str, tuple[int, str]]
"""Names with number and type: a scalar of protobuf,
the name of a message, `repeated X`, or `map X` from text.
"""

MESSAGES: Final[Mapping[str, Fields]] = {
    "Empty": {},
    "Named": {"id": (1, "string")},
    "NodeGroup": {
        "id": (1, "string"),
        "minSize": (2, "int32"),
        "maxSize": (3, "int32"),
        "debug": (4, "string"),
    },
    "NodeGroupsResponse": {"nodeGroups": (1, "repeated NodeGroup")},
    "TargetSizeResponse": {"targetSize": (1, "int32")},
    "ChangeSizeRequest": {"delta": (1, "int32"), "id": (2, "string")},
    "ExternalNode": {
        "providerID": (1, "string"),
        "name": (2, "string"),
        "labels": (3, "map string"),
        "annotations": (4, "map string"),
    },
    "NodeGroupForNodeRequest": {"node": (1, "ExternalNode")},
    "NodeGroupForNodeResponse": {"nodeGroup": (1, "NodeGroup")},
    "DeleteNodesRequest": {"nodes": (1, "repeated ExternalNode"), "id": (2, "string")},
    "ErrorInfo": {
        "errorCode": (1, "string"),
        "errorMessage": (2, "string"),
        "instanceErrorClass": (3, "int32"),
    },
    "InstanceStatus": {"instanceState": (1, "int32"), "errorInfo": (2, "ErrorInfo")},
    "Instance": {"id": (1, "string"), "status": (2, "InstanceStatus")},
    "NodesResponse": {"instances": (1, "repeated Instance")},
    "TemplateNodeInfoResponse": {"nodeInfo": (1, "Node"), "nodeBytes": (2, "bytes")},
    "Options": {
        "scaleDownUtilizationThreshold": (1, "double"),
        "scaleDownGpuUtilizationThreshold": (2, "double"),
        "zeroOrMaxNodeScaling": (6, "bool"),
        "ignoreDaemonSetsUtilization": (7, "bool"),
        "scaleDownUnneededDuration": (8, "Duration"),
        "scaleDownUnreadyDuration": (9, "Duration"),
        "MaxNodeProvisionDuration": (10, "Duration"),
    },
    "OptionsRequest": {"id": (1, "string"), "defaults": (2, "Options")},
    "OptionsResponse": {"nodeGroupAutoscalingOptions": (1, "Options")},
    "PricingNodePriceRequest": {
        "node": (1, "ExternalNode"),
        "startTimestamp": (4, "Duration"),
        "endTimestamp": (5, "Duration"),
    },
    "PricingPodPriceRequest": {
        "pod_bytes": (4, "bytes"),
        "startTimestamp": (5, "Duration"),
        "endTimestamp": (6, "Duration"),
    },
    "PriceResponse": {"price": (1, "double")},
    "GPULabelResponse": {"label": (1, "string")},
    "Duration": {"seconds": (1, "int64"), "nanos": (2, "int32")},
    "Quantity": {"string": (1, "string")},
    "ObjectMeta": {"name": (1, "string"), "labels": (11, "map string"), "annotations": (12, "map string")},
    "Taint": {"key": (1, "string"), "value": (2, "string"), "effect": (3, "string")},
    "NodeSpec": {"providerID": (3, "string"), "unschedulable": (4, "bool"), "taints": (5, "repeated Taint")},
    "Condition": {
        "type": (1, "string"),
        "status": (2, "string"),
        "lastHeartbeatTime": (3, "Duration"),
        "lastTransitionTime": (4, "Duration"),
        "reason": (5, "string"),
        "message": (6, "string"),
    },
    "NodeStatus": {
        "capacity": (1, "map Quantity"),
        "allocatable": (2, "map Quantity"),
        "conditions": (4, "repeated Condition"),
    },
    "Node": {"metadata": (1, "ObjectMeta"), "spec": (2, "NodeSpec"), "status": (3, "NodeStatus")},
    "Requirements": {"limits": (1, "map Quantity"), "requests": (2, "map Quantity")},
    "Container": {"resources": (8, "Requirements")},
    "PodSpec": {"containers": (2, "repeated Container")},
    "Pod": {"spec": (2, "PodSpec")},
}

_Field = descriptor_pb2.FieldDescriptorProto
_SCALARS: Final = {
    "string": _Field.TYPE_STRING,
    "bytes": _Field.TYPE_BYTES,
    "int32": _Field.TYPE_INT32,
    "int64": _Field.TYPE_INT64,
    "bool": _Field.TYPE_BOOL,
    "double": _Field.TYPE_DOUBLE,
}


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="externalgrpc.proto", package=PACKAGE, syntax="proto3")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, (number, kind) in fields.items():
            _add(message, field, number, kind)
    return file


def _add(message: Any, field: str, number: int, kind: str) -> None:
    many, _, inner = kind.rpartition(" ")
    added = message.field.add(
        name=field, number=number, label=_Field.LABEL_REPEATED if many else _Field.LABEL_OPTIONAL
    )
    if many == "map":
        entry = message.nested_type.add(name=f"{field[0].upper()}{field[1:]}Entry")
        entry.options.map_entry = True
        _add(entry, "key", 1, "string")
        _add(entry, "value", 2, inner)
        inner = f"{message.name}.{entry.name}"
    if inner in _SCALARS:
        added.type = _SCALARS[inner]
    else:
        added.type, added.type_name = _Field.TYPE_MESSAGE, f".{PACKAGE}.{inner}"


_POOL: Final = descriptor_pool.DescriptorPool()
_POOL.Add(_file())


def message(name: str) -> Any:
    """Return the class of a message."""
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"{PACKAGE}.{name}"))


class RpcMethod:
    """One call of the service, with the messages that go and come."""

    def __init__(self, name: str, request: str, response: str) -> None:
        self.path = f"/{SERVICE}/{name}"
        self.name, self.request, self.response = name, message(request), message(response)


METHODS: Final[Mapping[str, RpcMethod]] = {
    name: RpcMethod(name, request, response)
    for name, request, response in (
        ("NodeGroups", "Empty", "NodeGroupsResponse"),
        ("NodeGroupForNode", "NodeGroupForNodeRequest", "NodeGroupForNodeResponse"),
        ("Refresh", "Empty", "Empty"),
        ("Cleanup", "Empty", "Empty"),
        ("NodeGroupTargetSize", "Named", "TargetSizeResponse"),
        ("NodeGroupIncreaseSize", "ChangeSizeRequest", "Empty"),
        ("NodeGroupDecreaseTargetSize", "ChangeSizeRequest", "Empty"),
        ("NodeGroupDeleteNodes", "DeleteNodesRequest", "Empty"),
        ("NodeGroupNodes", "Named", "NodesResponse"),
        ("NodeGroupTemplateNodeInfo", "Named", "TemplateNodeInfoResponse"),
        ("NodeGroupGetOptions", "OptionsRequest", "OptionsResponse"),
        ("PricingNodePrice", "PricingNodePriceRequest", "PriceResponse"),
        ("PricingPodPrice", "PricingPodPriceRequest", "PriceResponse"),
        ("GPULabel", "Empty", "GPULabelResponse"),
        ("GetAvailableGPUTypes", "Empty", "Empty"),
    )
}
