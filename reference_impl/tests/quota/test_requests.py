"""What pods request (Q-080, Q-081, Q-083, Q-085, Q-095)."""

from __future__ import annotations

import pytest

from reference_impl.quota.amounts import amount, shown
from reference_impl.quota.requests import admitted_usage, pod_requests


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
    "decimal": ("example.com/gpu", "1000", 1000, "1k"),
}


@pytest.mark.parametrize(("resource", "text", "value", "back"), AMOUNTS.values(), ids=AMOUNTS)
def test_amounts(resource, text, value, back):
    assert (amount(resource, text), shown(resource, value)) == (value, back)


def admitted(reclaimed):
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
    assert dict(admitted_usage(admitted(reclaimed))) == {("f", "cpu"): expected}
