"""The protocol over a real connection: groups are read, sizes changed, and what the server says arrives."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from reference_impl.autoscaler.cloud import CloudError, Instance, InstanceErrorInfo, NodeGroup
from reference_impl.autoscaler.cloud.externalgrpc.client import CloudConfig, ExternalCloud
from reference_impl.externalgrpc.messages import METHODS, SERVICE, message
from reference_impl.runtime.errors import OutsideError


class Served:
    """A server with one group whose cloud refuses to grow."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    def answer(self, name: str, request: Any) -> Any:
        self.asked.append((name, request))
        build = message
        if name == "NodeGroups":
            return METHODS[name].response(nodeGroups=[build("NodeGroup")(id="ng-a", minSize=1, maxSize=9)])
        if name == "NodeGroupTargetSize":
            return METHODS[name].response(targetSize=2)
        if name == "NodeGroupNodes":
            error = build("ErrorInfo")(errorCode="OUT", errorMessage="none left", instanceErrorClass=1)
            status = build("InstanceStatus")(instanceState=2, errorInfo=error)
            running = build("InstanceStatus")(instanceState=1)
            return METHODS[name].response(
                instances=[
                    build("Instance")(id="a", status=running),
                    build("Instance")(id="b", status=status),
                ]
            )
        if name == "NodeGroupTemplateNodeInfo":
            amounts = {"cpu": build("Quantity")(string="4")}
            node = build("Node")(
                metadata=build("ObjectMeta")(name="t", labels={"zone": "x"}),
                spec=build("NodeSpec")(taints=[build("Taint")(key="k", effect="NoSchedule")]),
                status=build("NodeStatus")(capacity=amounts, allocatable=amounts),
            )
            return METHODS[name].response(nodeBytes=node.SerializeToString())
        if name == "NodeGroupGetOptions":
            return METHODS[name].response(
                nodeGroupAutoscalingOptions=build("Options")(zeroOrMaxNodeScaling=True)
            )
        return METHODS[name].response()


async def with_server(work: Any) -> Served:
    served = Served()

    def handler(name: str) -> Any:
        async def call(request: Any, context: Any) -> Any:
            if name == "NodeGroupIncreaseSize":
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "quota exceeded")
            return served.answer(name, request)

        method = METHODS[name]
        return grpc.unary_unary_rpc_method_handler(
            call,
            request_deserializer=method.request.FromString,
            response_serializer=method.response.SerializeToString,
        )

    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {name: handler(name) for name in METHODS}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    cloud = ExternalCloud(CloudConfig(f"127.0.0.1:{port}"))
    try:
        await work(cloud)
    finally:
        await cloud.close()
        await server.stop(None)
    return served


def test_groups_are_read() -> None:
    groups: list[NodeGroup] = []

    async def work(cloud: ExternalCloud) -> None:
        groups.extend(await cloud.groups())

    served = asyncio.run(with_server(work))
    (first,) = groups
    assert (first.id, first.min, first.max, first.target, first.zero_or_max) == ("ng-a", 1, 9, 2, True)
    assert first.instances == [
        Instance("a", "running"),
        Instance("b", "creating", InstanceErrorInfo("OUT", "none left", out_of_resources=True)),
    ]
    assert first.template is not None
    assert (first.template.labels, first.template.capacity) == ({"zone": "x"}, {"cpu": 4000})
    assert first.template.taints == ({"key": "k", "value": "", "effect": "NoSchedule"},)
    assert served.asked[0][0] == "Refresh"


def test_what_the_cloud_refuses_is_told_as_it_says_it() -> None:
    async def work(cloud: ExternalCloud) -> None:
        with pytest.raises(CloudError) as error:
            await cloud.increase("ng-a", 1)
        assert str(error.value) == "rpc error: code = ResourceExhausted desc = quota exceeded"

    asyncio.run(with_server(work))


def test_nodes_are_named_by_what_the_cloud_calls_them() -> None:
    async def work(cloud: ExternalCloud) -> None:
        await cloud.delete_nodes("ng-a", [("node-1", "sim://1")])
        await cloud.decrease_target("ng-a", 2)

    (_, deleted), (_, decreased) = asyncio.run(with_server(work)).asked
    assert [(node.name, node.providerID) for node in deleted.nodes] == [("node-1", "sim://1")]
    assert (decreased.id, decreased.delta) == ("ng-a", -2)


def test_a_file_without_an_address_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cloud.yaml"
    file.write_text("adress: x\n")
    with pytest.raises(OutsideError, match="expected `address: HOST:PORT`"):
        CloudConfig.read(str(file))
