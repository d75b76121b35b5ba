"""Flavor assignment (scheduling §5, §17.4: G-F) and its texts (M-050…M-057)."""

from __future__ import annotations

import pytest

from .queue_side import Cluster, flavor, group, pod_set

PREFIX = "couldn't assign flavors to pod set main: "


def one(*groups, flavors=("default",), **spec):
    return Cluster().flavors(*flavors).queue("cq", *groups, **spec)


def text(cluster, *pod_sets):
    return cluster.workload("w", *pod_sets).run()["w"]


FITTING = {
    "G-F1": (one(group("cpu", default=[1])), [pod_set(requests={"cpu": 1})], {"main": {"cpu": "default"}}),
    "G-F4": (
        one(group("cpu", one=[3], two=[5]), group("gpu", b=[2]), flavors=("one", "two", "b")),
        [pod_set(requests={"cpu": 4, "gpu": 1})],
        {"main": {"cpu": "two", "gpu": "b"}},
    ),
    "G-F6": (
        one(group("cpu", one=[3], two=[5]), flavors=("one", "two")),
        [pod_set("a", requests={"cpu": 2}), pod_set("b", requests={"cpu": 2})],
        {"a": {"cpu": "one"}, "b": {"cpu": "two"}},
    ),
    "zero of an uncovered resource (S-013)": (
        one(group("cpu", default=[1])),
        [pod_set(requests={"cpu": 1, "gpu": 0})],
        {"main": {"cpu": "default"}},
    ),
    "no requests (R-09)": (one(group("cpu", default=[1])), [pod_set()], {"main": {}}),
    "pods are counted (Q-084)": (one(group("pods", default=[3])), [pod_set(count=3)], {"main": {"pods": "default"}}),
    "zero pods (S-001)": (
        one(group("cpu", default=[1])),
        [pod_set(count=0, requests={"cpu": 5})],
        {"main": {"cpu": "default"}},
    ),
    "foreign node labels do not count (S-024)": (
        one(
            group("cpu", spot=[5], demand=[5]),
            flavors=(flavor("spot", nodeLabels={"kind": "spot"}), flavor("demand", nodeLabels={"kind": "demand"})),
        ),
        [pod_set(requests={"cpu": 1}, nodeSelector={"kind": "demand", "foo": "bar"})],
        {"main": {"cpu": "demand"}},
    ),
    "a flavor tolerates its own taint (Q-158)": (
        one(
            group("cpu", default=[5]),
            flavors=(
                flavor(
                    nodeTaints=[{"key": "k", "value": "v", "effect": "NoSchedule"}],
                    tolerations=[{"key": "k", "operator": "Exists"}],
                ),
            ),
        ),
        [pod_set(requests={"cpu": 1})],
        {"main": {"cpu": "default"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("cluster", "pod_sets", "expected"), FITTING.values(), ids=FITTING)
def test_flavors_that_are_assigned(cluster, pod_sets, expected):
    cluster.workload("w", *pod_sets).run()

    assert cluster.flavors_of("w") == expected


NEVER = "previously considered podsets requests (0) + current podset request"

FAILING = {
    "G-F3": (
        one(group("cpu", default=[4])),
        pod_set(requests={"cpu": 5}),
        f"insufficient quota for cpu in flavor default, {NEVER} (5) > maximum capacity (4)",
    ),
    "G-F5": (
        one(group("cpu", "memory", one=["4", "10Mi"], two=["6", "1Gi"]), flavors=("one", "two")),
        pod_set(requests={"cpu": 3, "memory": "10Gi"}),
        (f"insufficient quota for memory in flavor one, {NEVER} (10Gi) > maximum capacity (10Mi), "
        f"insufficient quota for memory in flavor two, {NEVER} (10Gi) > maximum capacity (1Gi)"),
    ),
    "G-F8": (
        one(group("pods", default=[3])),
        pod_set(count=4),
        f"insufficient quota for pods in flavor default, {NEVER} (4) > maximum capacity (3)",
    ),
    "M-050": (
        one(group("cpu", default=[4])),
        pod_set(requests={"gpu": 1}),
        "resource gpu unavailable in ClusterQueue",
    ),
    "M-052 without value (T-18)": (
        one(group("cpu", spot=[4]), flavors=(flavor("spot", nodeTaints=[{"key": "s", "effect": "NoExecute"}]),)),
        pod_set(requests={"cpu": 1}),
        "untolerated taint {s  NoExecute <nil>} in flavor spot",
    ),
    "M-053": (
        one(group("cpu", spot=[4]), flavors=(flavor("spot", nodeLabels={"a": "b"}),)),
        pod_set(requests={"cpu": 1}, nodeSelector={"a": "c"}),
        "flavor spot doesn't match node affinity",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("cluster", "pods", "expected"), FAILING.values(), ids=FAILING)
def test_reasons_when_nothing_fits(cluster, pods, expected):
    assert text(cluster, pods) == PREFIX + expected


def test_a_request_within_nominal_quota_waits_for_what_is_used_g_f2():
    cluster = one(group("cpu", default=[4])).cpu("other", 3)
    cluster.run()

    assert text(cluster, pod_set(requests={"cpu": 2})) == (
        PREFIX + "insufficient unused quota for cpu in flavor default, 1 more needed"
    )


INVALID = {
    "no such operator": (
        {"key": "a", "operator": "Like", "values": ["b"]},
        '"Like" is not a valid label selector operator',
    ),
    "nothing to compare with": (
        {"key": "a", "operator": "Gt"},
        "values: Invalid value: []: for 'Gt', 'Lt' operators, exactly one value is required",
    ),
}


@pytest.mark.parametrize(("expression", "why"), INVALID.values(), ids=INVALID)
def test_an_invalid_node_affinity_fails_the_whole_assignment_m_056(expression, why):
    terms = [{"matchExpressions": [expression]}]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    cluster = one(group("cpu", spot=[4]), flavors=(flavor("spot", nodeLabels={"a": "b"}),))

    assert text(cluster, pod_set(requests={"cpu": 1}, affinity={"nodeAffinity": required})) == (
        f"failed to assign flavors to pod set main: {why}"
    )


def test_pod_sets_of_one_group_share_a_flavor_g_f7():
    shared = {"topologyRequest": {"podSetGroupName": "g"}}
    cluster = one(group("cpu", one=[3], two=[5]), flavors=("one", "two"))
    leader = {**pod_set("leader", requests={"cpu": 1}), **shared}
    workers = {**pod_set("workers", 2, requests={"cpu": 2}), **shared}

    cluster.workload("w", leader, workers).run()

    assert cluster.flavors_of("w") == {"leader": {"cpu": "two"}, "workers": {"cpu": "two"}}


BORROWING = {
    "borrows from the first flavor (G-F12)": ({}, "one"),
    "takes the next flavor rather than borrow": ({"whenCanBorrow": "TryNextFlavor"}, "two"),
}


@pytest.mark.parametrize(("fungibility", "expected"), BORROWING.values(), ids=BORROWING)
def test_borrowing_against_the_next_flavor(fungibility, expected):
    cluster = one(
        group("cpu", one=[1], two=[5]),
        flavors=("one", "two"),
        cohortName="all",
        flavorFungibility=fungibility,
    )
    cluster.queue("lender", group("cpu", one=[5]), cohortName="all")

    cluster.cpu("w", 3).run()

    assert cluster.flavors_of("w") == {"main": {"cpu": expected}}
