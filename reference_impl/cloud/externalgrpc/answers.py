"""The calls of the protocol, each a function from its request to its answer (PR-313)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from reference_impl.autoscaler.cloud import Instance, NodeGroup
from reference_impl.externalgrpc.messages import METHODS, message

from ..actions import CallRefusal
from ..groups import NodeGroupSpec
from ..machines import SCHEME
from ..model import CloudModel
from ..nodes import GROUP_ANNOTATION, template
from .nodes import node_message
from .prices import node_price, pod_price

STATES: Final = {"running": 1, "creating": 2, "deleting": 3}
OUT_OF_RESOURCES, OTHER_ERROR = 1, 99
GPU_LABEL: Final = "cloud.kueue-conformance.dev/accelerator"


class CloudProviderResponses:
    """Answers from a model.

    What it tells of a group is asked of it once a refresh,
    and again after a change, so that rules count loops.
    """

    def __init__(self, model: CloudModel) -> None:
        self._model = model
        self._told: dict[str, NodeGroup] = {}
        self._refreshed = False
        self.by_name: Mapping[str, Callable[[Any], Any]] = {
            "NodeGroups": self._groups,
            "NodeGroupForNode": self._group_of_node,
            "Refresh": self._refresh,
            "Cleanup": self._nothing,
            "NodeGroupTargetSize": self._target,
            "NodeGroupIncreaseSize": self._increase,
            "NodeGroupDecreaseTargetSize": self._decrease,
            "NodeGroupDeleteNodes": self._delete,
            "NodeGroupNodes": self._instances,
            "NodeGroupTemplateNodeInfo": self._template,
            "NodeGroupGetOptions": self._options,
            "PricingNodePrice": self._node_price,
            "PricingPodPrice": self._pod_price,
            "GPULabel": self._gpu_label,
            "GetAvailableGPUTypes": self._nothing,
        }

    def _refresh(self, _: Any) -> Any:
        self._told = {group.id: group for group in self._model.groups()}
        self._refreshed = True
        return message("Empty")()

    def _groups(self, request: Any) -> Any:
        if not self._refreshed:
            self._refresh(request)
        self._refreshed = False
        return _answer("NodeGroups", nodeGroups=map(_group, self._told.values()))

    def _group_of_node(self, request: Any) -> Any:
        group = request.node.providerID.removeprefix(SCHEME).partition("/")[0]
        spec = self._model.spec(group) if request.node.providerID.startswith(SCHEME) else None
        node_group = message("NodeGroup")(id=spec.id, minSize=spec.min, maxSize=spec.max) if spec else None
        return _answer("NodeGroupForNode", nodeGroup=node_group or message("NodeGroup")())

    def _target(self, request: Any) -> Any:
        return _answer("NodeGroupTargetSize", targetSize=self._tell(request.id).target)

    def _instances(self, request: Any) -> Any:
        return _answer("NodeGroupNodes", instances=map(_instance, self._tell(request.id).instances))

    def _increase(self, request: Any) -> Any:
        self._told.pop(request.id, None)
        self._model.increase(request.id, request.delta)
        return message("Empty")()

    def _decrease(self, request: Any) -> Any:
        self._told.pop(request.id, None)
        self._model.decrease_target(request.id, -request.delta)
        return message("Empty")()

    def _delete(self, request: Any) -> Any:
        self._told.pop(request.id, None)
        self._model.delete_nodes(request.id, [node.providerID or node.name for node in request.nodes])
        return message("Empty")()

    def _template(self, request: Any) -> Any:
        node = node_message(template(self._spec(request.id)))
        return _answer("NodeGroupTemplateNodeInfo", nodeInfo=node, nodeBytes=node.SerializeToString())

    def _options(self, request: Any) -> Any:
        """Give the defaults of the caller back, with what its group has otherwise.

        Where that is nothing the call is not implemented: cluster-autoscaler 1.36 takes the times that it
        does not send for 0, so that a Node which is not ready yet is unready at once, and is not waited for.
        """
        if not self._spec(request.id).zero_or_max:
            raise CallRefusal("Unimplemented", "this group has no options of its own")
        options = message("Options")()
        options.CopyFrom(request.defaults)
        options.zeroOrMaxNodeScaling = True
        return _answer("NodeGroupGetOptions", nodeGroupAutoscalingOptions=options)

    def _node_price(self, request: Any) -> Any:
        group = request.node.annotations.get(GROUP_ANNOTATION, "")
        return _answer("PricingNodePrice", price=node_price(self._spec(group), request))

    def _pod_price(self, request: Any) -> Any:
        return _answer("PricingPodPrice", price=pod_price(self._model.specs, request))

    def _gpu_label(self, _: Any) -> Any:
        return _answer("GPULabel", label=GPU_LABEL)

    def _nothing(self, _: Any) -> Any:
        return message("Empty")()

    def _tell(self, group: str) -> NodeGroup:
        if group not in self._told:
            self._told[group] = self._model.group(group)
        return self._told[group]

    def _spec(self, group: str) -> NodeGroupSpec:
        spec = self._model.spec(group)
        if spec is None:
            raise CallRefusal("NotFound", f"there is no group {group!r}")
        return spec


def _answer(method: str, **fields: Any) -> Any:
    return METHODS[method].response(**fields)


def _group(group: NodeGroup) -> Any:
    return message("NodeGroup")(id=group.id, minSize=group.min, maxSize=group.max, debug=group.id)


def _instance(instance: Instance) -> Any:
    error = instance.error and message("ErrorInfo")(
        errorCode=instance.error.code,
        errorMessage=instance.error.message,
        instanceErrorClass=OUT_OF_RESOURCES if instance.error.out_of_resources else OTHER_ERROR,
    )
    status = message("InstanceStatus")(instanceState=STATES[instance.state], errorInfo=error)
    return message("Instance")(id=instance.id, status=status)
