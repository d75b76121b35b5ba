"""Questions about access and identities, asked over the API (FK-401…404)."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User
from fakecluster.api.status import StatusError

ACCESS = "/apis/authorization.k8s.io/v1"
IDENTITY = "/apis/authentication.k8s.io/v1"
ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"
ALICE = User(name="alice", groups=("devs",), uid="1")
PODS = {"resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "default"}}


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(
        tls=False, controllers="clusterroles", authorization="rbac", tokens={"secret": ALICE}
    ) as running:
        rbac = "/apis/rbac.authorization.k8s.io/v1"
        subject = {"kind": "User", "name": "alice", "apiGroup": "rbac.authorization.k8s.io"}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}
        binding = {"metadata": {"name": "b"}, "roleRef": role, "subjects": [subject]}
        running.request("POST", f"{rbac}/namespaces/default/rolebindings", binding)
        running.request("POST", ACCOUNTS, {"metadata": {"name": "robot"}})
        running.settle()
        yield running


REASON = 'RBAC: allowed by RoleBinding "b/default" of ClusterRole "view" to User "alice"'
QUESTIONS = [
    pytest.param("selfsubjectaccessreviews", PODS, {"allowed": True, "reason": REASON}, id="may I"),
    pytest.param(
        "selfsubjectaccessreviews",
        {"resourceAttributes": {"verb": "get", "resource": "pods"}},
        {"allowed": False},
        id="may I not",
    ),
    pytest.param(
        "selfsubjectaccessreviews",
        {"nonResourceAttributes": {"verb": "get", "path": "/secret"}},
        {"allowed": False},
        id="path",
    ),
]


@pytest.mark.parametrize(("kind", "spec", "expected"), QUESTIONS)
def test_a_question_about_oneself_is_answered(cluster, kind, spec, expected):
    assert cluster.request("POST", f"{ACCESS}/{kind}", {"spec": spec}, user=ALICE)["status"] == expected


def test_a_question_about_somebody_else_needs_the_right_to_ask(cluster):
    with pytest.raises(StatusError, match='User "alice" cannot create resource "subjectaccessreviews"'):
        cluster.request(
            "POST", f"{ACCESS}/subjectaccessreviews", {"spec": {**PODS, "user": "bob"}}, user=ALICE
        )


def test_a_local_question_is_about_its_namespace(cluster):
    path = f"{ACCESS}/namespaces/default/localsubjectaccessreviews"

    review = cluster.request("POST", path, {"spec": {**PODS, "user": "alice"}})

    assert (review["metadata"]["namespace"], review["status"]["allowed"]) == ("default", True)


MISTAKES = [
    pytest.param({"user": "x"}, ["spec.resourceAttributes"], id="neither"),
    pytest.param(
        {"user": "x", **PODS, "nonResourceAttributes": {}}, ["spec.nonResourceAttributes"], id="both"
    ),
    pytest.param(PODS, ["spec.user"], id="nobody"),
]


@pytest.mark.parametrize(("spec", "fields"), MISTAKES)
def test_a_question_without_sense_is_refused(cluster, spec, fields):
    with pytest.raises(StatusError) as caught:
        cluster.request("POST", f"{ACCESS}/subjectaccessreviews", {"spec": spec})

    assert caught.value.code == 422
    assert [cause["field"] for cause in caught.value.status["details"]["causes"]] == fields


def test_who_am_i(cluster):
    review = cluster.request("POST", f"{IDENTITY}/selfsubjectreviews", {}, user=ALICE)

    assert review["status"]["userInfo"] == {
        "username": "alice",
        "uid": "1",
        "groups": ["devs", "system:authenticated"],
    }


TOKENS = [
    pytest.param("secret", True, id="static"),
    pytest.param("wrong", False, id="unknown"),
]


@pytest.mark.parametrize(("token", "is_known"), TOKENS)
def test_whose_token_is_this(cluster, token, is_known):
    answer = cluster.request("POST", f"{IDENTITY}/tokenreviews", {"spec": {"token": token}})["status"]

    assert answer.get("authenticated", False) is is_known
    assert answer.get("error", "") == ("" if is_known else "invalid bearer token")


def test_a_token_of_an_account_is_known_until_it_expires(cluster):
    with cluster.fork() as fork:
        request = {"spec": {"expirationSeconds": 600}}
        token = fork.request("POST", f"{ACCOUNTS}/robot/token", request)["status"]["token"]
        review = {"spec": {"token": token}}

        before = fork.request("POST", f"{IDENTITY}/tokenreviews", review)["status"]
        fork.advance(601)
        after = fork.request("POST", f"{IDENTITY}/tokenreviews", review)["status"]

    assert before["user"]["username"] == "system:serviceaccount:default:robot"
    assert after == {"user": {}, "error": "[invalid bearer token, service account token has expired]"}


def test_a_token_ends_with_its_account(cluster):
    with cluster.fork() as fork:
        token = fork.request("POST", f"{ACCOUNTS}/robot/token", {})["status"]["token"]
        fork.request("DELETE", f"{ACCOUNTS}/robot")

        assert (
            "error" in fork.request("POST", f"{IDENTITY}/tokenreviews", {"spec": {"token": token}})["status"]
        )


def test_a_token_for_another_audience_is_refused(cluster):
    token = cluster.request("POST", f"{ACCOUNTS}/robot/token", {})["status"]["token"]
    review = {"spec": {"token": token, "audiences": ["x"]}}

    error = cluster.request("POST", f"{IDENTITY}/tokenreviews", review)["status"]["error"]

    assert error.endswith('is invalid for the target audiences ["x"]]')


def test_a_token_lives_ten_minutes_at_least(cluster):
    with pytest.raises(StatusError, match="may not specify a duration less than 10 minutes"):
        cluster.request("POST", f"{ACCOUNTS}/robot/token", {"spec": {"expirationSeconds": 10}})
