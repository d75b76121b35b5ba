"""Webhooks where a recorded answer cannot show it:
races, odd servers, controllers, functions (FK-302…315).
"""

from __future__ import annotations

import base64
import gzip
import json
import threading

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User
from fakecluster.api.status import StatusError
from fakecluster.server.quiescence import NotQuiet
from fakecluster.tests.hooks import HTTP_OK, HookServer, allow, configuration, deny

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
URL = "https://hooks.example.com/"
MERGE = {"content-type": "application/merge-patch+json"}
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "job", "namespace": "default"},
    "spec": {
        "completions": 2,
        "parallelism": 2,
        "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}},
    },
}


def config_map(name="a", **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


class Meddler:
    """A client that does one thing during the first call of a webhook."""

    def __init__(self):
        self.deed = None

    def __call__(self, review):
        deed, self.deed = self.deed, None
        if deed is not None:
            deed()
        return allow(review)


@pytest.fixture
def meddler():
    return Meddler()


@pytest.fixture
def hooks(meddler):
    with HookServer(meddler) as server:
        yield server


@pytest.fixture
def cluster(hooks):
    with FakeCluster(controllers="none") as running:
        running.request("POST", CONFIGMAPS, config_map(first="1"))
        outsiders = {
            "namespaceSelector": {},
            "matchConditions": [{"name": "c", "expression": "request.userInfo.username == 'admin'"}],
        }
        running.apply([configuration(hooks.client, **outsiders)])
        yield running


def meddle(cluster, method, path, body, **fields):
    other = User(name="other", groups=("system:masters",))
    return lambda: cluster.request(method, path, body, user=other, **fields)


def test_a_patch_is_done_again_when_somebody_was_faster(cluster, meddler, hooks):
    meddler.deed = meddle(cluster, "PATCH", f"{CONFIGMAPS}/a", {"data": {"theirs": "2"}}, headers=MERGE)

    patched = cluster.request("PATCH", f"{CONFIGMAPS}/a", {"data": {"mine": "3"}}, headers=MERGE)

    assert patched["data"] == {"first": "1", "theirs": "2", "mine": "3"}
    assert [review["request"]["oldObject"]["data"] for review in hooks.reviews] == [
        {"first": "1"},
        {"first": "1", "theirs": "2"},
    ]


def test_a_put_of_a_revision_conflicts_when_somebody_was_faster(cluster, meddler):
    stored = cluster.request("GET", f"{CONFIGMAPS}/a")
    meddler.deed = meddle(cluster, "PATCH", f"{CONFIGMAPS}/a", {"data": {"theirs": "2"}}, headers=MERGE)

    with pytest.raises(StatusError, match="the object has been modified"):
        cluster.request("PUT", f"{CONFIGMAPS}/a", {**stored, "data": {"mine": "3"}})


def test_a_creation_fails_when_somebody_was_faster(cluster, meddler):
    meddler.deed = meddle(cluster, "POST", CONFIGMAPS, config_map("b", theirs="2"))

    with pytest.raises(StatusError, match='configmaps "b" already exists'):
        cluster.request("POST", CONFIGMAPS, config_map("b", mine="3"))


def test_a_deletion_is_admitted_again_when_the_object_has_changed(cluster, meddler, hooks):
    meddler.deed = meddle(cluster, "PATCH", f"{CONFIGMAPS}/a", {"data": {"theirs": "2"}}, headers=MERGE)

    cluster.request("DELETE", f"{CONFIGMAPS}/a")

    assert ["theirs" in review["request"]["oldObject"]["data"] for review in hooks.reviews] == [False, True]


def test_a_deletion_of_what_is_gone_is_not_found(cluster, meddler):
    meddler.deed = meddle(cluster, "DELETE", f"{CONFIGMAPS}/a", None)

    with pytest.raises(StatusError, match='configmaps "a" not found'):
        cluster.request("DELETE", f"{CONFIGMAPS}/a")


def test_the_cluster_is_not_quiet_while_a_webhook_thinks(cluster, hooks):
    arrived, release = threading.Event(), threading.Event()

    def slow(review):
        arrived.set()
        release.wait(10)
        return allow(review)

    hooks.answer = slow
    writer = threading.Thread(target=cluster.request, args=("POST", CONFIGMAPS, config_map("b")))
    writer.start()
    arrived.wait(10)
    with pytest.raises(NotQuiet, match="requests are in flight"):
        cluster.settle(budget=0.05)
    release.set()
    cluster.settle()
    writer.join()

    assert cluster.request("GET", f"{CONFIGMAPS}/b")["metadata"]["name"] == "b"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, ": EOF"),
        (b"what?\r\n\r\n", 'HTTP/1.x transport connection broken: malformed HTTP response "what?"'),
        (HTTP_OK + b"Content-Length: 100\r\n\r\n{", ": unexpected EOF"),
        (
            HTTP_OK + b"Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n" + 20 * b"x",
            ": gzip: invalid header",
        ),
    ],
    ids=["closed at once", "no HTTP", "cut short", "no gzip"],
)
def test_a_server_that_does_not_keep_to_the_rules(cluster, hooks, answer, message):
    hooks.answer = lambda _: answer

    with pytest.raises(StatusError) as failure:
        cluster.request("POST", CONFIGMAPS, config_map("b"))

    assert str(failure.value).endswith(message)


def test_a_packed_answer_is_unpacked(cluster, hooks):
    def packed(review):
        body = gzip.compress(json.dumps(deny(review, "unpacked")).encode())
        return HTTP_OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body

    hooks.answer = packed

    with pytest.raises(StatusError, match="denied the request: unpacked"):
        cluster.request("POST", CONFIGMAPS, config_map("b"))


def test_a_service_is_reached_where_it_is_said_to_be():
    with HookServer(lambda review: deny(review, "by Service"), ("hook.team.svc",)) as server:
        client = {"service": {"namespace": "team", "name": "hook", "path": "/x"}, "caBundle": server.ca}
        with FakeCluster(controllers="none", services={"team/hook": server.address}) as cluster:
            cluster.apply([configuration(client)])

            with pytest.raises(StatusError, match="denied the request: by Service"):
                cluster.request("POST", CONFIGMAPS, config_map())


def with_function(function, **fields):
    return FakeCluster(webhooks={URL: function}, **fields)


def test_a_function_is_a_webhook():
    def named(review):
        patch = b'[{"op": "add", "path": "/data/by", "value": "function"}]'
        return allow(review, patchType="JSONPatch", patch=base64.b64encode(patch).decode())

    with with_function(named, controllers="none") as cluster:
        cluster.apply([configuration({"url": URL}, kind="Mutating")])

        assert cluster.request("POST", CONFIGMAPS, config_map(a="1"))["data"] == {"a": "1", "by": "function"}


def test_a_coroutine_answers_on_the_loop_of_the_cluster():
    async def refusing(review):
        return deny(review, threading.current_thread().name)

    with with_function(refusing, controllers="none") as cluster:
        cluster.apply([configuration({"url": URL})])

        with pytest.raises(StatusError, match="denied the request: fakecluster"):
            cluster.request("POST", CONFIGMAPS, config_map())


def refuse_as(name):
    return lambda review: deny(review, name)


def create_refused_by(cluster):
    with pytest.raises(StatusError) as refused:
        cluster.request("POST", CONFIGMAPS, config_map())
    return str(refused.value).rpartition(": ")[2]


def test_a_function_of_one_cluster_answers_in_place_of_that_of_all():
    with with_function(refuse_as("all"), controllers="none") as cluster:
        cluster.apply([configuration({"url": URL})])

        stop = cluster.serve_webhook(URL, refuse_as("this"))
        fork = cluster.fork()
        own, forked = create_refused_by(cluster), create_refused_by(fork)
        fork.stop()
        stop()

        assert (own, forked, create_refused_by(cluster)) == ("this", "all", "all")


def test_a_function_of_one_cluster_answers_after_a_restart():
    with FakeCluster(tls=False, controllers="none") as cluster:
        cluster.serve_webhook(URL, refuse_as("this"))
        cluster.apply([configuration({"url": URL})])

        cluster.restart()

        assert create_refused_by(cluster) == "this"


def test_a_large_collection_is_deleted_one_by_one():
    reviews = []

    def noted(review):
        reviews.append(review["request"]["operation"])
        return allow(review)

    with with_function(noted, controllers="none") as cluster:
        cluster.apply(config_map(f"many-{number}") for number in range(300))
        cluster.apply([configuration({"url": URL})])
        cluster.request("DELETE", CONFIGMAPS)

        assert reviews == ["DELETE"] * 300
        assert cluster.request("GET", CONFIGMAPS)["items"] == []


def test_a_function_that_fails_is_a_server_that_fails():
    def failing(review):
        raise LookupError(review["kind"])

    with with_function(failing, controllers="none") as cluster:
        cluster.apply([configuration({"url": URL})])

        with pytest.raises(StatusError, match=r'an error on the server \("LookupError: AdmissionReview"\)'):
            cluster.request("POST", CONFIGMAPS, config_map())


def test_the_journal_tells_who_was_asked():
    with with_function(
        lambda review: allow(review, auditAnnotations={"seen": "yes"}), controllers="none"
    ) as cluster:
        cluster.apply([configuration({"url": URL})])
        cluster.request("POST", CONFIGMAPS, config_map())

        (note,) = cluster.journal.all[-1].notes["webhooks"]

    assert {key: value for key, value in note.items() if key != "seconds"} == {
        "configuration": "hooks",
        "name": "hook.test.example.com",
        "allowed": True,
        "annotations": {"hook.test.example.com/seen": "yes"},
    }


def test_controllers_wait_for_webhooks():
    with with_function(allow) as cluster:
        cluster.apply([configuration({"url": URL}), JOB])
        cluster.settle()

        assert (
            cluster.request("GET", "/apis/batch/v1/namespaces/default/jobs/job")["status"]["succeeded"] == 2
        )


def test_a_pod_that_is_told_to_succeed_waits_for_webhooks():
    with with_function(allow, controllers="pods") as cluster:
        pod = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        cluster.apply([configuration({"url": URL})])
        cluster.request("POST", "/api/v1/namespaces/default/pods", pod)

        cluster.pods.fail("default", "p")

        assert cluster.request("GET", "/api/v1/namespaces/default/pods/p")["status"]["phase"] == "Failed"


def test_controllers_try_again_what_a_webhook_refuses():
    refusals = iter([True, True])

    def twice(review):
        return deny(review, "not yet") if next(refusals, False) else allow(review)

    with with_function(twice) as cluster:
        cluster.apply([configuration({"url": URL}), JOB])
        cluster.advance(10)

        assert (
            cluster.request("GET", "/apis/batch/v1/namespaces/default/jobs/job")["status"]["succeeded"] == 2
        )


def test_a_fork_asks_the_same_functions():
    with with_function(lambda review: deny(review, "no"), controllers="none") as cluster:
        cluster.apply([configuration({"url": URL})])

        with cluster.fork() as child, pytest.raises(StatusError, match="denied the request: no"):
            child.request("POST", CONFIGMAPS, config_map())
