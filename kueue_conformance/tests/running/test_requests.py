"""The subject's requests as the journal of the fake backend tells them: all of them, each with its user, and
no others (harness/H-47).
"""

from kueue_conformance.backends.fake.forks import FakeBackend
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import ApiError, Client
from kueue_conformance.wire.transport import connect


def requests_of(tmp_path, work, replica=1):
    """Let a replica of a subject work on a case's cluster and return the requests that were seen."""
    backend = FakeBackend()
    cluster = backend.lend(known_dialects()["v0.19"])
    try:
        Client(cluster.transport, agent="harness").create({"kind": "Namespace", "metadata": {"name": "ns"}})
        work(Client(connect(cluster.identity_for_subject(tmp_path, replica)), agent="controller/1"))
        return cluster.recorder.requests(), cluster.recorder.attempts()
    finally:
        cluster.close()
        backend.close()


def test_every_request_of_the_subject_is_told_with_its_query(tmp_path):
    requests, _ = requests_of(tmp_path, lambda client: client.list("Pod", "ns", limit="500"))

    assert [
        (request.verb, request.resource, request.kind, request.namespace, request.query)
        for request in requests
    ] == [("list", "pods", "Pod", "ns", {"limit": "500"})]


def test_requests_tell_size_agent_and_code(tmp_path):
    requests, _ = requests_of(tmp_path, lambda client: client.find("Namespace", "nowhere"))

    assert (requests[0].code, requests[0].agent, requests[0].answered > 0, str(requests[0])) == (
        404,
        "controller/1",
        True,
        "get namespaces nowhere/nowhere (HTTP 404)",
    )


def test_attempts_are_the_writes(tmp_path):
    def work(client):
        client.create({"kind": "Namespace", "metadata": {"name": "more"}})
        client.get("Namespace", "more")

    _, attempts = requests_of(tmp_path, work)

    assert [(attempt.verb, attempt.name, attempt.changed) for attempt in attempts] == [
        ("create", "more", True)
    ]


def test_each_replica_is_a_user_of_its_own(tmp_path):
    requests, _ = requests_of(tmp_path, lambda client: client.find("Namespace", "ns"), replica=2)

    assert [request.user for request in requests] == ["kueue-conformance:subject-2"]


def test_refused_write_is_no_change_but_an_attempt(tmp_path):
    def work(client):
        try:
            client.create({"kind": "Namespace", "metadata": {"name": "ns"}})
        except ApiError:
            return

    _, attempts = requests_of(tmp_path, work)

    assert [(attempt.code, attempt.changed) for attempt in attempts] == [(409, False)]
