"""What pods request (Q-080, Q-081, Q-083, Q-085, Q-095)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.quota.requests import admitted_usage, pod_requests, total_requests
from reference_impl.kueue.quota.resources import FlavorResource, ResourceGroups
from reference_impl.pods.amounts import amount, render


def container(restart=None, limits=None, **requests):
    shape = {"resources": {"requests": requests, "limits": limits or {}}}
    return {**shape, "restartPolicy": restart} if restart else shape


PODS = {
    "containers add up": ({"containers": [container(cpu=1), container(cpu="500m")]}, {"cpu": 1500}),
    "a limit stands in": ({"containers": [container(limits={"cpu": 2})]}, {"cpu": 2000}),
    "the largest init container counts": (
        {"containers": [container(cpu=1)], "initContainers": [container(cpu=3), container(cpu=2)]},
        {"cpu": 3000},
    ),
    "a sidecar runs all the time": (
        {"containers": [container(cpu=1)], "initContainers": [container("Always", cpu=1), container(cpu=3)]},
        {"cpu": 4000},
    ),
    "the pod level overrides": (
        {"containers": [container(cpu=1, memory=5)], "resources": {"requests": {"cpu": 4}}},
        {"cpu": 4000, "memory": 5},
    ),
    "overhead comes on top": ({"containers": [container(cpu=1)], "overhead": {"cpu": 1}}, {"cpu": 2000}),
}


@pytest.mark.parametrize(("spec", "expected"), PODS.values(), ids=PODS)
def test_request_of_a_pod(spec, expected):
    assert pod_requests(spec) == expected


AMOUNTS = {
    "half a core": ("cpu", "0.5", 500, "500m"),
    "whole cores": ("cpu", 2, 2000, "2"),
    "rounded up": ("memory", "1500m", 2, "2"),
    "binary": ("memory", "1Gi", 2**30, "1Gi"),
    "binary, not even": ("memory", "1536Mi", 1536 * 2**20, "1536Mi"),
    "bytes of no binary suffix": ("memory", "200M", 200_000_000, "200M"),
    "binary, huge pages": ("hugepages-2Mi", "4Mi", 4 * 2**20, "4Mi"),
    "decimal": ("example.com/gpu", "1000", 1000, "1k"),
}


@pytest.mark.parametrize(("resource", "text", "value", "back"), AMOUNTS.values(), ids=AMOUNTS)
def test_amounts(resource, text, value, back):
    assert (amount(resource, text), render(resource, value)) == (value, back)


def make_admitted(reclaimed):
    assigned = {"name": "main", "count": 3, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "6"}}
    return {
        "spec": {"podSets": [{"name": "main", "count": 4}]},
        "status": {
            "admission": {"podSetAssignments": [assigned]},
            "reclaimablePods": [{"name": "main", "count": reclaimed}],
        },
    }


RECLAIMED = {"none": (0, 6000), "no more than were left out": (1, 6000), "two": (2, 4000)}


@pytest.mark.parametrize(("reclaimed", "expected"), RECLAIMED.values(), ids=RECLAIMED)
def test_usage_shrinks_with_reclaimed_pods_q_085(reclaimed, expected):
    assert dict(admitted_usage(make_admitted(reclaimed))) == {("f", "cpu"): expected}


@pytest.mark.parametrize(
    ("counted", "reclaimed", "expected"),
    [
        pytest.param({}, 0, 6000, id="none"),
        pytest.param({}, 1, 3000, id="one"),
        pytest.param({"name": "other", "count": 2}, 0, 6000, id="a pod set that the spec does not have"),
    ],
)
def test_an_assignment_without_a_count_is_for_all_pods_q_085(counted, reclaimed, expected):
    workload = make_admitted(reclaimed)
    workload["spec"]["podSets"][0]["count"] = 2
    assigned = workload["status"]["admission"]["podSetAssignments"][0]
    assigned.pop("count")
    assigned.update(counted)

    assert dict(admitted_usage(workload)) == {("f", "cpu"): expected}


def forge(**fields):
    workload = make_admitted(0)
    workload["status"] |= fields.pop("status", {})
    workload["status"]["admission"]["podSetAssignments"][0] |= fields
    return workload


FORGED = {
    "negative usage": (forge(resourceUsage={"cpu": "-6"}), 0),
    "a negative count": (forge(count=-3), 6000),
    "a count beyond what is asked for": (forge(count=1_000_000), 6000),
    "more pods reclaimed than there are": (
        forge(status={"reclaimablePods": [{"name": "main", "count": 9}]}),
        0,
    ),
    "a usage that the pods do not share evenly": (
        forge(resourceUsage={"cpu": "7"}, status={"reclaimablePods": [{"name": "main", "count": 1}]}),
        7000,
    ),
    "less than no pods reclaimed": (
        forge(status={"reclaimablePods": [{"name": "main", "count": -9}]}),
        6000,
    ),
}


@pytest.mark.parametrize(("workload", "expected"), FORGED.values(), ids=FORGED)
def test_no_status_makes_room_for_others(workload, expected):
    assert dict(admitted_usage(workload)) == {("f", "cpu"): expected}


@pytest.mark.parametrize(("reclaimed", "expected"), [(-9, 4), (4, 0), (9, 0)])
def test_no_fewer_than_none_and_no_more_than_all_are_reclaimed(reclaimed, expected):
    pod_set = {"name": "main", "count": 4, "template": {"spec": {"containers": [container(cpu=1)]}}}
    workload = {
        "spec": {"podSets": [pod_set]},
        "status": {"reclaimablePods": [{"name": "main", "count": reclaimed}]},
    }

    (requests,) = total_requests(workload)

    assert (requests.count, requests.requests) == (expected, {"cpu": expected * 1000})


@pytest.mark.parametrize(("count", "counted"), [(-2, 0), (0, 0), (1, 1), ("2", 2)])
def test_no_fewer_pods_than_none_are_counted(count, counted):
    pod_set = {"name": "main", "count": count, "template": {"spec": {"containers": [container(cpu=1)]}}}

    (requests,) = total_requests({"spec": {"podSets": [pod_set]}})

    assert (requests.count, requests.requests) == (counted, {"cpu": counted * 1000})


def test_a_pod_that_asks_for_less_than_nothing_asks_for_nothing():
    spec = {"containers": [container(cpu="-5"), container(cpu=1)], "overhead": {"cpu": "-1"}}

    assert pod_requests(spec) == {"cpu": 1000}


@pytest.mark.parametrize("field", ["nominalQuota", "borrowingLimit", "lendingLimit"])
def test_no_quota_is_negative(field):
    resource = {"name": "cpu", "nominalQuota": "10", field: "-5"}
    groups = ResourceGroups.of(
        [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [resource]}]}]
    )

    quota = groups.quotas[FlavorResource("f", "cpu")]

    assert min(quota.nominal, quota.borrowing_limit or 0, quota.lending_limit or 0) == 0
