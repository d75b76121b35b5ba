"""What an API server is told of the webhooks (AC-005, AC-006, spec/apiserver.md §2.5.5)."""

import pytest

from reference_impl.kueue.webhooks.answers import answers, converters
from reference_impl.kueue.webhooks.registration import CONVERT, WebhookEndpoint, configurations
from reference_impl.kueue.webhooks.reviews import Reviewer

HERE = WebhookEndpoint(url="https://127.0.0.1:9443", authority=b"PEM")
MUTATING, VALIDATING = 0, 1


def webhooks(which, endpoint=HERE, release=(0, 19, 2)):
    _resource, configuration = configurations(endpoint, release)[which]
    return {webhook["name"]: webhook for webhook in configuration["webhooks"]}


@pytest.mark.parametrize(
    ("which", "names"),
    [
        pytest.param(
            MUTATING,
            ["mworkload.kb.io", "mclusterqueue.kb.io", "mresourceflavor.kb.io", "mjob.kb.io"],
            id="mutating",
        ),
        pytest.param(
            VALIDATING,
            [
                "vworkload.kb.io",
                "vclusterqueue.kb.io",
                "vresourceflavor.kb.io",
                "vcohort.kb.io",
                "vjob.kb.io",
            ],
            id="validating",
        ),
    ],
)
def test_who_is_looked_at(which, names):
    assert list(webhooks(which)) == names


def test_defaults_are_for_new_objects_only():
    assert [webhook["rules"][0]["operations"] for webhook in webhooks(MUTATING).values()] == [["CREATE"]] * 4


def test_statuses_of_workloads_are_judged_as_well():
    """AC-006, AC-160."""
    assert webhooks(VALIDATING)["vworkload.kb.io"]["rules"] == [
        {
            "apiGroups": ["kueue.x-k8s.io"],
            "apiVersions": ["v1beta2"],
            "operations": ["CREATE", "UPDATE"],
            "resources": ["workloads", "workloads/status"],
            "scope": "*",
        }
    ]


@pytest.mark.parametrize("which", [pytest.param(0, id="mutating"), pytest.param(1, id="validating")])
def test_nothing_is_let_through_unseen(which):
    """AC-006."""
    pairs = {(webhook["failurePolicy"], webhook["sideEffects"]) for webhook in webhooks(which).values()}

    assert pairs == {("Fail", "None")}


def test_jobs_of_the_system_are_left_alone():
    selector = webhooks(MUTATING)["mjob.kb.io"]["namespaceSelector"]

    assert selector["matchExpressions"][0]["values"] == ["kube-system", "kueue-system"]


@pytest.mark.parametrize(
    ("endpoint", "client"),
    [
        pytest.param(
            HERE,
            {"caBundle": "UEVN", "url": "https://127.0.0.1:9443/validate-batch-v1-job"},
            id="this machine",
        ),
        pytest.param(
            WebhookEndpoint(url="https://127.0.0.1:9443", authority=b"PEM", service="hooks", namespace="ns"),
            {
                "caBundle": "UEVN",
                "service": {
                    "namespace": "ns",
                    "name": "hooks",
                    "path": "/validate-batch-v1-job",
                    "port": 443,
                },
            },
            id="a Service",
        ),
    ],
)
def test_where_they_are_called(endpoint, client):
    assert webhooks(VALIDATING, endpoint)["vjob.kb.io"]["clientConfig"] == client


def test_an_old_release_has_no_cohorts():
    """AC-220."""
    assert "vcohort.kb.io" not in webhooks(VALIDATING, release=(0, 6, 2))


@pytest.mark.parametrize(
    ("dialect", "is_served"),
    [("0.19.14", True), ("0.20.0", False), ("0.20.5", False), ("0.20.6", True), ("0.21.0", True)],
)
def test_the_conversion_that_definitions_name_was_not_served_for_some_patches(dialect, is_served):
    """KV-32."""
    assert (CONVERT in answers(Reviewer(dialect))) is is_served
    assert bool(converters(dialect)) is is_served
