"""Deletions: options, policies, grace, preconditions (FK-110…FK-118, FK-340…FK-343)."""

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError
from fakecluster.base.numbers.durations import wrap_to_64_bits
from fakecluster.meta import metadata
from fakecluster.registry.verbs.deletions.delete_options import DeleteOptions, shorten

URL = "/api/v1/namespaces/ns/configmaps"
MERGE = "application/merge-patch+json"


@pytest.fixture
def ask_held(ask):
    ask("POST", URL, {"metadata": {"name": "a", "finalizers": ["example.com/x"]}})
    return ask


def finalizers(body):
    return body["metadata"].get("finalizers")


@pytest.mark.parametrize(
    ("query", "code", "expected"),
    [
        pytest.param("", 200, ["example.com/x"], id="default"),
        pytest.param(
            "propagationPolicy=Foreground",
            200,
            ["example.com/x", "foregroundDeletion"],
            id="foreground fk-114",
        ),
        pytest.param("propagationPolicy=Orphan", 200, ["example.com/x", "orphan"], id="orphan fk-114"),
        pytest.param("propagationPolicy=Background", 200, ["example.com/x"], id="background fk-114"),
        pytest.param("orphanDependents=true", 200, ["example.com/x", "orphan"], id="orphan by flag"),
        pytest.param("orphanDependents=false", 202, ["example.com/x"], id="explicitly not orphaned fk-115"),
    ],
)
def test_a_policy_is_a_finalizer(ask_held, query, code, expected):
    answered, body = ask_held("DELETE", f"{URL}/a?{query}")

    assert (answered, finalizers(body)) == (code, expected)


def test_a_second_delete_may_change_the_policy_fk_113(ask_held):
    ask_held("DELETE", f"{URL}/a?propagationPolicy=Foreground")

    _, body = ask_held("DELETE", f"{URL}/a?propagationPolicy=Background")

    assert finalizers(body) == ["example.com/x"]


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        pytest.param(
            {"kind": "ConfigMap", "apiVersion": "v1"},
            400,
            'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
            id="kind fk-110",
        ),
        pytest.param(
            {"gracePeriodSeconds": "x"},
            400,
            "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
            id="type",
        ),
        pytest.param(
            b'{"zork":1',
            400,
            "couldn't get version/kind; json parse error: unexpected end of JSON input",
            id="json",
        ),
        pytest.param(
            {"orphanDependents": True, "propagationPolicy": "Orphan"},
            422,
            'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and '
            "deletionPropagation cannot be both set",
            id="both fk-111",
        ),
        pytest.param(
            {"propagationPolicy": "Foo"},
            422,
            'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: '
            '"Foreground", "Background", "Orphan", "nil"',
            id="policy fk-111",
        ),
        pytest.param(
            {"preconditions": {"resourceVersion": "1"}},
            409,
            'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the '
            "ResourceVersion in record (1002). The object might have been modified",
            id="revision fk-034",
        ),
    ],
)
def test_bad_options_are_named(ask_held, body, code, text):
    answered, answer = ask_held("DELETE", f"{URL}/a", body)

    assert (answered, answer["message"]) == (code, text)


def test_trying_a_deletion_changes_nothing_fk_232(ask_held):
    ask_held("DELETE", f"{URL}/a?dryRun=All")

    assert "deletionTimestamp" not in ask_held("GET", f"{URL}/a")[1]["metadata"]


def test_a_collection_is_answered_as_it_was_fk_118(ask_held):
    _, body = ask_held("DELETE", f"{URL}?labelSelector=!nope")

    assert [config_map["metadata"]["name"] for config_map in body["items"]] == ["a"]
    assert "deletionTimestamp" not in body["items"][0]["metadata"]


def test_a_namespace_terminates_until_it_is_finalized_fk_342_fk_343_fk_345(ask):
    _, going = ask("DELETE", "/api/v1/namespaces/ns")
    ask("PUT", "/api/v1/namespaces/ns/finalize", {"metadata": {"name": "ns"}})

    assert going["status"]["phase"] == "Terminating"
    assert ask("GET", "/api/v1/namespaces/ns")[0] == 404


def test_a_namespace_that_terminates_takes_no_new_objects_fk_345():
    with FakeCluster(controllers="none") as cluster:
        cluster.request("POST", "/api/v1/namespaces", {"metadata": {"name": "ns"}})
        cluster.request("DELETE", "/api/v1/namespaces/ns")
        with pytest.raises(StatusError) as refused:
            cluster.request("POST", URL, {"metadata": {"name": "late"}})

    assert (refused.value.code, refused.value.status["details"]["causes"][0]["reason"]) == (
        403,
        "NamespaceTerminating",
    )


def test_some_namespaces_stay_fk_341(ask):
    assert (
        ask("DELETE", "/api/v1/namespaces/default")[1]["message"]
        == 'namespaces "default" is forbidden: this namespace may not be deleted'
    )


def test_a_grace_period_of_centuries_can_be_shortened():
    seconds = 2**62
    deleted_at = 1_700_000_000
    deadline = metadata.timestamp(deleted_at + wrap_to_64_bits(seconds))
    pod = {"metadata": {"deletionTimestamp": deadline, "deletionGracePeriodSeconds": seconds}}

    shorter = shorten(pod, DeleteOptions(grace=5))

    assert shorter["metadata"] == {
        "deletionTimestamp": metadata.timestamp(deleted_at + 5),
        "deletionGracePeriodSeconds": 5,
    }
