"""Whatever fails, and in which order: the size that a cloud
tells is that of the machines it lists, and Nodes are theirs.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from reference_impl.cloud import actions
from reference_impl.cloud.actions import CallRefusal
from reference_impl.cloud.failures import FailurePlan, FailureRule
from reference_impl.cloud.groups import NodeGroupSpec

from .clouds import Cloud

INDEXES = st.none() | st.lists(st.integers(0, 3))
ACTIONS = st.one_of(
    st.builds(actions.Reject),
    st.builds(actions.Hang, carried_out=st.booleans()),
    st.builds(actions.Stockout, succeed=st.integers(0, 3), error_delay_seconds=st.integers(0, 20)),
    st.builds(actions.PartialError, indexes=INDEXES),
    st.builds(actions.Slow, extra_seconds=st.integers(0, 50), indexes=INDEXES),
    st.builds(actions.NeverRegister, indexes=INDEXES),
    st.builds(actions.RegisterNotReady, for_seconds=st.integers(0, 50), indexes=INDEXES),
    st.builds(actions.Vanish, after_seconds=st.integers(0, 30), indexes=INDEXES),
    st.builds(actions.Unavailable),
)
RULES = st.builds(FailureRule, ACTIONS, times=st.none() | st.integers(1, 2), delta_ge=st.integers(0, 2))
STEPS = st.one_of(
    st.tuples(st.just("increase"), st.integers(-1, 6), st.booleans()),
    st.tuples(st.just("decrease_target"), st.integers(-1, 4)),
    st.tuples(st.just("delete_nodes"), st.lists(st.integers(0, 12), max_size=4)),
    st.tuples(st.just("passes"), st.integers(0, 80)),
    st.tuples(st.just("take_away"), st.integers(0, 12)),
    st.tuples(st.just("resize"), st.integers(0, 8)),
    st.tuples(st.just("rule"), RULES),
)


def carry_out(cloud, step):
    match step:
        case "increase", delta, atomic:
            cloud.increase("ng-a", delta, atomic=atomic)
        case "decrease_target", delta:
            cloud.decrease_target("ng-a", delta)
        case "delete_nodes", numbers:
            cloud.delete_nodes("ng-a", [f"ng-a-{number}" for number in numbers])
        case "passes", seconds:
            cloud.passes(seconds)
        case "take_away", number:
            cloud.take_away(f"ng-a-{number}")
        case "resize", target:
            cloud.resize("ng-a", target)
        case "rule", rule:
            cloud.plan.add(rule)


@given(st.lists(STEPS, max_size=25), st.sampled_from([0, 10]))
@settings(max_examples=300, deadline=None)
def test_the_size_is_that_of_the_machines(steps, delete_seconds):
    cloud = Cloud(NodeGroupSpec("ng-a", max=8, target=1, delete_seconds=delete_seconds))
    names = set()
    for step in steps:
        before = [machine for machine in cloud.machines if not machine.deleting]
        try:
            carry_out(cloud, step)
        except CallRefusal as refusal:
            lost = refusal.code == "DeadlineExceeded"
            after = [machine for machine in cloud.machines if not machine.deleting]
            assert lost or after == before, "what is refused changes nothing"
        rules, cloud.plan = cloud.plan, FailurePlan()
        node_group = cloud.group("ng-a")
        cloud.plan = rules
        machines = cloud.machines

        assert node_group.target == sum(instance.state != "deleting" for instance in node_group.instances)
        assert 0 <= node_group.target <= 8
        assert [instance.id for instance in node_group.instances] == [
            machine.provider_id for machine in machines
        ]
        assert all(machine.ends_at > cloud.time for machine in machines), "what has ended is not there"
        new = {machine.id for machine in machines} - names
        assert all(int(name.rpartition("-")[2]) > len(names) for name in new), "no name is given twice"
        names |= new
