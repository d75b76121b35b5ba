"""The status of queues (AC-410…AC-438, Q-370…Q-379)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.queues.status import (
    cluster_queue_active,
    flavor_usage,
    ignore_circle,
    local_queue_active,
    report_circle,
)
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.quota.cluster_queue import ClusterQueueSpec
from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.problems import MULTIKUEUE, PROVISIONING, CheckStatus, problems
from reference_impl.kueue.quota.resources import FlavorResource, ResourceGroups
from reference_impl.kueue.workload.conditions import Condition

GROUPS = [
    {
        "coveredResources": ["memory", "cpu"],
        "flavors": [
            {
                "name": name,
                "resources": [
                    {"name": "memory", "nominalQuota": "1Gi"},
                    {"name": "cpu", "nominalQuota": 2},
                ],
            }
            for name in ("f2", "f1")
        ],
    }
]


def catalogue(flavors=("f1", "f2"), checks=None):
    stored = Catalogue()
    stored.flavors |= {name: {} for name in flavors}
    stored.checks |= {name: CheckStatus("example.com/c", check) for name, check in (checks or {}).items()}
    return stored


def queue(stored, *, deleting=False, **spec):
    checks = [{"name": name} for name in ("c2", "c1")]
    metadata = {"name": "cq", "deletionTimestamp": "x"} if deleting else {"name": "cq"}
    parsed = ClusterQueueSpec.of(
        {
            "metadata": metadata,
            "spec": {
                "resourceGroups": GROUPS,
                "admissionChecksStrategy": {"admissionChecks": checks},
                **spec,
            },
        }
    )
    stored.cluster_queues["cq"] = parsed
    return parsed


READY = {"c1": True, "c2": True}
CANNOT = "Can't admit new workloads"
ACTIVE = {
    "AC-410": (catalogue(checks=READY), {}, ("Ready", "Can admit new workloads")),
    "AC-412": (catalogue(checks=READY), {"stopPolicy": "Hold"}, ("Stopped", f"{CANNOT}: is stopped.")),
    "AC-413": (
        catalogue((), READY),
        {},
        ("FlavorNotFound", f"{CANNOT}: references missing ResourceFlavor(s): f2,f1."),
    ),
    "AC-414": (
        catalogue(),
        {},
        ("AdmissionCheckNotFound", f"{CANNOT}: references missing AdmissionCheck(s): c1,c2."),
    ),
    "AC-415": (
        catalogue(checks={"c1": False, "c2": True}),
        {},
        ("AdmissionCheckInactive", f"{CANNOT}: references inactive AdmissionCheck(s): c1."),
    ),
    "AC-411 several": (
        catalogue(("f1",), {"c1": False}),
        {"stopPolicy": "HoldAndDrain"},
        (
            "Stopped",
            (
                f"{CANNOT}: is stopped, references missing ResourceFlavor(s): f2, "
                "references missing AdmissionCheck(s): c2, references inactive AdmissionCheck(s): c1."
            ),
        ),
    ),
    "AC-421": (
        catalogue(),
        {"deleting": True, "stopPolicy": "Hold"},
        ("Terminating", f"{CANNOT}; clusterQueue is terminating"),
    ),
}


@pytest.mark.parametrize(("stored", "spec", "expected"), ACTIVE.values(), ids=ACTIVE)
def test_why_a_cluster_queue_is_active_or_not(stored, spec, expected):
    condition = cluster_queue_active(stored, queue(stored, **spec))

    assert (condition.reason, condition.message) == expected
    assert condition.status == (condition.reason == "Ready")


def with_active(status):
    return {"status": {"conditions": [{"type": "Active", "status": status}]}}


NO_SUBMIT = "Can't submit new workloads to clusterQueue"
LOCAL = {
    "AC-435": ({"stopPolicy": "Hold"}, None, ("Stopped", "LocalQueue is stopped")),
    "AC-436 without ClusterQueue": ({"clusterQueue": None}, None, ("ClusterQueueDoesNotExist", NO_SUBMIT)),
    "AC-436": ({}, None, ("ClusterQueueDoesNotExist", NO_SUBMIT)),
    "AC-437": ({}, with_active("True"), ("Ready", "Can submit new workloads to localQueue")),
    "AC-438": ({}, with_active("False"), ("ClusterQueueIsInactive", NO_SUBMIT)),
    "AC-438 no condition yet": ({}, {}, ("ClusterQueueIsInactive", NO_SUBMIT)),
}


@pytest.mark.parametrize(("spec", "cluster_queue", "expected"), LOCAL.values(), ids=LOCAL)
def test_why_a_local_queue_is_active_or_not(spec, cluster_queue, expected):
    condition = local_queue_active(spec, cluster_queue)

    assert (condition.reason, condition.message) == expected


BORROWED = {
    "in a cohort": (True, {"name": "cpu", "total": "3", "borrowed": "1"}),
    "without cohort": (False, {"name": "cpu", "total": "3", "borrowed": "0"}),
    "of a LocalQueue": (None, {"name": "cpu", "total": "3"}),
}


@pytest.mark.parametrize(("borrows", "expected"), BORROWED.values(), ids=BORROWED)
def test_usage_lists_flavors_in_order_and_resources_sorted_q_373(borrows, expected):
    usage = flavor_usage(ResourceGroups.of(GROUPS), {FlavorResource("f2", "cpu"): 3000}, borrows=borrows)

    assert [line["name"] for line in usage] == ["f2", "f1"]
    assert [line["name"] for line in usage[0]["resources"]] == ["cpu", "memory"]
    assert usage[0]["resources"][0] == expected


EARLY = {
    "AC-426 Stopped": ({"stopPolicy": "Hold"}, ("Stopped", f"{CANNOT}: Stopped, CheckNotFoundOrInactive")),
    "AC-426 checks": ({}, ("CheckNotFoundOrInactive", f"{CANNOT}: CheckNotFoundOrInactive")),
    "AC-426 Terminating": ({"deleting": True}, ("Terminating", f"{CANNOT}; clusterQueue is terminating")),
}


@pytest.mark.parametrize(("spec", "expected"), EARLY.values(), ids=EARLY)
def test_early_releases_name_reasons_only(spec, expected):
    stored = catalogue(checks={"c1": False})
    condition = dialect("v0.6").queues.cluster_queue_active(stored, queue(stored, **spec))

    assert (condition.reason, condition.message) == expected


MANY = "Cannot use multiple MultiKueue AdmissionChecks on the same ClusterQueue, found: a,b"
PER_FLAVOR = "Cannot specify MultiKueue AdmissionCheck per flavor, found: a"
BOTH = "Cannot use both MultiKueue and ProvisioningRequest AdmissionChecks together, found: a, b"
CONSTRAINED = {
    "AC-416": ({"a": MULTIKUEUE, "b": MULTIKUEUE}, (), [("MultipleMultiKueueAdmissionChecks", MANY)]),
    "AC-417": ({"a": MULTIKUEUE}, ("f1",), [("MultiKueueAdmissionCheckAppliedPerFlavor", PER_FLAVOR)]),
    "AC-417 all flavors": ({"a": MULTIKUEUE}, ("f1", "f2"), []),
    "AC-418": ({"a": MULTIKUEUE, "b": PROVISIONING}, (), [("MultiKueueWithProvisioningRequest", BOTH)]),
    "AC-424": ({"a": "example.com/c", "b": "example.com/c"}, ("f1",), []),
}


@pytest.mark.parametrize(("controllers", "flavors", "expected"), CONSTRAINED.values(), ids=CONSTRAINED)
def test_constraints_on_built_in_checks(controllers, flavors, expected):
    strategy = {"admissionChecks": [{"name": name, "onFlavors": list(flavors)} for name in controllers]}
    spec = queue(catalogue(), admissionChecksStrategy=strategy)
    checks = {name: CheckStatus(controller, True) for name, controller in controllers.items()}

    assert list(problems(spec, {"f1": {}, "f2": {}}, checks)) == expected


CIRCLES = {
    "a circle": ("a", True, "CohortCycleDetected", False),
    "a root": ("", True, "Ready", True),
    "a circle below what is stopped": ("a", False, "Stopped", False),
}


@pytest.mark.parametrize(("parent", "active", "reason", "status"), CIRCLES.values(), ids=CIRCLES)
def test_a_circle_of_cohorts_is_the_condition_without_the_defect_qc_01(
    parent: str, active: bool, reason: str, status: bool
) -> None:
    trees = CohortTrees()
    trees.set_cohort("a", parent, {})
    trees.set_queue("q", "a", {})
    spec = ClusterQueueSpec.of({"metadata": {"name": "q"}, "spec": {"cohortName": "a"}})
    before = Condition("Active", active, "Ready" if active else "Stopped", "")

    condition = report_circle(before, trees, spec)

    assert (condition.reason, condition.status) == (reason, status)
    assert ignore_circle(before, trees, spec) == before
    if reason == "CohortCycleDetected":
        assert condition.message == 'Can\'t admit new workloads: Cohort "a" has a cycle in hierarchy.'
