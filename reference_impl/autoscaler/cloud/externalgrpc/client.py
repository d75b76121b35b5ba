"""Asks a server of the protocol (PR-313): groups with their machines, and changes of their size."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import yaml

from reference_impl.api.resource import Json
from reference_impl.externalgrpc.messages import METHODS, message
from reference_impl.runtime.errors import OutsideError

from ...simulation.node import NodeShape
from .. import CloudError, Instance, InstanceErrorInfo, InstanceState, NodeGroup

STATES: Final[dict[int, InstanceState]] = {1: "running", 2: "creating", 3: "deleting"}
OUT_OF_RESOURCES: Final = 1
SECONDS: Final = 5.0
UNIMPLEMENTED: Final = grpc.StatusCode.UNIMPLEMENTED


@dataclass(frozen=True, slots=True)
class CloudConfig:
    """The file of --cloud-config: where the server is, and with which certificates it is asked."""

    address: str
    key: str = ""
    cert: str = ""
    cacert: str = ""

    @classmethod
    def read(cls, path: str) -> CloudConfig:
        """Read the file. Raises OutsideError."""
        try:
            raw = yaml.safe_load(Path(path).read_text("utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise OutsideError(f"--cloud-config {path}: {error}") from None
        if not isinstance(raw, dict) or not isinstance(raw.get("address"), str) or not raw["address"]:
            raise OutsideError(
                f"--cloud-config {path}: expected `address: HOST:PORT` of an externalgrpc server"
            )
        return cls(raw["address"], *(str(raw.get(name) or "") for name in ("key", "cert", "cacert")))


class ExternalCloud:
    """A cloud behind an externalgrpc server."""

    def __init__(self, config: CloudConfig) -> None:
        self._channel = _channel(config)
        self._calls = {
            name: self._channel.unary_unary(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString,
            )
            for name, method in METHODS.items()
        }

    async def groups(self) -> Sequence[NodeGroup]:
        """Return the current groups."""
        await self._call("Refresh")
        answer = await self._call("NodeGroups")
        return await asyncio.gather(*(self._group(group) for group in answer.nodeGroups))

    async def increase(self, group: str, delta: int) -> None:
        """Have so many nodes more."""
        await self._call("NodeGroupIncreaseSize", id=group, delta=delta)

    async def decrease_target(self, group: str, delta: int) -> None:
        """Give up so many nodes that never came."""
        await self._call("NodeGroupDecreaseTargetSize", id=group, delta=-delta)

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        """Remove nodes."""
        named = [message("ExternalNode")(name=name, providerID=provider) for name, provider in nodes]
        await self._call("NodeGroupDeleteNodes", id=group, nodes=named)

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def _group(self, answer: Any) -> NodeGroup:
        target, listed, template, options = await asyncio.gather(
            self._call("NodeGroupTargetSize", id=answer.id),
            self._call("NodeGroupNodes", id=answer.id),
            self._template(answer.id),
            self._zero_or_max(answer.id),
        )
        return NodeGroup(
            id=answer.id,
            min=answer.minSize,
            max=answer.maxSize,
            target=target.targetSize,
            instances=[_instance(instance) for instance in listed.instances],
            template=template,
            zero_or_max=options,
        )

    async def _template(self, group: str) -> NodeShape | None:
        try:
            answer = await self._call("NodeGroupTemplateNodeInfo", id=group)
        except CloudError:
            return None
        node = message("Node").FromString(answer.nodeBytes) if answer.nodeBytes else answer.nodeInfo
        return NodeShape.of(_node(node)) if node.metadata.name or node.status.capacity else None

    async def _zero_or_max(self, group: str) -> bool:
        try:
            answer = await self._call("NodeGroupGetOptions", id=group)
        except CloudError:
            return False
        return bool(answer.nodeGroupAutoscalingOptions.zeroOrMaxNodeScaling)

    async def _call(self, name: str, **fields: Any) -> Any:
        try:
            return await self._calls[name](METHODS[name].request(**fields), timeout=SECONDS)
        except grpc.aio.AioRpcError as error:
            code = "".join(word.capitalize() for word in error.code().name.split("_"))
            raise CloudError(f"rpc error: code = {code} desc = {error.details()}") from None


def _channel(config: CloudConfig) -> Any:
    if not config.cacert:
        return grpc.aio.insecure_channel(config.address)
    try:
        files = [
            Path(name).read_bytes() if name else None for name in (config.cacert, config.key, config.cert)
        ]
    except OSError as error:
        raise OutsideError(f"--cloud-config: {error}") from None
    return grpc.aio.secure_channel(config.address, grpc.ssl_channel_credentials(*files))


def _instance(answer: Any) -> Instance:
    error = answer.status.errorInfo
    error_code = error.errorCode or error.errorMessage or error.instanceErrorClass
    return Instance(
        answer.id,
        STATES.get(answer.status.instanceState, "running"),
        InstanceErrorInfo(error.errorCode, error.errorMessage, error.instanceErrorClass == OUT_OF_RESOURCES)
        if error_code
        else None,
    )


def _node(node: Any) -> Json:
    return {
        "metadata": {"name": node.metadata.name, "labels": dict(node.metadata.labels)},
        "spec": {
            "taints": [
                {"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in node.spec.taints
            ]
        },
        "status": {
            name: {key: quantity.string for key, quantity in getattr(node.status, name).items()}
            for name in ("capacity", "allocatable")
        },
    }
