"""The cloud of the same process makes groups of the machines
that it offers, where an autoscaler asks for them.
"""

import asyncio

import pytest

from reference_impl.autoscaler.cloud import CloudError, NodeGroup, NodeGroupCreator
from reference_impl.autoscaler.groups.new_groups import candidate_groups
from reference_impl.cloud.failures import CreateError, FailureRule
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.in_process import InProcessCloud, MachineOffer

from ..autoscaler.objects import pods, shape
from .clouds import Cloud

OFFERS = (
    MachineOffer(NodeGroupSpec("large", cpu="16"), frozenset({"team"})),
    MachineOffer(NodeGroupSpec("small", cpu="1")),
)


def ask_for_machines(cloud, *requests):
    """Have a group made for pods as an autoscaler does; returns the groups that were offered."""

    async def story():
        adapter = InProcessCloud(cloud, OFFERS)
        assert isinstance(adapter, NodeGroupCreator)
        groups = candidate_groups(requests, await adapter.machine_types(), await adapter.groups(), most=15)
        await adapter.create_group(groups[0])
        return groups

    return asyncio.run(story())


def test_a_group_is_made_of_the_machines_that_take_the_pods():
    cloud = Cloud(NodeGroupSpec("ng-a"))
    toleration = {"key": "team", "operator": "Equal", "value": "a", "effect": "NoSchedule"}
    groups = ask_for_machines(cloud, *pods(1, shape(cpu="8", tolerations=[toleration])))
    cloud.increase("nap-large-1", 1)
    node_group = cloud.group("nap-large-1")

    assert [group.id for group in groups] == ["nap-large-1"]
    assert (node_group.autoprovisioned, node_group.target, node_group.template.taints) == (
        True,
        1,
        groups[0].template.taints,
    )
    assert node_group.template.taints[0]["key"] == "team"
    assert cloud.spec("nap-large-1").cpu == "16"


def test_an_empty_group_is_removed():
    cloud = Cloud(NodeGroupSpec("ng-a"))
    ask_for_machines(cloud, *pods(1))
    asyncio.run(InProcessCloud(cloud, OFFERS).delete_group("nap-large-1"))
    with pytest.raises(CloudError, match="is not autoprovisioned and empty"):
        asyncio.run(InProcessCloud(cloud).delete_group("ng-a"))

    assert [spec.id for spec in cloud.specs] == ["ng-a"]


def test_a_group_may_not_be_made():
    cloud = Cloud(NodeGroupSpec("ng-a"))
    cloud.plan.add(FailureRule(CreateError(message="no rights")))
    with pytest.raises(CloudError, match="code = Internal desc = no rights"):
        ask_for_machines(cloud, *pods(1))


def test_only_what_is_offered_is_made():
    group = NodeGroup("nap-huge-1", 0, 5, 0, (), None)
    with pytest.raises(CloudError, match="no machines are offered for 'nap-huge-1'"):
        asyncio.run(InProcessCloud(Cloud(), OFFERS).create_group(group))
