"""What a decision writes holds for the revision that it was made from (AC-370)."""

import asyncio
from types import SimpleNamespace

import pytest

from reference_impl.api.kinds import WORKLOADS
from reference_impl.kueue.workload.decision import (
    ApplyCondition,
    ApplyStatus,
    Delete,
    MergeStatus,
    ReplaceObject,
    ReplaceStatus,
)
from reference_impl.kueue.workload.writing import apply_body, perform

from .objects import ADMITTED, condition, workload

SEEN = workload(ADMITTED)


class Client:
    """EventHandlers the bodies of writes, or what they are conditional on."""

    def __init__(self):
        self.bodies = []

    async def apply(self, _resource, body, **_):
        self.bodies.append(body)

    async def patch(self, _resource, _key, body, **_):
        self.bodies.append(body)

    async def update(self, _resource, body, **_):
        self.bodies.append(body)

    update_status = update

    async def delete(self, _resource, _key, **preconditions):
        self.bodies.append({"metadata": preconditions})


@pytest.mark.parametrize(
    ("write", "condition"),
    [
        pytest.param(ApplyStatus(SEEN.status), "resourceVersion", id="apply"),
        pytest.param(ApplyCondition(SEEN.status, "Admitted"), "resourceVersion", id="one condition"),
        pytest.param(ReplaceStatus(SEEN.status), "resourceVersion", id="status"),
        pytest.param(MergeStatus({"status": {"admission": None}}), "resourceVersion", id="merge"),
        pytest.param(ReplaceObject(SEEN.object), "resourceVersion", id="object"),
        pytest.param(Delete(), "uid", id="delete"),
    ],
)
def test_a_write_is_conditional_on_what_was_seen(write, condition):
    client = Client()

    asyncio.run(perform(client, SEEN, write, SimpleNamespace(prune_status=lambda status: status)))

    assert [body["metadata"][condition] for body in client.bodies] == [SEEN.metadata[condition]]


FIELDS = {
    "admission",
    "requeueState",
    "resourceRequests",
    "accumulatedPastExecutionTimeSeconds",
    "schedulingStats",
    "clusterName",
    "nominatedClusterNames",
    "unhealthyNodes",
    "preemptionGates",
    "admissionChecks",
}
CONDITIONS = [
    "QuotaReserved",
    "BlockedOnPreemptionGates",
    "Evicted",
    "Admitted",
    "Preempted",
    "Requeued",
    "DeactivationTarget",
    "Finished",
    "PodsReady",
]
OF_OTHERS = {"reclaimablePods": [{"name": "main", "count": 1}]}


def test_kueue_applies_its_own_fields_and_conditions_and_no_others_ac_371():
    status = {name: [name] for name in FIELDS} | OF_OTHERS
    subject = workload(*map(condition, [*CONDITIONS, "WaitingForReplacementPods"]), **status)

    body = apply_body(subject, subject.status, strict=False)["status"]

    assert {name: value for name, value in body.items() if name != "conditions"} == {
        name: [name] for name in FIELDS
    }
    assert [condition["type"] for condition in body["conditions"]] == CONDITIONS


def test_a_field_that_is_empty_is_given_up_ac_371():
    empty = workload(requeueState={}, admissionChecks=(), schedulingStats=None)

    assert apply_body(empty, empty.status, strict=False)["status"] == {"conditions": []}


@pytest.mark.parametrize(
    ("strict", "query"), [(True, {"resourceVersion": "7"}), (False, {})], ids=["strict", "loose"]
)
def test_an_apply_says_whose_status_it_is_ac_370(strict, query):
    subject = workload(metadata={"labels": {"a": "1"}, "annotations": {"b": "2"}, "finalizers": ["c"]})

    body = apply_body(subject, {}, strict=strict)

    assert (body["apiVersion"], body["kind"]) == ("kueue.x-k8s.io/v1beta2", "Workload")
    assert body["metadata"] == {
        "name": "w",
        "namespace": "ns",
        "uid": "u",
        "generation": 1,
        "labels": {"a": "1"},
        "annotations": {"b": "2"},
        **query,
    }


class Recording:
    """Keeps every call: its verb, the body and how it is made."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, verb):
        async def call(*args, **how):
            self.calls.append((verb, args, how))

        return call


STATUS = {"conditions": [condition("Admitted"), condition("Evicted")], "requeueState": {"count": 1}}
ONE = apply_body(SEEN, {"conditions": [condition("Admitted")]}, strict=True)
ON_STATUS = {"subresource": "status"}
MERGED = {"status": {}, "metadata": {"resourceVersion": "7"}}
WRITES = {
    "AC-370 apply": (
        ApplyStatus(STATUS),
        (
            "apply",
            (WORKLOADS, apply_body(SEEN, STATUS, strict=True)),
            {"manager": "kueue-admission", **ON_STATUS},
        ),
    ),
    "one condition": (
        ApplyCondition(STATUS, "Admitted"),
        ("apply", (WORKLOADS, ONE), {"manager": "kueue-Admitted", **ON_STATUS}),
    ),
    "AC-373 status": (
        ReplaceStatus(STATUS),
        ("update_status", (WORKLOADS, {**SEEN.object, "status": STATUS}), {}),
    ),
    "AC-373 object": (ReplaceObject(SEEN.object), ("update", (WORKLOADS, SEEN.object), {})),
    "AC-373 merge": (MergeStatus({"status": {}}), ("patch", (WORKLOADS, SEEN.api_key, MERGED), ON_STATUS)),
    "AC-373 delete": (Delete(), ("delete", (WORKLOADS, SEEN.api_key), {"uid": "u"})),
}


@pytest.mark.parametrize(("write", "call"), WRITES.values(), ids=WRITES)
def test_each_write_is_one_request_of_its_own_kind(write, call):
    client = Recording()

    asyncio.run(perform(client, SEEN, write, SimpleNamespace(prune_status=lambda status: status)))

    assert client.calls == [call]


def test_the_status_that_is_applied_has_the_shape_of_the_dialect():
    client = Recording()

    asyncio.run(perform(client, SEEN, ApplyStatus({}), SimpleNamespace(prune_status=lambda _: STATUS)))

    assert client.calls[0][1][1]["status"] == STATUS
