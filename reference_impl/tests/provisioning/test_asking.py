"""What is asked for: need, merging, templates,
and the condition of the check (PA-020…028, PA-040…043, PA-062…067).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.provisioning import active, merging, templates
from reference_impl.kueue.provisioning.active import (
    WHEN_STATUS_FLIPS,
    has_other_generation,
    has_other_status,
    has_other_text,
    is_missing,
    is_missing_or_empty,
)
from reference_impl.kueue.provisioning.managed_pod_sets import InconsistentError, managed_pod_sets

from .objects import assigned, pod_set, workload

GPU = frozenset({"gpu"})


def counts(of: Any, managed: frozenset[str] = frozenset()) -> list[tuple[str, int]]:
    return [
        (managed_pod_set.name, managed_pod_set.count) for managed_pod_set in managed_pod_sets(of, managed)
    ]


def with_resources(kind: str = "containers", **resources: Any) -> Any:
    manifest = pod_set()
    manifest["template"]["spec"]["containers"] = [{"name": "c"}]
    manifest["template"]["spec"][kind] = [{"name": "c", "resources": resources}]
    return manifest


@pytest.mark.parametrize(
    ("of", "needed"),
    [
        (with_resources(requests={"gpu": "1"}), True),
        (with_resources(limits={"gpu": "1"}), True),
        (with_resources(requests={"gpu": "0"}), True),
        (with_resources("initContainers", requests={"gpu": "1"}), True),
        (with_resources(requests={"cpu": "1"}), False),
        (pod_set(resources={"requests": {"gpu": "1"}}), False),
        (pod_set(overhead={"gpu": "1"}), False),
    ],
)
def test_which_podset_uses_a_managed_resource(of: Any, needed: bool) -> None:
    """PA-040: a name in a container counts, whatever the amount."""
    assert bool(counts(workload(pod_sets=[of]), GPU)) is needed


def test_counts_are_those_that_were_admitted() -> None:
    """PA-041, PA-062."""
    pod_sets = [pod_set("a", 4), pod_set("b", 2), pod_set("c", 0), pod_set("d", 3)]
    assignments = [
        assigned("a", 3),
        {"name": "b", "flavors": {}},
        assigned("c", 0),
        assigned("d", 0),
    ]
    assert counts(workload(pod_sets=pod_sets, assignments=assignments)) == [("a", 3), ("b", 2)]


def test_an_assignment_is_missing() -> None:
    """PA-042: of the first podSet that counts."""
    both = [pod_set("a"), pod_set("b")]
    with pytest.raises(InconsistentError, match='missing assignment for PodSet "a"'):
        counts(workload(pod_sets=both, assignments=[assigned("b")]))
    assert counts(workload(pod_sets=both, assignments=[assigned("a")])) == [("a", 1)]


def merge_pod_sets(policy: str, *pod_sets: Any, essences: Any = merging.MERGE_KEYS, flavors: Any = ()) -> Any:
    assignments = [
        assigned(manifest["name"], manifest["count"], flavor)
        for manifest, flavor in zip(pod_sets, flavors or ["f1"] * len(pod_sets), strict=True)
    ]
    managed = managed_pod_sets(workload(pod_sets=list(pod_sets), assignments=assignments), frozenset())
    return [(first.name, first.count) for first, _ in merging.merge(managed, policy, essences)]


SCHEDULING = "IdenticalWorkloadSchedulingRequirements"
TEMPLATES = "IdenticalPodTemplates"


@pytest.mark.parametrize(
    ("policy", "other", "alike"),
    [
        (TEMPLATES, pod_set("b", 2), True),
        (SCHEDULING, pod_set("b", 2), True),
        ("", pod_set("b", 2), False),
        (TEMPLATES, pod_set("b", 2, {"cpu": "1000m"}), True),
        (SCHEDULING, pod_set("b", 2, {"cpu": "1000m"}), True),
        (TEMPLATES, pod_set("b", 2, terminationGracePeriodSeconds=5), False),
        (SCHEDULING, pod_set("b", 2, terminationGracePeriodSeconds=5), True),
        (SCHEDULING, pod_set("b", 2, affinity={"nodeAffinity": {}, "podAffinity": {"x": "y"}}), False),
        (SCHEDULING, pod_set("b", 2, nodeSelector={"a": "b"}), False),
        (SCHEDULING, pod_set("b", 2, tolerations=[]), True),
        (SCHEDULING, pod_set("b", 2, resources={"limits": {"cpu": "1"}}), False),
        (SCHEDULING, pod_set("b", 2, initContainers=[{"name": "i"}]), False),
    ],
)
def test_merging(policy: str, other: Any, alike: bool) -> None:
    """PA-063."""
    expected = [("a", 3)] if alike else [("a", 1), ("b", 2)]
    assert merge_pod_sets(policy, pod_set("a"), other) == expected


def test_flavors_do_not_keep_podsets_apart() -> None:
    """PA-064, and what replaces it."""
    both = (pod_set("a"), pod_set("b"))
    assert merge_pod_sets(SCHEDULING, *both, flavors=("f1", "f2")) == [("a", 2)]
    apart = merging.MERGE_KEYS_WITH_FLAVORS
    assert merge_pod_sets(SCHEDULING, *both, flavors=("f1", "f2"), essences=apart) == [("a", 1), ("b", 1)]


def test_limits_stand_in_for_requests() -> None:
    """PA-066: in containers, init containers and the pod itself."""
    limits = {"resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}}
    spec = {"containers": [limits], "initContainers": [limits], "resources": {"limits": {"cpu": "3"}}}
    managed = templates.use_limits_as_requests({"spec": spec})["spec"]
    assert [
        holder["resources"]["requests"]
        for holder in (*managed["containers"], *managed["initContainers"], managed)
    ] == [
        {"cpu": "1", "memory": "1Gi"},
        {"cpu": "1", "memory": "1Gi"},
        {"cpu": "3"},
    ]


def check(parameters: Any = None, conditions: Any = ()) -> Any:
    spec = {"controllerName": "kueue.x-k8s.io/provisioning-request"}
    if parameters is not None:
        spec["parameters"] = parameters
    return {"metadata": {"name": "c1", "generation": 3}, "spec": spec, "status": {"conditions": conditions}}


def reference(name: str = "p", kind: str = "ProvisioningRequestConfig", group: str = "kueue.x-k8s.io") -> Any:
    return {"apiGroup": group, "kind": kind, "name": name}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (reference(), "The admission check is active"),
        (None, "missing parameters reference"),
        (reference(""), "empty name: bad parameters reference"),
        (reference(group="g"), 'wrong group "g", expecting "kueue.x-k8s.io": bad parameters reference'),
        (
            reference(kind="K"),
            'wrong kind "K", expecting "ProvisioningRequestConfig": bad parameters reference',
        ),
        (reference("q"), 'ProvisioningRequestConfig.kueue.x-k8s.io "q" not found'),
    ],
)
def test_active(parameters: Any, message: str) -> None:
    """PA-020…026, PC-20."""
    configs = {"p": {"metadata": {"name": "p"}}}
    status = active.decide(check(parameters), configs.get, 0.0, is_missing, WHEN_STATUS_FLIPS)
    good = message == "The admission check is active"
    assert status["conditions"] == [
        {
            "type": "Active",
            "status": "True" if good else "False",
            "reason": "Active" if good else "BadParametersRef",
            "message": message,
            "lastTransitionTime": "1970-01-01T00:00:00Z",
            "observedGeneration": 3,
        }
    ]


def judge(of: Any, moved: Any, problem: Any = is_missing, config: Any = None) -> Any:
    return active.decide(of, lambda _: config, 0.0, problem, moved)


def test_a_configuration_without_a_spec() -> None:
    """PC-23: is good enough for the release."""
    of, empty = check(reference()), {"metadata": {"name": "p"}}
    conditions = [
        judge(of, WHEN_STATUS_FLIPS, problem, empty)["conditions"][0]
        for problem in (is_missing, is_missing_or_empty)
    ]
    assert [(condition["status"], condition["message"]) for condition in conditions] == [
        ("True", "The admission check is active"),
        ("False", 'ProvisioningRequestConfig "p" has no provisioningClassName: bad parameters reference'),
    ]


def test_another_failure_keeps_the_text_of_the_first() -> None:
    """PD-01, and what replaces it."""
    first = judge(check(), WHEN_STATUS_FLIPS)["conditions"]
    second = check(reference("q"), first)
    assert judge(second, WHEN_STATUS_FLIPS) is None
    active = judge(second, (has_other_status, has_other_text))["conditions"][0]
    assert active["message"] == 'ProvisioningRequestConfig.kueue.x-k8s.io "q" not found'


def test_the_same_problem_of_a_newer_generation_is_told_again() -> None:
    """PA-027: the release leaves the generation that it spoke of first."""
    first = judge(check(), WHEN_STATUS_FLIPS)["conditions"]
    newer = check(reference(), first)
    newer["metadata"]["generation"] += 1
    assert judge(newer, WHEN_STATUS_FLIPS) is None
    active = judge(newer, (has_other_status, has_other_generation))["conditions"][0]
    assert active["observedGeneration"] == newer["metadata"]["generation"]
