"""What --install creates: in an order that works (apiserver.md §2.5.3)."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from reference_impl.kueue.install import install, manifests
from reference_impl.kueue.webhooks.registration import WebhookEndpoint
from reference_impl.runtime.client import Stream
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.log import Logger


def test_a_namespace_comes_before_what_lives_in_it():
    kinds = [obj["kind"] for _, obj in manifests("kueue-system", "v0.19")]

    assert kinds[:7] == [
        "Namespace",
        "ServiceAccount",
        "ClusterRole",
        "ClusterRoleBinding",
        "Role",
        "RoleBinding",
        "RoleBinding",
    ]
    assert set(kinds[7:]) == {"ClusterRole"}


def test_roles_are_bound_to_the_account_of_the_namespace():
    bindings = [obj for _, obj in manifests("elsewhere", "v0.19") if obj["kind"].endswith("Binding")]

    assert [binding["subjects"] for binding in bindings] == [
        [{"kind": "ServiceAccount", "name": "kueue-reference", "namespace": "elsewhere"}]
    ] * 3


class Recorder:
    """A client that accepts every write and answers every read."""

    def __init__(self, stored=()):
        self.applied = []
        self.found = stored

    async def apply(self, resource, obj, *, manager):
        self.applied.append(obj)

    async def list(self, resource, namespace="", **options):
        return {"items": list(self.found)}

    @asynccontextmanager
    async def watch(self, resource, options, namespace=""):
        established = {"status": {"conditions": [{"type": "Established", "status": "True"}]}}
        crds = [obj for obj in self.applied if obj["kind"] == "CustomResourceDefinition"]
        end = {"metadata": {"resourceVersion": "2", "annotations": {"k8s.io/initial-events-end": "true"}}}
        events = [
            {
                "type": "ADDED",
                "object": {**obj, "metadata": {**obj["metadata"], "resourceVersion": "1"}, **established},
            }
            for obj in crds
        ]

        async def batches():
            yield [*events, {"type": "BOOKMARK", "object": end}]
            await asyncio.Event().wait()

        yield Stream("", batches())


def run_installation(webhooks, stored=(), **fields):
    client, clock = Recorder(stored), WallClock()
    log = Logger(clock=clock, level="error")
    asyncio.run(
        install(client, clock, log, dialect="v0.19", namespace="kueue-system", webhooks=webhooks, **fields)
    )
    return client.applied


@pytest.mark.parametrize(
    ("webhooks", "versions", "last"),
    [
        pytest.param(None, ["v1beta2"], "CustomResourceDefinition", id="without webhooks"),
        pytest.param(
            WebhookEndpoint(url="https://127.0.0.1:1"),
            ["v1beta1", "v1beta2"],
            "ValidatingWebhookConfiguration",
            id="with webhooks",
        ),
    ],
)
def test_v1beta1_comes_with_the_webhooks(webhooks, versions, last):
    """AC-001, AC-004: what converts is there before the kinds are, what refuses comes after them."""
    applied = run_installation(webhooks)
    crds = [
        obj
        for obj in applied
        if obj["kind"] == "CustomResourceDefinition" and obj["spec"]["group"] == "kueue.x-k8s.io"
    ]

    assert {tuple(version["name"] for version in crd["spec"]["versions"]) for crd in crds} == {
        tuple(versions)
    }
    assert applied[-1]["kind"] == last


def requests_of(applied):
    return [
        [version["name"] for version in obj["spec"]["versions"]]
        for obj in applied
        if obj["metadata"]["name"] == "provisioningrequests.autoscaling.x-k8s.io"
    ]


@pytest.mark.parametrize(
    ("stored", "dialect", "versions"),
    [
        pytest.param((), "ca", [["v1", "v1beta1"]], id="none yet"),
        pytest.param((), "aep", [["v1alpha1aep"]], id="of the proposal"),
        pytest.param((), "", [], id="not wanted"),
        pytest.param(({"metadata": {"name": "x"}},), "ca", [], id="of others"),
        pytest.param(
            ({"metadata": {"name": "x", "labels": {"app.kubernetes.io/name": "kueue-reference"}}},),
            "ca",
            [["v1", "v1beta1"]],
            id="of an earlier run",
        ),
    ],
)
def test_provisioning_requests_of_others_stay_as_they_are(stored, dialect, versions):
    """PR-001…030: a cluster may bring its own."""
    assert requests_of(run_installation(None, stored, requests_of=dialect)) == versions


def test_beside_another_kueue_its_kinds_stay():
    """Only rights and the definition of requests are made."""
    applied = run_installation(None, beside=True)
    groups = {obj["spec"]["group"] for obj in applied if obj["kind"] == "CustomResourceDefinition"}
    assert groups == {"autoscaling.x-k8s.io"}
