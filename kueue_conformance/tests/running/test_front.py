"""A subject on an existing cluster comes through a front: what it asked for and what it wrote is known, not
guessed (harness/H-47).
"""

from pathlib import Path

import pytest

from fakecluster import FakeCluster
from kueue_conformance.backends.interception.front import SubjectFront
from kueue_conformance.backends.kubeconfig import KubeconfigBackend
from kueue_conformance.backends.watch_recorder import WatchLog
from kueue_conformance.base.errors import UsageError
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.history.story import SUBJECT
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.reader import Reader
from kueue_conformance.wire.transport import connect

ACCOUNT = "system:serviceaccount:acme:budget"
CHECK = {"kind": "AdmissionCheck", "spec": {"controllerName": "example.com/x"}}


@pytest.fixture(scope="module")
def kubeconfig(tmp_path_factory):
    """A cluster with Kueue's kinds."""
    file = tmp_path_factory.mktemp("behind") / "config"
    with FakeCluster(clock="wall", controllers="namespaces") as behind:
        behind.kubeconfig(file)
        backend = KubeconfigBackend(str(file))
        ReferenceControlPlane().install(backend.lend(known_dialects()["v0.19"]), known_dialects()["v0.19"])
        backend.close()
        yield str(file)


@pytest.fixture
def cluster(kubeconfig):
    backend = KubeconfigBackend(kubeconfig)
    lent = backend.lend(known_dialects()["v0.19"])
    lent.begins(lambda kind, *_: kind == "AdmissionCheck", 0.0)
    yield lent
    lent.close()
    backend.close()


@pytest.fixture
def harness(cluster):
    client = Client(cluster.transport, agent="kueue-conformance")
    yield client
    client.clean_up()


@pytest.fixture
def subject(cluster, tmp_path):
    """Sends the User-Agent of another controller."""
    return Client(connect(cluster.identity_for_subject(tmp_path)), agent="kueue-conformance")


def check(name, **metadata):
    return {**CHECK, "metadata": {"name": name, **metadata}}


def set_label(client, name, value):
    """Write a label; the same one again changes nothing."""
    client.call(
        "PATCH",
        f"/apis/kueue.x-k8s.io/v1beta2/admissionchecks/{name}",
        {"metadata": {"labels": {"a": value}}},
        media="application/merge-patch+json",
    )


def story(cluster):
    return [
        (story_change.name, story_change.actor == SUBJECT, story_change.verb)
        for story_change in cluster.recorder.changes()
    ]


def test_without_a_subject_nothing_is_known_of_users(cluster):
    assert (cluster.recorder.knows_users, cluster.faults, list(cluster.recorder.requests())) == (
        False,
        None,
        [],
    )


def test_what_the_subject_wrote_is_told_from_what_others_wrote(cluster, harness, subject):
    harness.create(check("a"))
    set_label(subject, "a", "1")
    set_label(harness, "a", "2")
    harness.get("AdmissionCheck", "a")

    assert cluster.recorder.knows_users
    assert story(cluster) == [("a", False, "added"), ("a", True, "patch"), ("a", False, "modified")]


def test_a_write_that_changes_nothing_claims_nothing(cluster, harness, subject):
    harness.create(check("b"))
    set_label(harness, "b", "1")
    set_label(subject, "b", "1")
    harness.get("AdmissionCheck", "b")

    assert [by_subject for _, by_subject, _ in story(cluster)] == [False, False]
    assert [(attempt.verb, attempt.changed) for attempt in cluster.recorder.attempts()] == [("patch", False)]


def test_what_the_subject_removed_was_removed_by_it(cluster, harness, subject):
    subject.create(check("c"))
    subject.delete("AdmissionCheck", "c")
    harness.create(check("d"))
    harness.get("AdmissionCheck", "d")

    assert story(cluster) == [("c", True, "create"), ("c", True, "delete"), ("d", False, "added")]


def test_requests_are_those_of_the_case(kubeconfig, cluster, subject):
    subject.list("AdmissionCheck")
    cluster.begins(lambda *_: True, 0.0)
    subject.list("Namespace")

    assert [request.kind for request in cluster.recorder.requests()] == ["Namespace"]


def test_a_kubeconfig_that_names_no_such_context_is_told(kubeconfig, tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        SubjectFront(kubeconfig, "nowhere").identity(tmp_path, 1)


@pytest.mark.parametrize(
    ("outside", "account", "server"),
    [
        pytest.param("127.0.0.2", ACCOUNT, "https://127.0.0.2:", id="pods that reach us"),
        pytest.param("127.0.0.2", "", "https://127.0.0.1:", id="a program"),
    ],
)
def test_the_front_stands_where_the_subject_reaches_it(kubeconfig, tmp_path, outside, account, server):
    front = SubjectFront(kubeconfig, "", outside)

    assert f"server: {server}" in Path(front.identity(tmp_path, 1, account)).read_text()
    assert front.is_started
    front.close()


@pytest.mark.parametrize("outside", ["", "127.0.0.1"])
def test_pods_that_do_not_reach_us_go_past(kubeconfig, tmp_path, outside):
    front = SubjectFront(kubeconfig, "", outside)

    assert front.identity(tmp_path, 1, ACCOUNT) == kubeconfig
    assert not front.is_started


@pytest.mark.parametrize("log_text", [b"ready\n", b"17", b'{"level": "info"}'])
def test_a_log_is_no_part_of_the_story(kubeconfig, log_text):
    log = WatchLog(Reader(kubeconfig))

    assert log.witness(lambda *_: (200, log_text))("GET", "/api/v1/namespaces/x/pods/y/log", {}, None) == (
        200,
        log_text,
    )
