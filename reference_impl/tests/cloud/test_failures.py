"""The first rule that matches a call is applied, as often as it says."""

import pytest

from reference_impl.cloud.actions import CallRefusal
from reference_impl.cloud.failures import (
    CreateError,
    FailureRule,
    Hang,
    NeverRegister,
    PartialError,
    RegisterNotReady,
    Reject,
    Slow,
    Stockout,
    Unavailable,
    Vanish,
    WrongCount,
)
from reference_impl.cloud.groups import NodeGroupSpec

from .clouds import START, Cloud


def cloud_with(*rules, **fields):
    cloud = Cloud(NodeGroupSpec("ng-a", max=20, **fields), NodeGroupSpec("ng-b", max=20))
    for rule in rules:
        cloud.plan.add(rule)
    return cloud


def outcome(call):
    """The code with which a call is refused, empty where it is carried out."""
    try:
        call()
    except CallRefusal as refusal:
        return refusal.code
    return ""


def test_a_refused_increase_makes_nothing():
    cloud = cloud_with(FailureRule(Reject("Internal", "no"), group="ng-a"))

    assert outcome(lambda: cloud.increase("ng-a", 1)) == "Internal"
    assert (cloud.told("ng-a"), outcome(lambda: cloud.increase("ng-b", 1))) == ((0, []), "")


def test_a_rule_is_used_up():
    cloud = cloud_with(FailureRule(Reject(), times=2))

    assert [outcome(lambda: cloud.increase("ng-a", 1)) for _ in range(3)] == ["ResourceExhausted"] * 2 + [""]
    assert cloud.plan.rules == {}


@pytest.mark.parametrize(
    ("rule", "refused"),
    [
        (FailureRule(Reject(), attempt=2), [False, True, False, False]),
        (FailureRule(Reject(), after=20), [False, False, True, True]),
        (FailureRule(Reject(), before=20), [True, True, False, False]),
        (FailureRule(Reject(), delta_ge=3), [False, False, True, True]),
        (FailureRule(Reject(), method="delete_nodes"), [False, False, False, False]),
        (FailureRule(Reject(), group="ng-b"), [False, False, False, False]),
    ],
    ids=["attempt", "after", "before", "delta", "method", "group"],
)
def test_a_rule_says_which_calls_it_is_about(rule, refused):
    cloud, calls = cloud_with(rule), []
    for delta in (1, 2, 3, 4):
        calls.append(outcome(lambda delta=delta: cloud.increase("ng-a", delta)) != "")
        cloud.passes(10)

    assert calls == refused


def test_the_first_rule_that_matches_is_applied_alone():
    cloud = cloud_with(
        FailureRule(Stockout(succeed=1), times=1), FailureRule(Reject(), times=1), FailureRule(Slow(100))
    )
    codes = [outcome(lambda: cloud.increase("ng-a", 2)) for _ in range(3)]
    cloud.passes(60)

    assert codes == ["", "ResourceExhausted", ""]
    assert [state for _, state in cloud.told()[1]] == ["running", "OUT_OF_RESOURCES", "creating", "creating"]


def test_a_stockout_is_told_after_a_while():
    cloud = cloud_with(FailureRule(Stockout(succeed=1, error_delay_seconds=10)))
    cloud.increase("ng-a", 3)
    cloud.passes(9)
    before = cloud.told()
    cloud.passes(1)

    assert [state for _, state in before[1]] == ["creating"] * 3
    assert [state for _, state in cloud.told()[1]] == ["creating", "OUT_OF_RESOURCES", "OUT_OF_RESOURCES"]
    errors = [instance.error for instance in cloud.group("ng-a").instances]
    assert errors[1].out_of_resources
    cloud.delete_nodes("ng-a", ["ng-a-2", "ng-a-3"])
    assert cloud.told()[0] == 1


def test_an_increase_of_all_or_none_makes_none():
    cloud = cloud_with(FailureRule(Stockout(succeed=2)))

    assert outcome(lambda: cloud.increase("ng-a", 3, atomic=True)) == "ResourceExhausted"
    assert (cloud.told()[0], outcome(lambda: cloud.increase("ng-a", 2, atomic=True))) == (0, "")


def test_chosen_machines_fail_with_an_error_of_another_kind():
    cloud = cloud_with(FailureRule(PartialError(indexes=[1], code="QUOTA")))
    cloud.increase("ng-a", 3)
    cloud.passes(65)
    instances = cloud.group("ng-a").instances

    assert [instance.error.code if instance.error else "" for instance in instances] == ["", "QUOTA", ""]
    assert not instances[1].error.out_of_resources


def test_slow_machines_are_late():
    cloud = cloud_with(FailureRule(Slow(30, indexes=[0])))
    cloud.increase("ng-a", 2)

    assert [machine.ready_at - START for machine in cloud.machines] == [95, 65]


@pytest.mark.parametrize(("listed", "instances"), [(True, [("ng-a-1", "running")]), (False, [])])
def test_a_machine_may_never_register(listed, instances):
    cloud = cloud_with(FailureRule(NeverRegister(listed=listed)))
    cloud.increase("ng-a", 1)
    cloud.passes(10_000)

    assert cloud.told() == (1, instances)
    assert not cloud.machines[0].has_node(cloud.time)
    cloud.decrease_target("ng-a", 1)
    assert cloud.told() == (0, [])


def test_a_node_may_stay_unready():
    cloud = cloud_with(FailureRule(RegisterNotReady(100), times=1), FailureRule(RegisterNotReady()))
    cloud.increase("ng-a", 1)
    cloud.increase("ng-a", 1)

    assert [machine.ready_at - START for machine in cloud.machines] == [165, float("inf")]


def test_a_preempted_machine_is_gone_and_its_request_is_told():
    cloud, revoked = cloud_with(FailureRule(Vanish(after_seconds=10, revoke="ns/r"))), []
    cloud.revocations.append(revoked.append)
    cloud.increase("ng-a", 1)
    before = cloud.passes(74)
    after = cloud.passes(1)

    assert before[-1] == (65, "ng-a-1", "ready")
    assert (after, cloud.told(), revoked) == ([(75, "ng-a-1", "ended")], (0, []), ["ns/r"])


def test_a_cloud_may_not_notice_that_it_has_lost_a_machine():
    cloud = cloud_with(FailureRule(Vanish(after_seconds=10, remain_counted=True)))
    cloud.increase("ng-a", 1)
    cloud.passes(75)

    assert cloud.told() == (1, [])
    assert not cloud.machines[0].has_node(cloud.time)
    cloud.decrease_target("ng-a", 1)
    assert cloud.told() == (0, [])


def test_a_group_is_not_made():
    cloud = cloud_with(FailureRule(CreateError(), times=1))

    assert outcome(lambda: cloud.create_group(NodeGroupSpec("nap"))) == "Internal"
    assert outcome(lambda: cloud.create_group(NodeGroupSpec("nap"))) == ""


def test_a_cloud_may_lie():
    cloud = cloud_with(
        FailureRule(WrongCount(size_delta=2, hidden_instances=1, unknown_instances=1), times=1), target=2
    )

    assert cloud.told() == (4, [("ng-a-1", "running"), ("unknown-0", "running")])
    assert cloud.told() == (2, [("ng-a-1", "running"), ("ng-a-2", "running")])


@pytest.mark.parametrize(("carried_out", "size"), [(False, 0), (True, 1)])
def test_no_answer_says_nothing_of_what_was_done(carried_out, size):
    cloud = cloud_with(FailureRule(Hang(carried_out=carried_out), method="increase"))

    assert outcome(lambda: cloud.increase("ng-a", 1)) == "DeadlineExceeded"
    assert cloud.told()[0] == size


def test_a_cloud_may_go_away_for_a_while():
    cloud = cloud_with(FailureRule(Unavailable(), after=10, before=20), target=1)
    calls = []
    for _ in range(3):
        calls.append((outcome(cloud.groups), outcome(lambda: cloud.increase("ng-a", 1))))
        cloud.passes(10)

    assert calls == [("", ""), ("Unavailable", "Unavailable"), ("", "")]


def test_rules_are_taken_away():
    cloud = cloud_with()
    number = cloud.plan.add(FailureRule(Reject()))
    cloud.plan.remove(number)
    first = outcome(lambda: cloud.increase("ng-a", 1))
    cloud.plan.add(FailureRule(Reject()))
    cloud.plan.clear()

    assert (first, outcome(lambda: cloud.increase("ng-a", 1))) == ("", "")
