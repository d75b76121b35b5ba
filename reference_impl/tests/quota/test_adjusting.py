"""What the cluster adds to pods before they are counted,
and what it refuses (Q-090…Q-093, M-042…M-045, S-105…S-108).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.quota import legacy_v0_6
from reference_impl.kueue.quota.adjusting import (
    LimitRangeSummary,
    adjust,
    fill_from_own_limits_first,
    has_other_bounds,
    raise_pod_requests,
)
from reference_impl.kueue.quota.fitness import validate_requests
from reference_impl.kueue.quota.requests import total_requests

KATA = {"kata": {"overhead": {"podFixed": {"cpu": "1"}}}}


def workload(requests: Any = None, limits: Any = None, **pod: Any) -> Any:
    resources = {"requests": requests or {}, "limits": limits or {}}
    spec = {"containers": [{"name": "c", "resources": resources}], **pod}
    return {"spec": {"podSets": [{"name": "main", "count": 1, "template": {"spec": spec}}]}}


def limit_range(kind: str = "Container", **values: Any) -> Any:
    return {"spec": {"limits": [{"type": kind, **{name: {"cpu": value} for name, value in values.items()}}]}}


COUNTED = {
    "S-107 overhead of its class": (workload({"cpu": "1"}, runtimeClassName="kata"), [], 2000),
    "S-107 own overhead": (workload({"cpu": "1"}, runtimeClassName="kata", overhead={"cpu": "2"}), [], 3000),
    "S-107 missing class": (workload({"cpu": "1"}, runtimeClassName="none"), [], 1000),
    "S-108 default request": (workload(), [limit_range(defaultRequest="3")], 3000),
    "S-108 own request": (workload({"cpu": "1"}), [limit_range(defaultRequest="3")], 1000),
    "S-108 default request of an init container": (
        workload({"cpu": "1"}, initContainers=[{"name": "i"}]),
        [limit_range(defaultRequest="3")],
        3000,
    ),
    "Q-090 default limit": (workload(), [limit_range(default="2")], 2000),
    "Q-090 own limit": (workload(limits={"cpu": "1"}), [limit_range(default="2")], 1000),
    "Q-091 first default": (
        workload(),
        [limit_range(defaultRequest="1"), limit_range(defaultRequest="2")],
        1000,
    ),
    "Q-091 a LimitRange that limits nothing": (workload({"cpu": "1"}), [{"spec": {"limits": None}}], 1000),
}


@pytest.mark.parametrize(("subject", "ranges", "cpu"), COUNTED.values(), ids=COUNTED)
def test_counted_with_what_is_added(subject: Any, ranges: Any, cpu: int) -> None:
    (pod_set,) = total_requests(adjust(subject, ranges, KATA))

    assert pod_set.requests["cpu"] == cpu


@pytest.mark.parametrize(
    ("ranges", "classes", "cpu"),
    [([], {}, 1000), ([limit_range(defaultRequest="3")], {}, 1000), ([], KATA, 2000)],
)
def test_either_alone_adds_q_090_q_092(ranges: Any, classes: Any, cpu: int) -> None:
    (pod_set,) = total_requests(adjust(workload({"cpu": "1"}, runtimeClassName="kata"), ranges, classes))
    (empty,) = total_requests(adjust(workload(), ranges, classes))

    assert (pod_set.requests["cpu"], empty.requests) == (cpu, {"cpu": 3000} if ranges else {})


def test_nothing_to_add_leaves_the_very_same() -> None:
    subject = workload({"cpu": "1"}, {"cpu": "1"})

    assert adjust(subject, [limit_range(default="3")], KATA) is subject


def job(container: Any, **pod: Any) -> Any:
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"nodeSelector": {"c": "d"}, **pod, "containers": [container]},
    }
    pod_set = {"name": "main", "count": 2, "minCount": 1, "template": template}
    return {"metadata": {"name": "w"}, "spec": {"queueName": "lq", "podSets": [pod_set]}, "status": {}}


def test_what_is_added_leaves_the_rest_as_it_was_q_092() -> None:
    own = {"name": "c", "image": "i", "resources": {"claims": [], "limits": {"memory": "1"}}}
    added = {"claims": [], "limits": {"memory": "1", "cpu": "4"}, "requests": {"cpu": "3"}}

    adjusted = adjust(job(own, runtimeClassName="kata"), [limit_range(default="4", defaultRequest="3")], KATA)

    assert adjusted == job({**own, "resources": added}, runtimeClassName="kata", overhead={"cpu": "1"})


def test_the_tightest_bound_counts_q_091() -> None:
    merged = LimitRangeSummary.of(
        [limit_range(max="3", min="1"), limit_range(max="2", min="500m")], "Container"
    )

    assert (merged.most, merged.least) == ({"cpu": 2000}, {"cpu": 1000})


CONTAINER = 'spec.podSets[0].template.spec.containers[0]: Invalid value: ["cpu"]'
POD = 'spec.podSets[0].template.spec: Invalid value: ["cpu"]'
OWN, ABOVE_OWN = "resources validation failed", "requests must not exceed its limits"
RANGE = "resources didn't satisfy LimitRange constraints"
ABOVE, BELOW = (
    "requests must not be above the limitRange max",
    "requests must not be below the limitRange min",
)
JUDGED = {
    "S-105 above its own limit": (
        workload({"cpu": "3"}, {"cpu": "2"}),
        [],
        f"{OWN}: {CONTAINER}: {ABOVE_OWN}",
    ),
    "S-105 max": (
        workload({"cpu": "2"}, {"cpu": "3"}),
        [limit_range(max="1")],
        f"{RANGE}: {CONTAINER}: {ABOVE}",
    ),
    "S-105 min": (
        workload({"cpu": "2"}, {"cpu": "3"}),
        [limit_range(min="3")],
        f"{RANGE}: {CONTAINER}: {BELOW}",
    ),
    "S-105 max of pods": (
        workload({"cpu": "2"}),
        [limit_range("Pod", max="1")],
        f"{RANGE}: {POD}: {ABOVE}",
    ),
    "S-105 min of pods": (
        workload({"cpu": "2"}),
        [limit_range("Pod", min="3")],
        f"{RANGE}: {POD}: {BELOW}",
    ),
    "S-105 a pod above its own limit": (
        workload(resources={"requests": {"cpu": "3"}, "limits": {"cpu": "2"}}),
        [],
        f'{OWN}: spec.podSets[0].template.spec.resources: Invalid value: ["cpu"]: {ABOVE_OWN}',
    ),
    "S-105 two resources above their limits": (
        workload({"cpu": "3", "memory": "2Gi"}, {"cpu": "2", "memory": "1Gi"}),
        [],
        f'{OWN}: spec.podSets[0].template.spec.containers[0]: Invalid value: ["cpu","memory"]: {ABOVE_OWN}',
    ),
    "S-105 a limit above max": (
        workload({"cpu": "2"}, {"cpu": "3"}),
        [limit_range(max="2500m")],
        f"{RANGE}: {CONTAINER}: {ABOVE}",
    ),
    "S-105 a request below min": (
        workload({"cpu": "2"}, {"cpu": "3"}),
        [limit_range(min="2500m")],
        f"{RANGE}: {CONTAINER}: {BELOW}",
    ),
    "S-105 no limit, below min": (
        workload({"cpu": "2"}),
        [limit_range(min="3")],
        f"{RANGE}: {CONTAINER}: {BELOW}",
    ),
    "S-105 an init container above max": (
        workload({"cpu": "1"}, initContainers=[{"name": "i", "resources": {"requests": {"cpu": "3"}}}]),
        [limit_range(max="2")],
        f'{RANGE}: spec.podSets[0].template.spec.initContainers[0]: Invalid value: ["cpu"]: {ABOVE}',
    ),
    "S-105 at its bounds": (workload({"cpu": "2"}, {"cpu": "2"}), [limit_range(min="2", max="2")], ""),
    "S-105 within": (workload({"cpu": "2"}), [limit_range(min="1", max="4")], ""),
    "M-044 several": (
        workload({"cpu": "2"}),
        [limit_range(max="1"), limit_range("Pod", max="1")],
        f"{RANGE}: [{CONTAINER}: {ABOVE}, {POD}: {ABOVE}]",
    ),
}


@pytest.mark.parametrize(("subject", "ranges", "expected"), JUDGED.values(), ids=JUDGED)
def test_what_pods_may_ask_for(subject: Any, ranges: Any, expected: str) -> None:
    assert validate_requests(subject["spec"]["podSets"], ranges) == expected


V0_6 = {
    "fits": (workload({"cpu": "1"}, {"cpu": "2"}), [], ""),
    "above its limits": (
        workload({"cpu": "3", "memory": "2"}, {"cpu": "1", "memory": "1"}),
        [],
        "resource validation failed: podSets.main.containers[0][cpu, memory] requests exceed it's limits",
    ),
    "amounts of the pod had no limits": (
        workload(resources={"requests": {"cpu": "3"}, "limits": {"cpu": "1"}}),
        [],
        "",
    ),
    "above the most": (
        workload({"cpu": "3"}),
        [limit_range(max="1")],
        "didn't satisfy LimitRange constraints: the requests of podSets.main.containers[0][cpu] exceeds the limits",
    ),
    "a pod below the least, and its container": (
        workload({"cpu": "1"}),
        [limit_range(min="2"), limit_range("Pod", min="2")],
        (
            "didn't satisfy LimitRange constraints: the requests of podSets.main.containers[0][cpu] are less than the limits; "
            "the requests of podSets.main[cpu] are less than the limits"
        ),
    ),
}


@pytest.mark.parametrize(("subject", "ranges", "expected"), V0_6.values(), ids=V0_6)
def test_what_v0_6_said_of_it_q_510(subject: Any, ranges: Any, expected: str) -> None:
    assert legacy_v0_6.validate_requests(subject["spec"]["podSets"], ranges) == expected


FILLED = {
    "a limit": (workload(limits={"cpu": "3"}), 1000, 3000),
    "neither": (workload(), 1000, 1000),
    "both": (workload({"cpu": "2"}, {"cpu": "3"}), 2000, 2000),
    "a limit of another resource": (workload(limits={"memory": "1"}), 1000, 1000),
}


@pytest.mark.parametrize(("subject", "default_first", "limit_first"), FILLED.values(), ids=FILLED)
def test_a_limit_stands_for_the_request_before_a_default_bug_160(
    subject: Any, default_first: int, limit_first: int
) -> None:
    ranges = [limit_range(defaultRequest="1")]
    (observed,) = total_requests(adjust(subject, ranges, {}))
    (corrected,) = total_requests(adjust(subject, ranges, {}, fill=fill_from_own_limits_first))

    assert (observed.requests["cpu"], corrected.requests["cpu"]) == (default_first, limit_first)


WHOLE = {
    "below": ({"requests": {"cpu": "1"}}, 1000, 2000),
    "above": ({"requests": {"cpu": "3"}}, 3000, 3000),
    "a limit below": ({"limits": {"cpu": "1"}}, 1000, 2000),
    "of another resource": ({"requests": {"memory": "1"}}, 2000, 2000),
    "none": ({}, 2000, 2000),
}


@pytest.mark.parametrize(("resources", "observed", "corrected"), WHOLE.values(), ids=WHOLE)
def test_a_pod_counts_at_least_as_its_containers_bug_163(
    resources: Any, observed: int, corrected: int
) -> None:
    subject = workload({"cpu": "2"}, resources=resources)
    (plain,) = total_requests(adjust(subject, [], {}))
    (raised,) = total_requests(adjust(subject, [], {}, complete_pod=raise_pod_requests))

    assert (plain.requests["cpu"], raised.requests["cpu"]) == (observed, corrected)


CHANGES = {
    "another most": (limit_range(max="1"), limit_range(max="2"), True),
    "deleted": (limit_range(max="1"), None, True),
    "made": (None, limit_range(max="1"), True),
    "the same": (limit_range(max="1"), limit_range(max="1"), False),
    "a default alone": (limit_range(max="1"), limit_range(max="1", default="1"), False),
}


@pytest.mark.parametrize(("old", "new", "other"), CHANGES.values(), ids=CHANGES)
def test_other_bounds_are_worth_a_look_bug_161(old: Any, new: Any, other: bool) -> None:
    assert has_other_bounds(old, new) is other
