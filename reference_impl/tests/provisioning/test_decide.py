"""The next steps, and their order (PA-030…036, PA-055…068, PC-03, PC-07, PC-08)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.kueue.provisioning.config import ProvisioningConfig
from reference_impl.kueue.provisioning.decide import decide
from reference_impl.kueue.provisioning.steps import (
    CreateRequest,
    DeleteRequest,
    Fail,
    StateChange,
    Step,
    TransferTemplates,
    WriteChecks,
)

from .objects import CLASS, RULES, assigned, condition, entry, pod_set, request, snapshot, workload

BROKEN = condition("Failed", message="no room")
ROOM = condition("Provisioned", message="found")
WORKLOAD_OWNER = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "Workload",
    "name": "wl",
    "uid": "wl-uid",
    "controller": True,
    "blockOwnerDeletion": True,
}


def steps(*args: Any, **fields: Any) -> tuple[Step, ...]:
    return decide(snapshot(*args, **fields), RULES)


def created_names(decided: tuple[Step, ...]) -> list[str]:
    return [step.object["metadata"]["name"] for step in decided if isinstance(step, CreateRequest)]


def test_a_request_with_its_template() -> None:
    """PA-057…067: the exact objects."""
    of = workload(
        annotations={"provreq.kueue.x-k8s.io/a": "mine", "other/b": "x"},
        pod_sets=[pod_set(count=3, requests={"cpu": "1"}, nodeSelector={"own": "1"})],
    )
    config = ProvisioningConfig(class_name=CLASS, parameters={"a": "theirs", "c": "d"})

    (step,) = steps(of, configs={"c1": config})

    assert isinstance(step, CreateRequest)
    assert step.object == {
        "apiVersion": "autoscaling.x-k8s.io/v1",
        "kind": "ProvisioningRequest",
        "metadata": {
            "name": "wl-c1-1",
            "namespace": "ns",
            "labels": {"kueue.x-k8s.io/managed": "true"},
            "ownerReferences": [WORKLOAD_OWNER],
        },
        "spec": {
            "provisioningClassName": CLASS,
            "parameters": {"a": "mine", "c": "d"},
            "podSets": [{"podTemplateRef": {"name": "ppt-wl-c1-1-main"}, "count": 3}],
        },
    }
    (template,) = step.templates
    assert template.object["metadata"] == {
        "name": "ppt-wl-c1-1-main",
        "namespace": "ns",
        "labels": {"kueue.x-k8s.io/managed": "true"},
        "ownerReferences": [WORKLOAD_OWNER],
    }
    assert template.object["template"]["spec"]["nodeSelector"] == {"own": "1", "pool": "f1"}


@pytest.mark.parametrize(
    "conditions", [("Evicted",), ("Evicted", "QuotaReserved"), ("Finished",), ("Finished", "QuotaReserved")]
)
def test_what_is_over_loses_all_requests(conditions: Any) -> None:
    """PA-032: those that are no check's too."""
    decided = steps(workload(*conditions), request(), request(name="wl-old-7"))
    assert [step.request.name for step in decided if isinstance(step, DeleteRequest)] == [
        "wl-c1-1",
        "wl-old-7",
    ]
    assert len(decided) == 2


def test_without_a_reservation_nothing_is_touched() -> None:
    """PA-031, PC-01."""
    assert steps(workload("Requeued"), request(ROOM), request(name="wl-old-7")) == ()


def test_an_evicted_workload_keeps_them_where_the_gate_is_off() -> None:
    """PA-032."""
    off = replace(RULES, deletes_requests_on_eviction=False)
    assert decide(snapshot(workload("Evicted", "QuotaReserved"), request()), off) == ()


def test_a_bad_reference_stops_everything() -> None:
    """PA-034."""
    of = snapshot(workload(entries=[entry("bad"), entry("c1")]), request(ROOM))
    bad, good = of.checks
    of = replace(of, checks=(replace(bad, config=None, problem="wrong"), good))
    assert decide(of, RULES) == (Fail("wrong"),)


def test_quota_for_other_podsets() -> None:
    """PA-042."""
    assert steps(workload(assignments=[assigned("other")])) == (
        Fail('inconsistent podSet assignments: missing assignment for PodSet "main"'),
    )


def test_answers_come_first_then_deletions() -> None:
    """PA-035, PA-036: the highest attempt that fits counts, the others go."""
    stale = request(ROOM, name="wl-c1-3", provisioningClassName="other")
    decided = steps(workload(), request(name="wl-c1-1"), request(ROOM, name="wl-c1-2"), stale)
    write, *gone = decided
    assert isinstance(write, WriteChecks)
    assert write.changes == (StateChange("c1", "Pending", "Ready", "found"),)
    assert [step.request.name for step in gone if isinstance(step, DeleteRequest)] == ["wl-c1-1", "wl-c1-3"]
    assert len(gone) == 2


def test_another_class_asks_again_under_the_same_number() -> None:
    """PA-130; a check that is Ready does not (PA-131)."""
    other = {"c1": ProvisioningConfig(class_name="other")}
    pending = steps(workload(entries=[entry(retryCount=1)]), request(name="wl-c1-2"), configs=other)
    assert [type(step) for step in pending] == [DeleteRequest, CreateRequest]
    assert created_names(pending) == ["wl-c1-2"]
    ready = steps(workload(entries=[entry(state="Ready")]), request(ROOM), configs=other)
    assert [type(step) for step in ready] == [DeleteRequest]


@pytest.mark.parametrize(
    ("state", "retries", "conditions", "attempt"),
    [
        pytest.param("Pending", 0, None, 1, id="PA-055 first"),
        pytest.param("Pending", 2, None, 3, id="PA-055 after two evictions"),
        pytest.param("Pending", 1, (BROKEN,), 2, id="PA-074 an old one failed"),
        pytest.param("Pending", 1, (condition("BookingExpired"),), 2, id="PA-077"),
        pytest.param("Pending", 0, (ROOM,), None, id="PA-055 there is one"),
        pytest.param("Retry", 0, (BROKEN,), None, id="PA-056"),
        pytest.param("Retry", 0, None, 1, id="PC-03"),
        pytest.param("Ready", 0, None, None, id="PA-084c"),
    ],
)
def test_attempt(state: str, retries: int, conditions: Any, attempt: int | None) -> None:
    """Which request is made now, if any."""
    requests = () if conditions is None else (request(*conditions),)
    decided = steps(workload(entries=[entry(state=state, retryCount=retries)]), *requests)
    assert created_names(decided) == ([] if attempt is None else [f"wl-c1-{attempt}"])


def test_a_template_that_is_there_is_used() -> None:
    """PA-068: whatever is in it."""
    template = {"metadata": {"name": "ppt-wl-c1-1-main"}, "template": {"spec": {}}}
    (step,) = steps(workload(), template=lambda _: template)
    assert isinstance(step, CreateRequest)
    assert (step.templates, step.present) == ((), (template,))


def test_a_template_that_cannot_be_made() -> None:
    """PC-09, C-25: a conflict of labels, and a flavor that is gone."""
    conflict = workload(pod_sets=[pod_set(nodeSelector={"pool": "mine"})])
    (step,) = steps(conflict)
    assert isinstance(step, CreateRequest)
    assert step.templates[0].problem == (
        "invalid admission check PodSetUpdate: conflict for nodeSelector: "
        "conflict for key=pool, value1=mine, value2=f1"
    )
    (step,) = steps(workload(), flavors={})
    assert isinstance(step, CreateRequest)
    assert step.templates[0].problem == 'ResourceFlavor.kueue.x-k8s.io "f1" not found'


def make_owned(kind: str, name: str, uid: str, group: str = "autoscaling.x-k8s.io/v1") -> Any:
    owner = {"apiVersion": group, "kind": kind, "name": name, "uid": uid, "controller": True}
    return {"metadata": {"name": "ppt-wl-c1-1-main", "ownerReferences": [owner]}}


@pytest.mark.parametrize(
    "template",
    [
        make_owned("Workload", "wl", "wl-uid", "kueue.x-k8s.io/v1beta2"),
        make_owned("ProvisioningRequest", "wl-c1-1", "an older one"),
    ],
)
def test_a_template_comes_to_belong_to_its_request(template: Any) -> None:
    """PA-067, PC-08."""
    (step,) = steps(workload(), request(), template=lambda _: template)
    assert isinstance(step, TransferTemplates)
    (new,) = step.templates
    assert [
        (owner_reference["kind"], owner_reference["uid"])
        for owner_reference in new["metadata"]["ownerReferences"]
    ] == [("ProvisioningRequest", "wl-c1-1-uid")]
    assert steps(workload(), request(), template=lambda _: new) == ()


def test_a_template_of_something_else_is_used_with_complaints() -> None:
    """PC-08."""
    template = make_owned("ConfigMap", "cm", "u", "v1")
    assert steps(workload(), request(), template=lambda _: template) == (
        Fail("already owned by another ConfigMap controller cm"),
    )


def test_what_others_made_under_the_name_of_a_workload() -> None:
    """PC-07, RG-K06: the release takes it for its own, what replaces that does not."""
    foreign = request(ROOM, owner={"apiVersion": "v1", "kind": "ConfigMap", "name": "wl", "uid": "u"})
    of = workload()
    assert RULES.is_own_request(of, foreign)
    from reference_impl.kueue.provisioning.fitting import is_owned as exactly

    assert not exactly(of, foreign)
    assert exactly(of, request())


def test_nothing_to_do_is_no_step() -> None:
    """PA-157."""
    assert steps(workload(), request()) == ()
