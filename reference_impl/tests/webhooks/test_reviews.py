"""Reviews in, answers out (AC-003, AC-005, AC-007, C-11, C-12)."""

import base64
import json

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.features import Features
from reference_impl.kueue.managed_namespaces import ManagedNamespaces
from reference_impl.kueue.webhooks.defaults import DefaultingSettings
from reference_impl.kueue.webhooks.reviews import Reviewer, ReviewError

from .objects import RESERVED, amount, group, hook, workload

NEW = "kueue.x-k8s.io/v1beta2"
IN_USE = "kueue.x-k8s.io/resource-in-use"
REVIEWER = Reviewer("v0.19")


def review(obj, old=None):
    request = {"uid": "u", "operation": "UPDATE" if old else "CREATE", "object": obj, "oldObject": old}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


def queue(spec=None, **metadata):
    body = {"apiVersion": NEW, "kind": "ClusterQueue", "metadata": {"name": "q", **metadata}}
    return body if spec is None else {**body, "spec": spec}


def job(labels, **spec):
    return {"metadata": {"name": "j", "labels": labels}, "spec": {"parallelism": 1, **spec}}


def patch(kind, obj, reviewer=REVIEWER):
    response = reviewer.mutate(hook(kind), review(obj))["response"]
    assert response["allowed"]
    return json.loads(base64.b64decode(response["patch"])) if "patch" in response else []


FINALIZER = {"op": "add", "path": "/metadata/finalizers", "value": [IN_USE]}
BARE = queue({"resourceGroups": [group(["cpu"], f=[{"name": "cpu"}])]})
AMOUNT = "/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota"


@pytest.mark.parametrize(
    ("obj", "changes"),
    [
        pytest.param(queue({}), [FINALIZER], id="AC-007 finalizer"),
        pytest.param(
            queue(),
            [FINALIZER, {"op": "add", "path": "/spec", "value": {}}],
            id="C-11 no spec is an empty spec",
        ),
        pytest.param(
            BARE,
            [FINALIZER, {"op": "add", "path": AMOUNT, "value": "0"}],
            id="C-11 no quota is a quota of zero",
        ),
        pytest.param(
            queue({"resourceGroups": [group(["cpu"], f=[amount(nominal="1000m")])]}),
            [FINALIZER, {"op": "replace", "path": AMOUNT, "value": "1"}],
            id="C-11 quantities in their own form",
        ),
        pytest.param(
            queue({"noSuchField": 1, "cohortName": ""}), [FINALIZER], id="C-11 nothing is taken away"
        ),
        pytest.param({**BARE, "metadata": {"finalizers": [IN_USE]}}, [], id="C-11 nothing to fill in"),
    ],
)
def test_what_a_new_cluster_queue_gets(obj, changes):
    ours = [change for change in patch("ClusterQueue", obj) if change["path"] != "/status"]

    assert ours == changes


NOWHERE = ManagedNamespaces({"matchLabels": {"batch": "yes"}})
"""No namespace has these labels, as long as no manager follows them."""


@pytest.mark.parametrize(
    ("obj", "settings", "changes"),
    [
        pytest.param(
            job({"kueue.x-k8s.io/queue-name": "lq"}),
            DefaultingSettings(),
            [{"op": "add", "path": "/spec/suspend", "value": True}],
            id="for a queue",
        ),
        pytest.param(
            job({"kueue.x-k8s.io/queue-name": "lq"}, suspend=True),
            DefaultingSettings(),
            [],
            id="suspended already",
        ),
        pytest.param(job({}), DefaultingSettings(), [], id="not managed by Kueue"),
        pytest.param(
            job({}, suspend=False),
            DefaultingSettings(manages_all_jobs=True),
            [{"op": "replace", "path": "/spec/suspend", "value": True}],
            id="when all are Kueue's",
        ),
        pytest.param(
            job({}, suspend=False),
            DefaultingSettings(manages_all_jobs=True, namespaces=NOWHERE),
            [],
            id="when all of other namespaces are Kueue's",
        ),
        pytest.param(
            job({"kueue.x-k8s.io/queue-name": "lq"}),
            DefaultingSettings(namespaces=NOWHERE),
            [{"op": "add", "path": "/spec/suspend", "value": True}],
            id="AC-339 for a queue, where Jobs are not managed",
        ),
    ],
)
def test_which_new_jobs_are_held_back(obj, settings, changes):
    """AC-330."""
    assert patch("Job", obj, Reviewer("v0.19", settings)) == changes


CLASS = "kueue.x-k8s.io/priority-class"
LABELLED = [{"op": "add", "path": f"/metadata/labels/{CLASS.replace('/', '~1')}", "value": "default"}]
GATE = "WorkloadPriorityClassDefaulting"
PARENT = {"apiVersion": "batch/v1", "kind": "Job", "name": "p", "uid": "p", "controller": True}


@pytest.mark.parametrize(
    ("dialect", "gates", "classes", "changes"),
    [
        pytest.param("0.20.0", {}, {"default"}, LABELLED, id="by default"),
        pytest.param("0.20.0-devel", {}, {"default"}, LABELLED, id="on main"),
        pytest.param("0.20.0", {}, {"other"}, [], id="no such class"),
        pytest.param("0.20.0", {GATE: False}, {"default"}, [], id="off"),
        pytest.param("0.19.2", {}, {"default"}, [], id="off by default"),
        pytest.param("0.19.2", {GATE: True}, {"default"}, LABELLED, id="on"),
    ],
)
def test_which_release_gives_jobs_a_priority_class(dialect, gates, classes, changes):
    """KV-19."""
    known = {Key("", name) for name in classes}
    settings = DefaultingSettings(Features(gates), priority_classes=known)

    assert patch("Job", job({}), Reviewer(dialect, settings)) == changes


@pytest.mark.parametrize(
    ("dialect", "changes"),
    [
        pytest.param("0.20.0-devel", LABELLED, id="not on main"),
        pytest.param("0.19.5", LABELLED, id="not yet"),
        pytest.param("0.19.6", [], id="0.19.6"),
        pytest.param("0.20.0", [], id="0.20.0"),
    ],
)
def test_which_release_gives_no_class_where_jobs_are_not_managed(dialect, changes):
    """KV-19."""
    settings = DefaultingSettings(
        Features({GATE: True}), priority_classes={Key("", "default")}, namespaces=NOWHERE
    )

    assert patch("Job", job({}), Reviewer(dialect, settings)) == changes


@pytest.mark.parametrize(
    ("labels", "owner", "changes"),
    [
        pytest.param({CLASS: "high"}, None, [], id="names another"),
        pytest.param({}, PARENT, [], id="of a Job"),
        pytest.param({}, PARENT | {"controller": False}, LABELLED, id="of a Job that does not control it"),
        pytest.param({}, PARENT | {"kind": "CronJob"}, LABELLED, id="of a CronJob"),
    ],
)
def test_which_jobs_get_a_priority_class(labels, owner, changes):
    """KV-19."""
    obj = job(labels)
    if owner:
        obj["metadata"]["ownerReferences"] = [owner]
    settings = DefaultingSettings(priority_classes={Key("", "default")})

    assert patch("Job", obj, Reviewer("v0.20", settings)) == changes


def test_a_job_without_labels_gets_its_first_label():
    """KV-19."""
    obj = {"metadata": {"name": "j"}, "spec": {}}
    settings = DefaultingSettings(priority_classes={Key("", "default")})

    changes = [{"op": "add", "path": "/metadata/labels", "value": {CLASS: "default"}}]
    assert patch("Job", obj, Reviewer("v0.20", settings)) == changes


@pytest.mark.parametrize(
    ("partial", "expected"),
    [pytest.param(True, True, id="with partial admission"), pytest.param(False, False, id="without")],
)
def test_smaller_groups_need_partial_admission(partial, expected):
    """AC-094."""
    settings = DefaultingSettings(Features({"PartialAdmission": partial}))
    default = hook("Workload").default

    filled = default({"spec": {"podSets": [{"name": "main", "minCount": 1}]}}, settings)

    assert ("minCount" in filled["spec"]["podSets"][0]) is expected


def status_of(answer):
    assert answer["response"]["uid"] == "u"
    assert answer["response"]["allowed"] is False
    return answer["response"]["status"]


def test_one_thing_that_is_wrong_stands_bare():
    bad = queue({"fairSharing": {"weight": "-1"}})

    assert status_of(REVIEWER.validate(hook("ClusterQueue"), review(bad))) == {
        "code": 403,
        "reason": "Forbidden",
        "message": 'spec.fairSharing: Invalid value: "-1": must be greater than or equal to 0',
    }


def test_several_stand_in_brackets():
    """AC-003."""
    bad = queue({"resourceGroups": [group(["cpu"], f=[amount(nominal="-1", lendingLimit="-2")])]})
    spot = "spec.resourceGroups[0].flavors[0].resources[0]"

    assert status_of(REVIEWER.validate(hook("ClusterQueue"), review(bad)))["message"] == (
        f'[{spot}.nominalQuota: Invalid value: "-1": must be greater than or equal to 0, '
        f'{spot}.lendingLimit: Invalid value: "-2": must be greater than or equal to 0, '
        f'{spot}.lendingLimit: Invalid value: "-2": must be nil when cohort is empty]'
    )


def test_an_object_that_does_not_decode_is_a_bad_request():
    """C-12: 400 without a reason."""
    bad = queue({"resourceGroups": [group(["cpu"], f=[amount(nominal="lots")])]})

    assert status_of(REVIEWER.mutate(hook("ClusterQueue"), review(bad))) == {
        "code": 400,
        "message": "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    }


def test_the_same_amount_in_another_form_is_no_change():
    """AC-161."""
    old, new = ({"cpu": amount} for amount in ("1", "1000m"))
    objects = [
        {
            **workload(
                {
                    "name": "main",
                    "count": 1,
                    "template": {"spec": {"containers": [{"name": "c", "resources": {"requests": obj}}]}},
                },
                conditions=[RESERVED],
                admission={"clusterQueue": "q"},
            ),
            "apiVersion": NEW,
            "kind": "Workload",
        }
        for obj in (new, old)
    ]

    assert REVIEWER.validate(hook("Workload"), review(*objects))["response"]["allowed"] is True


def conversion(*objects, to=NEW):
    request = {"uid": "u", "desiredAPIVersion": to, "objects": list(objects)}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}


def old_queue(spec):
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "ClusterQueue",
        "metadata": {"name": "q"},
        "spec": spec,
    }


def test_a_conversion_review_is_answered_object_by_object():
    """AC-004, AC-200."""
    response = REVIEWER.convert(conversion(old_queue({"cohort": "a"}), old_queue({"cohort": "b"})))[
        "response"
    ]

    assert response["result"] == {"status": "Success"}
    assert [converted["spec"] for converted in response["convertedObjects"]] == [
        {"cohortName": "a"},
        {"cohortName": "b"},
    ]


def test_one_object_that_fails_fails_all():
    """C-12."""
    response = REVIEWER.convert(conversion(old_queue({}), old_queue({"cohort": 5})))["response"]

    assert response == {
        "uid": "u",
        "result": {
            "status": "Failure",
            "message": "json: cannot unmarshal number into Go struct field ClusterQueueSpec.spec.cohort of type v1beta1.CohortReference",
        },
    }


@pytest.mark.parametrize(
    "body",
    [
        pytest.param([], id="a list"),
        pytest.param({"kind": "AdmissionReview"}, id="no version"),
        pytest.param(conversion(), id="another review"),
        pytest.param({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}, id="no request"),
    ],
)
def test_what_is_no_review(body):
    with pytest.raises(ReviewError, match="expected"):
        REVIEWER.validate(hook("Workload"), body)


def test_what_may_not_change_is_quoted_as_go_writes_it():
    """AC-161, C-18."""
    objects = [
        {
            **workload(
                {
                    "count": count,
                    "template": {"spec": {"containers": [{"image": "a<b", "name": "c"}]}},
                    "name": "main",
                },
                conditions=[RESERVED],
                admission={"clusterQueue": "q"},
            ),
            "apiVersion": NEW,
            "kind": "Workload",
        }
        for count in (2, 1)
    ]

    assert status_of(REVIEWER.validate(hook("Workload"), review(*objects)))["message"] == (
        'spec.podSets.0: Invalid value: {"name":"main","template":{"metadata":{},"spec":{"containers":'
        '[{"name":"c","image":"a\\u003cb","resources":{}}]}},"count":2}: field is immutable'
    )


@pytest.mark.parametrize(
    ("sent", "quoted"),
    [pytest.param({"podSetUpdates": []}, "[]", id="none"), pytest.param({}, "null", id="left out")],
)
def test_no_updates_are_quoted_as_they_were_sent(sent, quoted):
    """AC-127, R-07."""
    entry = {"name": "c", "state": "Ready", "message": "", "lastTransitionTime": "t"}
    answered = {**entry, "podSetUpdates": [{"name": "main", "labels": {"a": "b"}}]}
    objects = [
        {**workload(admissionChecks=[update]), "apiVersion": NEW, "kind": "Workload"}
        for update in ({**entry, **sent}, answered)
    ]

    message = status_of(REVIEWER.validate(hook("Workload"), review(*objects)))["message"]

    assert message == f"status.admissionChecks[0].podSetUpdates: Invalid value: {quoted}: field is immutable"
