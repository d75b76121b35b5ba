"""Statements of the model about provisioning checks, their requests and templates."""

from copy import deepcopy

import pytest

from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.exploration.control_planes.statements.provisioning import provisioning
from kueue_conformance.scenarios.dialect import known_dialects

from .test_plane_model import FLAVOR, condition, snapshot, workload, write_of_kueue

CLASS = "check-capacity.autoscaling.x-k8s.io"
CONFIG = {
    "metadata": {"name": "g"},
    "spec": {
        "provisioningClassName": CLASS,
        "retryStrategy": {"backoffLimitCount": 1, "backoffBaseSeconds": 60, "backoffMaxSeconds": 1800},
    },
}
CHECK = {
    "metadata": {"name": "k"},
    "spec": {
        "controllerName": "kueue.x-k8s.io/provisioning-request",
        "parameters": {"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": "g"},
    },
    "status": {"conditions": [{**condition("Active"), "reason": "Active"}]},
}
OWNER = {"kind": "Workload", "name": "w", "controller": True}
POD = {
    "containers": [{"name": "main", "resources": {"requests": {"cpu": "2"}}}],
    "nodeSelector": FLAVOR["spec"]["nodeLabels"],
}


def request(attempt=1, *conditions, pods=1, class_name=CLASS):
    name = f"w-k-{attempt}"
    metadata = {
        "name": name,
        "labels": {"kueue.x-k8s.io/managed": "true"},
        "ownerReferences": [OWNER],
    }
    pod_sets = [{"podTemplateRef": {"name": f"ppt-{name}-main"}, "count": pods}]
    spec = {"provisioningClassName": class_name, "podSets": pod_sets}
    said = [{"type": word, "status": "True", "message": word} for word in conditions]
    return {"metadata": metadata, "spec": spec, "status": {"conditions": said}}


def template(selector=FLAVOR["spec"]["nodeLabels"]):
    spec = {**POD, "nodeSelector": selector}
    return {"metadata": {"name": "ppt-w-k-1-main"}, "template": {"spec": spec}}


TEMPLATES = (template(),)


def reserved(state="Pending", message="", *true, **entry):
    result = workload("w", "2", "QuotaReserved", *true)
    result["status"]["admissionChecks"] = [{"name": "k", "state": state, "message": message, **entry}]
    return result


def waiting():
    result = workload("w", "2")
    result["status"]["admissionChecks"] = [{"name": "k", "state": "Pending", "message": ""}]
    return result


def cluster(stored, *requests, configs=(CONFIG,), templates=TEMPLATES, checks=(CHECK,), flavors=(FLAVOR,)):
    return snapshot(
        Workload=[stored],
        AdmissionCheck=checks,
        ProvisioningRequestConfig=configs,
        ProvisioningRequest=requests,
        PodTemplate=templates,
        ResourceFlavor=flavors,
    )


def broken(after, **fields):
    state = State(after, dialect=known_dialects()["v0.20"], acts=1, **fields)
    return {item.statement.removeprefix("provisioning-") for item in provisioning(state)}


@pytest.mark.parametrize(
    ("stored", "requests", "statements"),
    [
        pytest.param(reserved(), [request()], set(), id="one request"),
        pytest.param(reserved(), [], {"requests"}, id="none"),
        pytest.param(reserved(), [request(), request(2)], {"requests", "templates"}, id="two"),
        pytest.param(reserved(retryCount=1), [request()], {"requests"}, id="an attempt that is over"),
        pytest.param(reserved("Pending", "reset", "Finished"), [], set(), id="finished"),
        pytest.param(reserved("Pending", "", "Evicted"), [request()], {"requests"}, id="evicted"),
        pytest.param(reserved(), [request(pods=2)], {"content"}, id="another number of pods"),
        pytest.param(reserved(), [request(class_name="other")], {"content"}, id="another class"),
        pytest.param(reserved("Pending", "old"), [request()], {"verdicts"}, id="an old message"),
        pytest.param(
            reserved(), [request(1, "Accepted", "Provisioned")], {"verdicts"}, id="provisioned, and Pending"
        ),
    ],
)
def test_what_waits_for_capacity_has_one_request_for_it(stored, requests, statements):
    assert broken(cluster(stored, *requests)) == statements


@pytest.mark.parametrize(
    ("stored", "statements"),
    [
        pytest.param(reserved(), {"requests", "verdicts"}, id="it holds quota"),
        pytest.param(waiting(), set(), id="it has lost its quota without an eviction"),
    ],
)
def test_without_a_configuration_what_holds_quota_has_no_request(stored, statements):
    inactive = {
        **CHECK,
        "status": {"conditions": [{"type": "Active", "status": "False", "reason": "BadParametersRef"}]},
    }
    shown = cluster(stored, request(), configs=(), checks=(inactive,))

    assert broken(shown) == statements


@pytest.mark.parametrize(("templates", "statements"), [((), {"templates"}), ((template({}),), {"templates"})])
def test_a_template_has_what_flavors_add(templates, statements):
    assert broken(cluster(reserved(), request(), templates=templates)) == statements


TOLERATION = {"key": "a", "operator": "Exists"}


@pytest.mark.parametrize(
    ("tolerations", "statements"),
    [([TOLERATION], set()), ([dict(reversed(TOLERATION.items()))], set()), ([], {"templates"})],
)
def test_a_template_tolerates_what_its_pods_do(tolerations, statements):
    stored, made = reserved(), deepcopy(template())
    stored["spec"]["podSets"][0]["template"]["spec"]["tolerations"] = [TOLERATION, TOLERATION]
    made["template"]["spec"]["tolerations"] = tolerations

    assert broken(cluster(stored, request(), templates=[made])) == statements


OTHER_VALUE = {
    "metadata": {"name": "other"},
    "spec": {"nodeLabels": dict.fromkeys(FLAVOR["spec"]["nodeLabels"], "b")},
}


@pytest.mark.parametrize(("other", "statements"), [({}, {"templates"}), (OTHER_VALUE, set())])
def test_of_flavors_with_other_values_of_a_label_pods_get_any(other, statements):
    stored = reserved()
    flavors = stored["status"]["admission"]["podSetAssignments"][0]["flavors"]
    flavors |= {"memory": "other"} if other else {}
    templates = [template(OTHER_VALUE["spec"]["nodeLabels"])]

    shown = cluster(stored, request(), templates=templates, flavors=[FLAVOR, *filter(None, [other])])

    assert broken(shown) == statements


@pytest.mark.parametrize(
    ("other_state", "statements"),
    [("Ready", set()), ("Pending", {"requests"})],
    ids=["its request went with its configuration", "it waits for its first request"],
)
def test_without_the_request_of_one_check_no_entry_is_written(other_state, statements):
    stored = reserved()
    stored["status"]["admissionChecks"].append({"name": "k-2", "state": other_state, "message": ""})
    checks = [CHECK, {**CHECK, "metadata": {"name": "k-2"}}]

    shown = cluster(stored, request(1, "Accepted", "Provisioned"), checks=checks)

    assert broken(shown) == statements


def test_without_its_configuration_a_check_is_inactive_and_requests_nothing():
    shown = cluster(reserved("Pending", "the check is not active"), configs=())

    assert broken(shown) == {"active"}
    inactive = deepcopy(CHECK)
    inactive["status"]["conditions"] = [{**condition("Active", "False"), "reason": "BadParametersRef"}]
    shown = cluster(reserved("Pending", "the check is not active"), configs=(), checks=[inactive])
    assert broken(shown) == set()


UPDATES = [
    {
        "name": "main",
        "annotations": {
            "autoscaling.x-k8s.io/consume-provisioning-request": "w-k-1",
            "autoscaling.x-k8s.io/provisioning-class-name": CLASS,
        },
    }
]


@pytest.mark.parametrize(("updates", "statements"), [(UPDATES, set()), ([], {"verdicts"})])
def test_a_ready_entry_lets_pods_use_the_request(updates, statements):
    stored = reserved("Ready", "Provisioned", podSetUpdates=updates)

    assert broken(cluster(stored, request(1, "Provisioned")), single_act=Act.of("approve")) == statements


LABELLED = {"example.com/zone": "zone-1"}


@pytest.mark.parametrize(
    ("selector", "statements"),
    [(LABELLED, set()), ({}, {"verdicts"}), ({**LABELLED, "example.com/rack": ""}, {"verdicts"})],
    ids=["the detail that is there", "none", "also a detail that is missing"],
)
def test_nodes_are_labelled_by_the_details_that_are_there(selector, statements):
    stored = reserved("Ready", "Provisioned", podSetUpdates=[{**UPDATES[0], "nodeSelector": selector}])
    answered = request(1, "Provisioned")
    answered["status"]["provisioningClassDetails"] = {"zone": "zone-1"}
    labels = [
        {"key": f"example.com/{detail}", "valueFromProvisioningClassDetail": detail}
        for detail in ("zone", "rack")
    ]
    configured = {**CONFIG, "spec": {**CONFIG["spec"], "podSetUpdates": {"nodeSelector": labels}}}

    shown = cluster(stored, answered, configs=[configured])

    assert broken(shown, single_act=Act.of("approve")) == statements


def with_a_second_pod_set(flavor="f", **fields):
    """Return a Workload with a pod set like its first, but for some fields of its pods."""
    stored = reserved()
    second = deepcopy(stored["spec"]["podSets"][0])
    second["name"] = "second"
    second["template"]["spec"] |= fields
    stored["spec"]["podSets"].append(second)
    assignments = stored["status"]["admission"]["podSetAssignments"]
    assignments.append({**deepcopy(assignments[0]), "name": "second"})
    assignments[1]["flavors"] = {**assignments[0]["flavors"], "cpu": flavor}
    return stored


def merging(policy):
    return {**CONFIG, "spec": {**CONFIG["spec"], "podSetMergePolicy": policy}}


TEMPLATES_ALIKE, SCHEDULED_ALIKE = "IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"
ANOTHER_IMAGE = [{**POD["containers"][0], "image": "another"}]


@pytest.mark.parametrize(
    ("policy", "fields", "is_merged"),
    [
        pytest.param(TEMPLATES_ALIKE, {}, True, id="the same templates"),
        pytest.param(TEMPLATES_ALIKE, {"containers": ANOTHER_IMAGE}, False, id="another image"),
        pytest.param(SCHEDULED_ALIKE, {"containers": ANOTHER_IMAGE}, True, id="scheduled alike"),
        pytest.param(SCHEDULED_ALIKE, {"tolerations": [TOLERATION]}, False, id="scheduled otherwise"),
    ],
)
def test_pod_sets_that_are_alike_are_requested_as_one(policy, fields, is_merged):
    stored = with_a_second_pod_set(**fields)

    shown = cluster(stored, request(pods=2), configs=[merging(policy)])

    assert broken(shown) == (set() if is_merged else {"content", "templates"})


def test_whether_pod_sets_of_other_flavors_are_merged_is_open():
    stored = with_a_second_pod_set(flavor="other")

    shown = cluster(stored, request(pods=1), configs=[merging(TEMPLATES_ALIKE)])

    assert broken(shown) == set()


RETRY = "Retrying after failure: the autoscaler says Failed"


@pytest.mark.parametrize(
    ("count", "entry", "is_broken"),
    [
        (0, {"state": "Retry", "message": RETRY, "requeueAfterSeconds": 60}, False),
        (0, {"state": "Retry", "message": RETRY, "requeueAfterSeconds": 30}, True),
        (0, {"state": "Retry", "message": "again", "requeueAfterSeconds": 60}, True),
        (0, {"state": "Rejected", "message": "the autoscaler says Failed"}, True),
        (1, {"state": "Rejected", "message": "the autoscaler says Failed"}, False),
        (1, {"state": "Retry", "message": RETRY, "requeueAfterSeconds": 120}, True),
    ],
)
def test_a_failure_is_tried_again_up_to_the_limit(count, entry, is_broken):
    before = reserved(retryCount=count)
    after = reserved()
    after["status"]["admissionChecks"] = [{"name": "k", "retryCount": count, **entry}]

    shown = broken(cluster(after, request(count + 1, "Failed")), changes=[write_of_kueue(before, after)])

    assert ("failures" in shown) == is_broken
