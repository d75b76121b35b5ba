"""The cloud over the real protocol: what it tells, takes and refuses is what an autoscaler gets."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from reference_impl.autoscaler.cloud import CloudError, Instance, InstanceErrorInfo
from reference_impl.autoscaler.cloud.externalgrpc import client
from reference_impl.autoscaler.cloud.externalgrpc.client import CloudConfig, ExternalCloud
from reference_impl.cloud.externalgrpc.server import CloudServer
from reference_impl.cloud.failures import FailureRule, Hang, Reject, Stockout, Unavailable, WrongCount
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.in_process import InProcessCloud
from reference_impl.externalgrpc.messages import METHODS, message
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.errors import OutsideError

from .clouds import Cloud


def serve(cloud: Cloud, work: Any) -> Any:
    """Do work with a client of a served cloud; returns what it returns."""

    async def story() -> Any:
        server = CloudServer(cloud, WallClock(), "127.0.0.1", 0)
        await server.start()
        caller = ExternalCloud(CloudConfig(f"127.0.0.1:{server.port}"))
        try:
            return await work(caller)
        finally:
            await caller.close()
            await server.stop()

    return asyncio.run(story())


def call(cloud: Cloud, name: str, **fields: Any) -> Any:
    """Make one call as any other client may."""

    async def story() -> Any:
        server = CloudServer(cloud, WallClock(), "127.0.0.1", 0)
        await server.start()
        method = METHODS[name]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            call = channel.unary_unary(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString,
            )
            try:
                return await call(method.request(**fields), timeout=10)
            except grpc.aio.AioRpcError as error:
                return error.code(), error.details()
            finally:
                await server.stop()

    return asyncio.run(story())


def test_an_autoscaler_sees_the_same_over_the_wire_and_in_process() -> None:
    taint = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
    cloud = Cloud(
        NodeGroupSpec(
            "ng-a",
            min=1,
            max=5,
            cpu="4",
            resources={"nvidia.com/gpu": "2"},
            labels={"pool": "a"},
            taints=[taint],
            zone="z1",
        ),
        NodeGroupSpec("ng-b", max=2, zero_or_max=True, allocatable={"cpu": "1500m"}),
    )
    cloud.plan.add(FailureRule(Stockout(error_delay_seconds=0)))
    cloud.increase("ng-b", 1)
    over_the_wire = serve(cloud, lambda caller: caller.groups())
    in_process = asyncio.run(InProcessCloud(cloud).groups())

    def read(group: Any) -> Any:
        shape = group.template
        return (
            group.id,
            group.min,
            group.max,
            group.target,
            list(group.instances),
            group.zero_or_max,
            shape.name,
            dict(shape.labels),
            [dict(taint) for taint in shape.taints],
            dict(shape.capacity),
            dict(shape.allocatable),
        )

    assert [read(node) for node in over_the_wire] == [read(node) for node in in_process]
    assert over_the_wire[1].instances == [
        Instance(
            "sim:///ng-b/ng-b-1", "creating", InstanceErrorInfo("OUT_OF_RESOURCES", "no machines left", True)
        )
    ]


def test_sizes_are_changed_over_the_wire() -> None:
    cloud = Cloud(NodeGroupSpec("ng-a", max=5, target=2))

    async def work(caller: ExternalCloud) -> None:
        await caller.increase("ng-a", 2)
        await caller.decrease_target("ng-a", 1)
        await caller.delete_nodes("ng-a", [("ng-a-1", "sim:///ng-a/ng-a-1"), ("ng-a-2", "")])

    serve(cloud, work)

    assert cloud.told() == (1, [("ng-a-3", "creating")])
    assert [(node.method, node.arguments) for node in cloud.journal] == [
        ("increase", {"delta": 2}),
        ("decrease_target", {"delta": 1}),
        ("delete_nodes", {"nodes": ["sim:///ng-a/ng-a-1", "ng-a-2"]}),
    ]


@pytest.mark.parametrize("form", ["served", "in process"])
def test_a_refusal_has_the_same_words_in_both_forms(form: str) -> None:
    cloud = Cloud(NodeGroupSpec("ng-a", max=5))
    cloud.plan.add(FailureRule(Reject("ResourceExhausted", "quota exceeded"), times=1))

    async def work(caller: Any) -> str:
        with pytest.raises(CloudError) as refused:
            await caller.increase("ng-a", 1)
        return str(refused.value)

    reply = serve(cloud, work) if form == "served" else asyncio.run(work(InProcessCloud(cloud)))

    assert reply == "rpc error: code = ResourceExhausted desc = quota exceeded"


def test_a_rule_about_listings_counts_rounds_in_both_forms() -> None:
    replies = []
    for form in ("served", "in process"):
        cloud = Cloud(NodeGroupSpec("ng-a", max=5, target=1))
        cloud.plan.add(FailureRule(WrongCount(size_delta=2), times=2))

        async def work(caller: Any) -> list[int]:
            return [(await caller.groups())[0].target for _ in range(3)]

        replies.append(serve(cloud, work) if form == "served" else asyncio.run(work(InProcessCloud(cloud))))

    assert replies == [[3, 3, 1], [3, 3, 1]]


def test_a_cloud_that_is_away_cannot_be_listed() -> None:
    cloud = Cloud()
    cloud.plan.add(FailureRule(Unavailable()))

    async def work(caller: ExternalCloud) -> None:
        with pytest.raises(CloudError, match="code = Unavailable desc = connection refused"):
            await caller.groups()

    serve(cloud, work)


def test_a_call_that_hangs_is_given_up_by_its_caller_and_done_all_the_same(monkeypatch: Any) -> None:
    monkeypatch.setattr(client, "SECONDS", 0.2)
    cloud = Cloud()
    cloud.plan.add(FailureRule(Hang(carried_out=True), method="increase"))

    async def work(caller: ExternalCloud) -> None:
        with pytest.raises(CloudError, match="code = DeadlineExceeded"):
            await caller.increase("ng-a", 1)

    serve(cloud, work)

    assert cloud.told()[0] == 1


def test_a_node_belongs_to_the_group_of_its_provider() -> None:
    cloud = Cloud()
    node = message("ExternalNode")
    mine = call(cloud, "NodeGroupForNode", node=node(providerID="sim:///ng-a/ng-a-1", name="ng-a-1"))
    response = call(cloud, "NodeGroupForNode", node=node(providerID="aws:///ng-a/i-1", name="i-1"))

    assert (mine.nodeGroup.id, mine.nodeGroup.maxSize, response.nodeGroup.id) == ("ng-a", 5, "")


def test_options_are_the_callers_own_but_for_what_the_group_has_otherwise() -> None:
    cloud = Cloud(NodeGroupSpec("ng-a"), NodeGroupSpec("ng-b", zero_or_max=True))
    defaults = message("Options")(
        scaleDownUtilizationThreshold=0.5, MaxNodeProvisionDuration=message("Duration")(seconds=900)
    )
    without = call(cloud, "NodeGroupGetOptions", id="ng-a", defaults=defaults)
    options = call(cloud, "NodeGroupGetOptions", id="ng-b", defaults=defaults).nodeGroupAutoscalingOptions

    assert without[0] == grpc.StatusCode.UNIMPLEMENTED
    assert (
        options.scaleDownUtilizationThreshold,
        options.MaxNodeProvisionDuration.seconds,
        options.zeroOrMaxNodeScaling,
    ) == (
        0.5,
        900,
        True,
    )


def test_prices_are_those_of_the_groups() -> None:
    cloud = Cloud(NodeGroupSpec("dear", price_per_hour=6.0), NodeGroupSpec("cheap", price_per_hour=2.0))
    hour = {
        "startTimestamp": message("Duration")(seconds=0),
        "endTimestamp": message("Duration")(seconds=3600),
    }
    node = message("ExternalNode")(annotations={"cloud.kueue-conformance.dev/group": "dear"})
    amounts = {"cpu": message("Quantity")(string="1"), "memory": message("Quantity")(string="8Gi")}
    container = message("Container")(resources=message("Requirements")(requests=amounts))
    pod = message("Pod")(spec=message("PodSpec")(containers=[container]))

    assert call(cloud, "PricingNodePrice", node=node, **hour).price == 6.0
    assert call(cloud, "PricingPodPrice", pod_bytes=pod.SerializeToString(), **hour).price == 1.0
    assert call(cloud, "GPULabel").label == "cloud.kueue-conformance.dev/accelerator"
    assert call(cloud, "GetAvailableGPUTypes").ByteSize() == 0


def test_an_address_that_is_taken_is_told() -> None:
    async def story() -> None:
        first = CloudServer(Cloud(), WallClock(), "127.0.0.1", 0)
        await first.start()
        with pytest.raises(
            OutsideError, match=r"cannot listen on 127.0.0.1:[0-9]+: .* choose another --address"
        ):
            await CloudServer(Cloud(), WallClock(), "127.0.0.1", first.port).start()
        await first.stop()

    asyncio.run(story())
