"""Machines come with time; sizes are changed as asked, or not at all."""

import pytest

from reference_impl.cloud.actions import CallRefusal
from reference_impl.cloud.groups import GroupError, NodeGroupSpec

from .clouds import START, Cloud


def test_machines_boot_register_and_are_ready():
    cloud = Cloud(NodeGroupSpec("ng-a", max=5, boot_seconds=60, ready_seconds=5))
    cloud.increase("ng-a", 2)
    calls = cloud.told()

    assert calls == (2, [("ng-a-1", "creating"), ("ng-a-2", "creating")])
    assert cloud.next_due() == START + 60
    assert cloud.passes(59) == []
    assert cloud.passes(1) == [
        (60, "ng-a-1", "running"),
        (60, "ng-a-1", "registered"),
        (60, "ng-a-2", "running"),
        (60, "ng-a-2", "registered"),
    ]
    assert cloud.told()[1][0] == ("ng-a-1", "running")
    assert cloud.passes(5) == [(65, "ng-a-1", "ready"), (65, "ng-a-2", "ready")]
    assert cloud.next_due() is None


def test_machines_of_the_start_are_ready_at_once():
    cloud = Cloud(NodeGroupSpec("ng-a", min=1, max=5, target=2))

    assert cloud.told() == (2, [("ng-a-1", "running"), ("ng-a-2", "running")])
    assert all(machine.has_node(START) and machine.ready_at <= START for machine in cloud.machines)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda cloud: cloud.increase("ng-a", 4), "InvalidArgument"),
        (lambda cloud: cloud.increase("ng-a", 0), "InvalidArgument"),
        (lambda cloud: cloud.increase("ng-b", 1), "NotFound"),
        (lambda cloud: cloud.increase("ng-a", 1, atomic=True), "Unimplemented"),
        (lambda cloud: cloud.decrease_target("ng-a", 1), "FailedPrecondition"),
        (lambda cloud: cloud.decrease_target("ng-a", 0), "InvalidArgument"),
        (lambda cloud: cloud.delete_nodes("ng-a", ["ng-a-9"]), "NotFound"),
        (lambda cloud: cloud.delete_nodes("ng-a", ["sim:///ng-b/ng-a-1"]), "NotFound"),
        (lambda cloud: cloud.delete_nodes("ng-a", ["ng-a-1", "ng-a-2"]), "FailedPrecondition"),
        (lambda cloud: cloud.create_group(NodeGroupSpec("ng-a")), "AlreadyExists"),
        (lambda cloud: cloud.delete_group("ng-a"), "FailedPrecondition"),
        (lambda cloud: cloud.resize("ng-a", 6), "InvalidArgument"),
        (lambda cloud: cloud.take_away("ng-a-9"), "NotFound"),
    ],
    ids=[
        "too many",
        "none",
        "no group",
        "all or none",
        "with nodes",
        "nothing to give up",
        "no machine",
        "another group",
        "below min",
        "a second group",
        "not autoprovisioned",
        "past max",
        "nothing to take",
    ],
)
def test_what_cannot_be_done_changes_nothing(call, code):
    cloud = Cloud(NodeGroupSpec("ng-a", min=1, max=5, target=2, atomic=False))
    before = cloud.told()
    with pytest.raises(CallRefusal) as refused:
        call(cloud)

    assert refused.value.code == code
    assert cloud.told() == before


def test_a_deleted_machine_is_gone_and_its_name_is_never_given_again():
    cloud = Cloud(NodeGroupSpec("ng-a", max=5, target=2))
    cloud.delete_nodes("ng-a", ["sim:///ng-a/ng-a-2"])
    cloud.delete_nodes("ng-a", ["ng-a-2"])
    cloud.increase("ng-a", 1)

    assert cloud.told() == (2, [("ng-a-1", "running"), ("ng-a-3", "creating")])


def test_a_deletion_may_take_its_time():
    cloud = Cloud(NodeGroupSpec("ng-a", max=5, target=2, delete_seconds=30))
    cloud.delete_nodes("ng-a", ["ng-a-1"])
    during = cloud.told()

    assert during == (1, [("ng-a-1", "deleting"), ("ng-a-2", "running")])
    assert cloud.passes(30) == [(30, "ng-a-1", "ended")]
    assert cloud.told() == (1, [("ng-a-2", "running")])


def test_what_has_a_node_is_not_given_up():
    cloud = Cloud(NodeGroupSpec("ng-a", max=5, target=1))
    cloud.increase("ng-a", 2)
    cloud.decrease_target("ng-a", 1)

    assert cloud.told() == (2, [("ng-a-1", "running"), ("ng-a-2", "creating")])


def test_a_group_is_made_and_removed_when_it_is_empty():
    cloud = Cloud()
    cloud.create_group(NodeGroupSpec("nap-1", autoprovisioned=True))
    cloud.increase("nap-1", 1)
    with pytest.raises(CallRefusal):
        cloud.delete_group("nap-1")
    cloud.delete_nodes("nap-1", ["nap-1-1"])
    cloud.delete_group("nap-1")

    assert [group.id for group in cloud.groups()] == ["ng-a"]


def test_every_change_is_journalled_with_what_its_caller_was_told():
    cloud = Cloud()
    cloud.increase("ng-a", 1)
    cloud.passes(7)
    with pytest.raises(CallRefusal):
        cloud.delete_nodes("ng-a", ["other"])
    entries = [(entry.time - START, entry.method, entry.arguments, entry.result) for entry in cloud.journal]

    assert entries == [
        (0, "increase", {"delta": 1}, ""),
        (
            7,
            "delete_nodes",
            {"nodes": ["other"]},
            "rpc error: code = NotFound desc = 'other' is no machine of group 'ng-a'",
        ),
    ]


def test_hands_change_sizes_past_all_rules():
    cloud = Cloud(NodeGroupSpec("ng-a", max=5, target=2))
    cloud.resize("ng-a", 4)
    grown = cloud.told()[0]
    cloud.resize("ng-a", 1)
    cloud.configure("ng-a", most=1)

    assert (grown, cloud.told()) == (4, (1, [("ng-a-1", "running")]))
    with pytest.raises(GroupError, match="limits are 2 to 1: expected limits around 1, the size"):
        cloud.configure("ng-a", least=2)


def test_listeners_hear_of_each_machine_whose_future_changes():
    cloud, heard = Cloud(), []
    cloud.listeners.append(heard.append)
    cloud.increase("ng-a", 1)
    cloud.delete_nodes("ng-a", ["ng-a-1"])

    assert heard == ["ng-a-1", "ng-a-1", "ng-a-1"], "asked for, being deleted, gone"


def test_nodes_that_are_there_already_take_the_places_of_the_start():
    cloud = Cloud(NodeGroupSpec("ng-a", max=9, target=2))
    for name in ("ng-a-7", "ng-a-3", "other-1", "ng-a-x"):
        cloud.adopt(name)
    cloud.increase("ng-a", 1)

    assert [name for name, _ in cloud.told()[1]] == ["ng-a-7", "ng-a-3", "ng-a-8"]
