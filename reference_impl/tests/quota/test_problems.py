"""Why a ClusterQueue cannot admit, by reason (AC-412…418, M-004…M-008)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.quota.cluster_queue import ClusterQueueSpec
from reference_impl.kueue.quota.problems import MULTIKUEUE, PROVISIONING, CheckStatus, problems

FLAVORS = {"f1": {}, "f2": {}}


def check_statuses(**controllers: str) -> Any:
    return {name: CheckStatus(controller, True) for name, controller in controllers.items()}


def reasons(checks: Any, rules: Any, flavors: Any = FLAVORS, **spec: Any) -> list[str]:
    groups = [
        {"coveredResources": ["cpu"], "flavors": [{"name": name, "resources": []} for name in ("f1", "f2")]}
    ]
    strategy = {"admissionChecks": [{"name": name, **rule} for name, rule in rules.items()]}
    obj = {"resourceGroups": groups, "admissionChecksStrategy": strategy, **spec}
    reported = problems(ClusterQueueSpec.of({"metadata": {"name": "cq"}, "spec": obj}), flavors, checks)
    return [problem.reason for problem in reported]


A, B = {"a": {}}, {"b": {}}
PROBLEMS = {
    "none": (check_statuses(a="c"), A, []),
    "no object": ({}, A, ["AdmissionCheckNotFound"]),
    "not active": ({"a": CheckStatus("c", False)}, A, ["AdmissionCheckInactive"]),
    "one of MultiKueue": (check_statuses(a=MULTIKUEUE), A, []),
    "two of MultiKueue": (check_statuses(a=MULTIKUEUE, b=MULTIKUEUE), A | B, ["MultipleMultiKueueAdmissionChecks"]),
    "for some flavors": (
        check_statuses(a=MULTIKUEUE), {"a": {"onFlavors": ["f1"]}}, ["MultiKueueAdmissionCheckAppliedPerFlavor"],
    ),
    "for all flavors": (check_statuses(a=MULTIKUEUE), {"a": {"onFlavors": ["f1", "f2"]}}, []),
    "with provisioning": (check_statuses(a=MULTIKUEUE, b=PROVISIONING), A | B, ["MultiKueueWithProvisioningRequest"]),
}  # fmt: skip


@pytest.mark.parametrize(("checks", "rules", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_cluster_queue_names_what_is_wrong_with_its_checks(
    checks: Any, rules: Any, expected: list[str]
) -> None:
    assert reasons(checks, rules) == expected


def test_all_that_is_wrong_is_named_in_order() -> None:
    reported = reasons({}, A, {"f1": {}}, stopPolicy="Hold")

    assert reported == ["Stopped", "FlavorNotFound", "AdmissionCheckNotFound"]


def test_controllers_are_those_of_kueue_ac_417_ac_418() -> None:
    assert (MULTIKUEUE, PROVISIONING) == (
        "kueue.x-k8s.io/multikueue",
        "kueue.x-k8s.io/provisioning-request",
    )
