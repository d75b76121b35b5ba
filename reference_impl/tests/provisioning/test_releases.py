"""Earlier releases, and what replaces defects of the newest (C2, design.md §8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue import defects, dialects
from reference_impl.kueue.provisioning import messages, templates, updates
from reference_impl.kueue.provisioning.config import ProvisioningConfig, RetryStrategy
from reference_impl.kueue.provisioning.decide import answers, current_answer
from reference_impl.kueue.provisioning.steps import (
    CreateRequest,
    CreateTemplates,
    DeleteRequest,
    ReportChecks,
    RequeueLater,
    StateChange,
    Step,
    TransferTemplates,
    WriteChecks,
)

from .objects import (
    CLASS,
    CORRECTED,
    RULES,
    TIME,
    assigned,
    condition,
    entry,
    pod_set,
    request,
    snapshot,
    workload,
)

V0_6 = dialects.dialect("v0.6").provisioning
V0_9 = dialects.dialect("docs-2024").provisioning
BROKEN = condition("Failed", message="no room")
ROOM = condition("Provisioned", message="found")
AT = instants.parse(TIME)


def steps(rules: Any, *args: Any, **fields: Any) -> tuple[Step, ...]:
    of = snapshot(*args, **fields)
    return rules.decide(of, rules)  # type: ignore[no-any-return]


def answer(rules: Any, *args: Any, **fields: Any) -> Any:
    of = snapshot(*args, **fields)
    return answers(of, tuple(current_answer(of, check, rules) for check in of.checks), rules).get("c1")


# Releases


@pytest.mark.parametrize(
    ("attempt", "passed", "expected"),
    [
        (1, 59, RequeueLater(1.0)),
        (1, 60, "wl-c1-2"),
        (2, 119, RequeueLater(1.0)),
        (3, 240, "wl-c1-4"),
    ],
)
def test_v0_6_waits_where_it_is(attempt: int, passed: int, expected: Any) -> None:
    """DK-05, DK-06: no eviction; the next request is made when its time has come."""
    failing = request(BROKEN, name=f"wl-c1-{attempt}")
    message = "Retrying after failure: no room"
    before = workload(entries=[entry(message=message)])
    decided = steps(V0_6, before, failing, current_time=AT + passed, template=lambda _: {"metadata": {}})
    if isinstance(expected, RequeueLater):
        assert [step for step in decided if not isinstance(step, TransferTemplates)] == [expected]
    else:
        assert [step.object["metadata"]["name"] for step in decided if isinstance(step, CreateRequest)] == [
            expected
        ]


def test_v0_6_gives_up_after_the_third_retry() -> None:
    """DK-07."""
    assert answer(V0_6, workload(), request(BROKEN, name="wl-c1-3"))["state"] == "Pending"
    assert answer(V0_6, workload(), request(BROKEN, name="wl-c1-4")) == entry(
        state="Rejected", message="no room"
    )


def test_v0_6_reads_two_conditions_only() -> None:
    """DK-09, DK-10, DK-21, DK-22."""
    assert answer(V0_6, workload(), request(condition("CapacityRevoked"))) == entry()
    written = answer(V0_6, workload(), request(ROOM))
    assert (written["state"], written["message"]) == ("Ready", "")
    assert written["podSetUpdates"] == [
        {"name": "main", "annotations": {updates.CONSUMES_V0_6: "wl-c1-1"}},
    ]


def test_v0_6_request() -> None:
    """DK-02, DK-13, DK-17…20: request first, no label, limits stay limits, no parameters of annotations."""
    limited = pod_set()
    limited["template"]["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "1"}}
    of = workload(pod_sets=[limited], annotations={"provreq.kueue.x-k8s.io/a": "b"})
    (step,) = steps(V0_6, of)
    assert isinstance(step, CreateRequest)
    assert step.object["apiVersion"] == "autoscaling.x-k8s.io/v1beta1"
    assert "labels" not in step.object["metadata"]
    assert step.object["spec"]["parameters"] == {}
    assert step.is_request_first
    (container,) = step.templates[0].object["template"]["spec"]["containers"]
    assert container["resources"] == {"limits": {"cpu": "1"}}


def test_v0_6_makes_missing_templates_again() -> None:
    """DK-13."""
    (step,) = steps(V0_6, workload(), request())
    assert isinstance(step, CreateTemplates)
    assert [template.name for template in step.templates] == ["ppt-wl-c1-1-main"]


def test_v0_6_keeps_requests_by_reservation() -> None:
    """DK-11, DK-12."""
    lost = steps(V0_6, workload("Requeued"), request())
    assert [type(step) for step in lost] == [DeleteRequest]
    running = workload("QuotaReserved", "Admitted", entries=[entry(state="Ready")])
    assert steps(V0_6, running, request(ROOM), request(name="wl-c1-0")) == ()


def test_v0_6_compares_counts_and_all_parameters() -> None:
    """DK-15, DK-16."""
    two = workload(pod_sets=[pod_set(count=2)])
    assert [type(step) for step in steps(V0_6, two, request())] == [DeleteRequest, CreateRequest]
    with_extra = request(parameters={"extra": "1"})
    assert [type(step) for step in steps(V0_6, workload(), with_extra)] == [DeleteRequest, CreateRequest]


def test_v0_9_keeps_the_wait_beside_the_checks() -> None:
    """DK-43, DK-48: for the Workload as a whole."""
    config = {"c1": ProvisioningConfig(class_name=CLASS, retry=RetryStrategy(3, 60, 1800))}
    (step,) = steps(V0_9, workload(), request(BROKEN), configs=config, current_time=AT)
    assert isinstance(step, WriteChecks)
    assert step.requeue == {"count": 1, "requeueAt": instants.render(AT + 60)}
    (after,) = step.entries
    assert after["state"] == "Retry"
    assert "requeueAfterSeconds" not in after


def test_v0_9_knows_both_families_of_annotations() -> None:
    """DK-43."""
    (update,) = answer(V0_9, workload(), request(ROOM))["podSetUpdates"]
    assert set(update["annotations"]) == {
        "autoscaling.x-k8s.io/consume-provisioning-request",
        "autoscaling.x-k8s.io/provisioning-class-name",
        "cluster-autoscaler.kubernetes.io/consume-provisioning-request",
        "cluster-autoscaler.kubernetes.io/provisioning-class-name",
    }


def test_the_gate_was_off_in_v0_6() -> None:
    """DK-01, DK-41."""
    assert [step.is_enabled_by_default for step in (V0_6, V0_9, RULES)] == [False, True, True]


# Defects: what the release does, and what replaces it

RUNNING = workload("QuotaReserved", "Admitted", entries=[entry(state="Ready", message="m")])
ETA = (condition("Accepted"), condition("Provisioned", "False", "later"))


@pytest.mark.parametrize(
    ("args", "released", "corrected"),
    [
        pytest.param((RUNNING, request(*ETA)), "Pending", "Ready", id="PA-080"),
        pytest.param((RUNNING, request()), "Pending", "Ready", id="PA-082"),
        pytest.param((RUNNING, request(BROKEN)), "Retry", "Ready", id="PA-083"),
    ],
)
def test_running_workloads_are_left_alone(args: Any, released: str, corrected: str) -> None:
    """What they asked for was given."""
    assert answer(RULES, *args)["state"] == released
    assert answer(CORRECTED, *args)["state"] == corrected


def test_a_configuration_that_is_deleted() -> None:
    """PA-136: turns the check of a running Workload back."""
    for rules, state in ((RULES, "Pending"), (CORRECTED, "Ready")):
        assert answer(rules, RUNNING, request(ROOM), configs={"c1": None})["state"] == state


def test_a_configuration_that_changes_under_a_running_workload() -> None:
    """PA-131: takes its request."""
    other = {"c1": ProvisioningConfig(class_name="other")}
    assert [type(step) for step in steps(RULES, RUNNING, request(ROOM), configs=other)] == [DeleteRequest]
    assert steps(CORRECTED, RUNNING, request(ROOM), configs=other) == ()


def test_an_annotation_that_overrides_a_parameter() -> None:
    """PA-133: makes a request that never fits."""
    of = workload(annotations={"provreq.kueue.x-k8s.io/a": "mine"})
    config = {"c1": ProvisioningConfig(class_name=CLASS, parameters={"a": "theirs"})}
    with_own = request(parameters={"a": "mine"})
    assert [type(step) for step in steps(RULES, of, with_own, configs=config)] == [
        DeleteRequest,
        CreateRequest,
    ]
    assert steps(CORRECTED, of, with_own, configs=config) == ()


def test_a_request_that_is_deleted_during_the_wait() -> None:
    """PC-03: is made again, and the retry is lost."""
    of = workload(entries=[entry(state="Retry", requeueAfterSeconds=60)])
    assert [type(step) for step in steps(RULES, of)] == [CreateRequest]
    assert steps(CORRECTED, of) == ()


def test_one_check_without_a_request() -> None:
    """PA-072: keeps the answer of the other from being written, but not from being told of."""
    of = workload(entries=[entry("a"), entry("c1")])
    first, *_ = steps(RULES, of, request(ROOM))
    assert first == ReportChecks((StateChange("c1", "Pending", "Ready", "found"),))
    write, *_ = steps(CORRECTED, of, request(ROOM))
    assert isinstance(write, WriteChecks)
    assert [entry["state"] for entry in write.entries] == ["Pending", "Ready"]


def test_the_longest_message() -> None:
    """PA-158: is too long for the field with the text before it."""
    long = request(condition("Failed", message="x" * 32768))
    assert len(answer(RULES, workload(), long)["message"]) > 32768
    message = answer(CORRECTED, workload(), long)["message"]
    assert (len(message), message[-5:]) == (32768, "x ...")


def test_a_bad_reference_of_another_check() -> None:
    """PA-034: stops everything."""
    of = snapshot(workload(entries=[entry("bad"), entry("c1")]), request(ROOM))
    of = replace(of, checks=(replace(of.checks[0], config=None, problem="wrong"), of.checks[1]))
    assert not any(isinstance(step, WriteChecks) for step in RULES.decide(of, RULES))
    write = next(step for step in CORRECTED.decide(of, CORRECTED) if isinstance(step, WriteChecks))
    assert [(entry["state"], entry["message"]) for entry in write.entries] == [
        ("Pending", "the check is not active"),
        ("Ready", "found"),
    ]


def test_the_time_of_an_answer() -> None:
    """PA-100: the wait of a Retry is counted from it."""
    later = AT + 300
    for rules, time in ((RULES, TIME), (CORRECTED, instants.render(later))):
        decided = steps(rules, workload(), request(BROKEN), current_time=later)
        write = next(step for step in decided if isinstance(step, WriteChecks))
        assert write.entries[0]["lastTransitionTime"] == time


def test_podsets_that_were_merged_away() -> None:
    """PA-088: get no annotation."""
    of = workload(pod_sets=[pod_set("main"), pod_set("other")])
    config = {"c1": ProvisioningConfig(class_name=CLASS, merge_policy="IdenticalPodTemplates")}
    for rules, names in ((RULES, ["main"]), (CORRECTED, ["main", "other"])):
        written = answer(rules, of, request(ROOM), configs=config)
        assert [pod_set_update["name"] for pod_set_update in written["podSetUpdates"]] == names


def test_podsets_on_different_flavors() -> None:
    """PA-064: are asked for on the first one's."""
    both = [pod_set("a"), pod_set("b")]
    of = workload(pod_sets=both, assignments=[assigned("a"), assigned("b", flavor="f2")])
    config = {"c1": ProvisioningConfig(class_name=CLASS, merge_policy="IdenticalPodTemplates")}
    flavors = {name: {"metadata": {"name": name}} for name in ("f1", "f2")}
    for rules, counts in ((RULES, [2]), (CORRECTED, [1, 1])):
        (step,) = steps(rules, of, configs=config, flavors=flavors)
        assert isinstance(step, CreateRequest)
        assert [pod_set["count"] for pod_set in step.object["spec"]["podSets"]] == counts


def test_what_an_earlier_answer_left_behind() -> None:
    """PC-15."""
    stale_fields = {"podSetUpdates": [{"name": "main"}], "requeueAfterSeconds": 60}
    of = workload(entries=[entry(**stale_fields)])
    assert answer(RULES, of, request()) == entry(**stale_fields)
    assert answer(CORRECTED, of, request()) == entry()


def test_details_that_can_be_no_label() -> None:
    """PC-11: make every write of the answer fail."""
    details = {"provisioningClassDetails": {"Long": "x" * 64, "Good": "y"}}
    config = {"c1": ProvisioningConfig(class_name=CLASS, labels=(("a", "Long"), ("b", "Good")))}
    for rules, labels in ((RULES, {"a": "x" * 64, "b": "y"}), (CORRECTED, {"b": "y"})):
        (update,) = answer(rules, workload(), request(ROOM, status=details), configs=config)["podSetUpdates"]
        assert update["nodeSelector"] == labels


def test_a_template_of_a_request_that_is_gone() -> None:
    """PC-08: is used with its old content."""
    owner = {"kind": "ProvisioningRequest", "name": "wl-c1-1", "uid": "gone", "controller": True}
    old = {"metadata": {"name": "ppt-wl-c1-1-main", "ownerReferences": [owner]}}
    for rules, used, replaced in ((RULES, (old,), []), (CORRECTED, (), [old])):
        (step,) = steps(rules, workload(), template=lambda _: old)
        assert isinstance(step, CreateRequest)
        assert step.present == used
        assert [template.replaces for template in step.templates] == replaced


def test_a_template_of_the_request_of_another_workload() -> None:
    """PC-08, fixed: two names that make one (PA-052) take nothing from each other."""
    owner = {"kind": "ProvisioningRequest", "name": "wl-c1-1", "uid": "alive", "controller": True}
    theirs = {"metadata": {"name": "ppt-wl-c1-1-main", "ownerReferences": [owner]}}
    (step,) = steps(CORRECTED, workload(), template=lambda _: theirs, request_uid=lambda _: "alive")
    assert isinstance(step, CreateRequest)
    assert [template.replaces for template in step.templates] == [None]


def test_a_check_that_comes_to_a_workload_that_runs() -> None:
    """PC-13: has room asked for what it has; without the defect it needs none."""
    runs = workload("QuotaReserved", "Admitted", entries=[entry()])
    (step,) = steps(RULES, runs)
    assert isinstance(step, CreateRequest)
    (step,) = steps(CORRECTED, runs)
    assert isinstance(step, WriteChecks)
    assert [(entry["state"], entry["message"]) for entry in step.entries] == [("Ready", messages.NOT_NEEDED)]


def test_a_template_of_something_else_is_left_alone() -> None:
    """PC-08, fixed: it is not made anew; what cannot be made is told."""
    owner = {"kind": "ConfigMap", "name": "cm", "uid": "u", "controller": True}
    for owners in ([owner], []):
        foreign = {"metadata": {"name": "ppt-wl-c1-1-main", "ownerReferences": owners}}
        (step,) = steps(CORRECTED, workload(), template=lambda _, template=foreign: template)
        assert isinstance(step, CreateRequest)
        assert [(template.name, template.replaces) for template in step.templates] == [
            ("ppt-wl-c1-1-main", None)
        ]


@pytest.mark.parametrize(
    "of",
    [
        workload(active=False, entries=[entry()]),
        workload(entries=[entry()], deleted=True),
    ],
    ids=["switched off", "being deleted"],
)
def test_what_is_to_go_is_left_alone_cc_024(of: Any) -> None:
    """The release answers until Kueue evicts the Workload."""
    (written,) = steps(RULES, of, request(ROOM))
    assert isinstance(written, WriteChecks)
    assert steps(CORRECTED, of, request(ROOM)) == ()


def test_a_check_that_is_deleted_pc_12() -> None:
    """It works on in the release; it neither answers nor loses its request without the defect."""
    for rules, expected in ((RULES, [WriteChecks]), (CORRECTED, [])):
        of = snapshot(workload(entries=[entry()]), request(ROOM))
        checks = tuple(replace(check, is_deleting=True) for check in of.checks)
        decided = rules.decide(replace(of, checks=checks), rules)
        assert [type(step) for step in decided] == expected


def test_a_refusal_without_a_word_is_explained_cc_036() -> None:
    """An autoscaler may give a condition an empty message."""
    revoked = request(condition("CapacityRevoked", message=""))
    assert answer(RULES, workload(entries=[entry()]), revoked)["message"] == ""
    written = answer(CORRECTED, workload(entries=[entry()]), revoked)
    assert (written["state"], written["message"]) == ("Rejected", messages.NO_REASON)


def test_a_reason_that_was_given_is_passed_on_cc_036() -> None:
    """Words of the autoscaler stay what they are."""
    revoked = condition("CapacityRevoked", message="the nodes are gone")
    written = answer(CORRECTED, workload(entries=[entry()]), request(revoked))
    assert written["message"] == "the nodes are gone"


def test_every_defect_of_the_check_is_in_the_release() -> None:
    """A row that replaces nothing would be a row for nothing."""
    provisioning = [
        defect
        for defect in defects.DEFECTS
        if defects.without(dialects.dialect("v0.19"), (defect,)).provisioning != RULES
    ]
    assert len(provisioning) == 27


@pytest.mark.parametrize(
    ("change", "is_used"),
    [
        ({}, True),
        ({"dnsPolicy": "ClusterFirst"}, True),
        ({"nodeSelector": {"pool": "other"}}, False),
        ({"containers": [{"name": "other"}]}, False),
        ({"containers": []}, False),
    ],
    ids=["equal", "a default of the server", "a node selector", "another container", "none"],
)
def test_a_template_is_used_for_its_contents_kv_043(change: Any, is_used: bool) -> None:
    expected = {"template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c"}]}}}
    present = {
        "template": {**expected["template"], "spec": {**expected["template"]["spec"], **change}},
        "metadata": {"uid": "u"},
    }

    assert templates.has_expected_contents(present, expected, workload()) is is_used
