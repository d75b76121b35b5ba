"""Groups that are made when they are needed (PR-178, PR-219, PR-232, PR-352)."""

from __future__ import annotations

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key
from reference_impl.autoscaler.cloud import MachineType, NodeGroupCreator
from reference_impl.autoscaler.flags import ResourceRange
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC, ProvisioningRequest

from .laboratory import Laboratory, MakingCloud
from .objects import group, make_proposed, node, pod_object, request, template
from .proposal import BACK_OFF, PROVISIONED, failing

LARGE = MachineType("large", node("template-large", cpu="8", memory="32Gi"))
NOT_FOUND = "Provisioned=False/CapacityIsNotFound"
SCALED_UP = "Provisioned=True/CapacityIsProvisioned"
DIALECTS = ("ca-1.32", "aep")


def laboratory(rules: str, *groups: Json, machines: Json = (LARGE,), **flags: Json) -> Laboratory:
    return Laboratory(*groups, rules=rules, machines=machines, node_autoprovisioning_enabled=True, **flags)


def scale_up(rules: str, count: int) -> ProvisioningRequest:
    if rules == "aep":
        return make_proposed(count=count)
    return request(count=count, class_name=BEST_EFFORT_ATOMIC)


def making(lab: Laboratory) -> MakingCloud:
    assert isinstance(lab.cloud, MakingCloud)
    return lab.cloud


@pytest.mark.parametrize("rules", DIALECTS)
def test_a_group_is_made_and_grows_at_once(rules: str) -> None:
    """PR-232a: empty first, then to its size."""
    lab = laboratory(rules)
    lab.ask(scale_up(rules, 10))
    lab.loop(3)
    assert lab.cloud.calls == [("create", "nap-large-1"), ("increase", "nap-large-1", 2)]
    lab.loop(3)
    lab.boot("nap-large-1")
    lab.loop(60)
    assert lab.told("r")[-1] == (PROVISIONED if rules == "aep" else SCALED_UP)


@pytest.mark.parametrize("rules", DIALECTS)
@pytest.mark.parametrize(
    ("there", "cpu", "count"),
    [
        pytest.param({}, "6", 1, id="PR-232b a node of the group is too small"),
        pytest.param({"most": 10, "target": 10}, "1", 4, id="PR-232c the group is at its maximum"),
        pytest.param({"most": 10}, "1", 60, id="PR-232f not all fit the group"),
    ],
)
def test_a_group_is_made_where_another_does_not_do(rules: str, there: Json, cpu: str, count: int) -> None:
    lab = laboratory(rules, group(**there))
    lab.server.put(kinds.POD_TEMPLATES, template(cpu))
    lab.boot("ng-a")
    for index in range(there.get("target", 0)):
        lab.server.put(kinds.PODS, pod_object(f"p{index}", node=f"ng-a-{index}", cpu="4"))
    lab.ask(scale_up(rules, count))
    lab.loop(3)
    assert [call[:2] for call in lab.cloud.calls] == [("create", "nap-large-1"), ("increase", "nap-large-1")]


@pytest.mark.parametrize("rules", DIALECTS)
def test_a_group_that_is_there_is_taken_where_it_wastes_less(rules: str) -> None:
    lab = laboratory(rules, group(), expander="least-waste")
    lab.ask(scale_up(rules, 4))
    lab.loop(3)
    assert lab.cloud.calls == [("increase", "ng-a", 1)]


def test_labels_are_those_of_the_machine() -> None:
    """PR-232d."""
    gpu = MachineType("gpu", node("template-gpu", labels={"accel": "gpu"}))
    lab = laboratory("aep", group(), machines=(LARGE, gpu))
    pod_template = template()
    pod_template["template"]["spec"]["nodeSelector"] = {"accel": "gpu"}
    lab.server.put(kinds.POD_TEMPLATES, pod_template)
    lab.ask(scale_up("aep", 1))
    lab.loop(3)
    assert lab.cloud.calls[0] == ("create", "nap-gpu-1")


@pytest.mark.parametrize(("allowed", "tainted"), [({"dedicated"}, True), ({"other"}, False)])
def test_a_new_group_may_be_for_those_who_tolerate_it(allowed: set[str], tainted: bool) -> None:
    """PR-232e."""
    machine = MachineType("large", LARGE.template, frozenset(allowed))
    lab = laboratory("aep", machines=(machine,))
    pod_template = template()
    pod_template["template"]["spec"]["tolerations"] = [
        {"key": "dedicated", "operator": "Equal", "value": "x", "effect": "NoSchedule"}
    ]
    lab.server.put(kinds.POD_TEMPLATES, pod_template)
    lab.ask(scale_up("aep", 1))
    lab.loop(3)
    made_of = lab.cloud.known["nap-large-1"].template
    assert made_of is not None
    expected = ({"key": "dedicated", "value": "x", "effect": "NoSchedule"},) if tainted else ()
    assert made_of.taints == expected


@pytest.mark.parametrize("rules", DIALECTS)
def test_what_could_not_be_made_is_not_left_alone(rules: str) -> None:
    """PR-232g, PR-352: no nodes, no group, and the next attempt makes it."""
    lab = laboratory(rules)
    making(lab).refusing_to_make = True
    lab.ask(scale_up(rules, 10))
    lab.loop(3)
    assert (lab.told("r")[-1], list(lab.cloud.known)) == (BACK_OFF if rules == "aep" else NOT_FOUND, [])
    making(lab).refusing_to_make = False
    lab.loop(61)
    assert lab.cloud.calls[-1] == ("increase", "nap-large-1", 2)


def test_a_roll_back_removes_the_group_too() -> None:
    """PR-232h."""
    lab = laboratory("aep")
    lab.ask(scale_up("aep", 10))
    lab.loop()
    failing(lab, 0, name="nap-large-1")
    lab.loop(10)
    assert (lab.told("r"), list(lab.cloud.known)) == ([BACK_OFF], [])
    assert lab.cloud.calls[-1] == ("remove", "nap-large-1")


def test_a_group_that_was_made_goes_when_it_is_empty() -> None:
    """PR-232h in `ca`, and the end of every such group."""
    lab = laboratory("ca-1.32", scale_down_delay_after_add=0.0, scale_down_unneeded_time=10.0)
    lab.server.put(kinds.PODS, pod_object("big", cpu="6"))
    lab.loop(3)
    assert lab.cloud.known["nap-large-1"].target == 1
    lab.server.store(kinds.PODS).put(Key("ns", "big"), None)
    lab.boot("nap-large-1")
    for _ in range(4):
        lab.loop(20)
        lab.remove_nodes()
    assert list(lab.cloud.known) == []


@pytest.mark.parametrize(("limits", "pod_template"), [((0, 30), False), ((0, 32), True)])
def test_limits_hold_for_new_groups(limits: tuple[int, int], pod_template: bool) -> None:
    """PR-233c: 32 processors in 4 nodes of 8."""
    lab = laboratory("aep", cores_total=ResourceRange(*limits))
    lab.ask(scale_up("aep", 32))
    lab.loop()
    assert bool(lab.cloud.calls) is pod_template


@pytest.mark.parametrize(("most", "pod_template"), [(1, False), (2, True)])
def test_only_so_many_groups_are_made(most: int, pod_template: bool) -> None:
    """PR-233f."""
    lab = laboratory(
        "aep",
        group("nap-large-1", target=1, most=1, autoprovisioned=True),
        max_autoprovisioned_node_group_count=most,
    )
    lab.ask(scale_up("aep", 10))
    lab.loop()
    assert (("create", "nap-large-2") in lab.cloud.calls) is pod_template


@pytest.mark.parametrize("rules", ["ca-1.33", "ca-1.36", "ca-1.37"])
def test_newer_releases_make_no_groups(rules: str) -> None:
    """PR-108: the flag is gone, and has no effect."""
    lab = laboratory(rules)
    lab.ask(scale_up(rules, 10))
    lab.loop(3)
    assert lab.cloud.calls == []


def test_no_group_is_made_unless_that_is_wanted_and_possible() -> None:
    lab = Laboratory(rules="aep", machines=(LARGE,))
    lab.ask(scale_up("aep", 10))
    lab.loop()
    assert lab.cloud.calls == []
    other = Laboratory(rules="aep", node_autoprovisioning_enabled=True)
    assert not isinstance(other.cloud, NodeGroupCreator)
    other.ask(scale_up("aep", 10))
    other.loop()
    assert other.told("r") == [BACK_OFF]
