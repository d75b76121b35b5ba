"""Requests that the harness's own client cannot send, and answers with everything that is in them."""

import pytest

from fakecluster.cluster.fake_cluster import FakeCluster
from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.wire.raw_client import RawAnswer, RawClient
from kueue_conformance.wire.transport import endpoint


@pytest.fixture(scope="module", params=[True, False], ids=["tls", "no-tls"])
def cluster(request):
    with FakeCluster(controllers="none", tls=request.param, authorization="rbac", anonymous=True) as running:
        yield running


@pytest.fixture(scope="module")
def server(cluster, tmp_path_factory):
    file = tmp_path_factory.mktemp("raw") / "kubeconfig"
    cluster.kubeconfig(file)
    return endpoint(str(file))


def admin(server, method, target, *headers, body=b""):
    return RawClient(server.url, server.tls)(method, target, [*server.users["admin"], *headers], body)


def anonymous(server, method, target, *headers):
    return RawClient(server.url, server.anonymous_tls)(method, target, headers, b"")


def test_answer_has_code_headers_and_body(server):
    answer = admin(server, "GET", "/version", ("Accept", "application/json"))

    assert (answer.code, answer.header("content-TYPE")) == (200, "application/json")
    assert answer.document["major"] == "1"
    assert answer.body.startswith(b"{")


def test_without_credentials_nobody_is_asked_for_them(server):
    assert anonymous(server, "GET", "/api/v1/namespaces").is_refused(403, "Forbidden")
    assert admin(server, "GET", "/api/v1/namespaces").code == 200


def test_methods_and_targets_are_sent_as_they_are_written(server):
    assert admin(server, "FOO", "/api/v1/namespaces").code == 405
    assert admin(server, "GET", "/api/v1/namespaces/%64efault").document["metadata"]["name"] == "default"
    assert admin(server, "GET", "/api/v1/namespaces/x/../default").code == 404
    assert admin(server, "HEAD", "/version").body == b""


def test_headers_may_repeat_a_name(server):
    mask = [
        ("Impersonate-User", "ann"),
        ("Impersonate-Group", "dev"),
        ("Impersonate-Group", "system:masters"),
    ]

    assert admin(server, "GET", "/api/v1/namespaces", *mask).code == 200
    assert admin(server, "GET", "/api/v1/namespaces", *mask[:2]).code == 403


def test_body_is_sent(server):
    body = b'{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"made"}}'

    assert admin(
        server, "POST", "/api/v1/namespaces", ("Content-Type", "application/json"), body=body
    ).code in {201, 409}


def test_text_is_no_document():
    answer = RawAnswer(404, (("Content-Type", "text/plain"),), b"404 page not found\n")

    assert (answer.document, answer.items, answer.message) == ({}, (), "404 page not found")
    assert answer.is_refused(404)
    assert not answer.is_refused(404, "NotFound")
    assert str(answer) == repr(answer) == "404 text/plain '404 page not found\\n'"


def test_server_that_is_not_there():
    with pytest.raises(EnvironmentProblem, match=r"the server at 127\.0\.0\.1:1 does not answer"):
        RawClient("http://127.0.0.1:1", None)("GET", "/", [], b"")
