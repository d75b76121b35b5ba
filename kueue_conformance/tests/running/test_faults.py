"""Faults hit the subject alone, are counted, and are over
when they are taken back (harness/N-01, apiserver/F-03).
"""

from contextlib import contextmanager, nullcontext

import pytest

from fakecluster import FakeCluster
from kueue_conformance.backends.fake.forks import FakeBackend
from kueue_conformance.backends.fake.shared import WallFakeBackend
from kueue_conformance.backends.kubeconfig import KubeconfigBackend
from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.subject import SubjectContext
from kueue_conformance.subject.coroutine import RunningCoroutine
from kueue_conformance.wire.client import ApiError, Client
from kueue_conformance.wire.transport import connect


@contextmanager
def somebodys(tmp_path):
    """A cluster that is there already, behind a front."""
    with FakeCluster(clock="wall", controllers="none") as behind:
        behind.kubeconfig(tmp_path / "behind")
        yield KubeconfigBackend(str(tmp_path / "behind"))


BACKENDS = {
    "fake": lambda _: nullcontext(FakeBackend()),
    "fake in real time": lambda _: nullcontext(WallFakeBackend()),
    "somebody's": somebodys,
}


@pytest.fixture(params=BACKENDS)
def backend(request, tmp_path):
    with BACKENDS[request.param](tmp_path) as lent_backend:
        yield lent_backend
        lent_backend.close()


@pytest.fixture
def cluster(backend):
    lent = backend.lend(known_dialects()["v0.19"])
    yield lent
    lent.close()


@pytest.fixture
def subject(cluster, tmp_path):
    return Client(connect(cluster.identity_for_subject(tmp_path)), agent="controller")


@pytest.fixture
def harness(cluster):
    return Client(cluster.transport, agent="kueue-conformance")


def code(client):
    """Return how the server answers a harmless question."""
    try:
        client.list("Namespace")
    except ApiError as error:
        return error.code
    except EnvironmentProblem:
        return 0
    return 200


def test_a_fault_hits_the_subject_and_nobody_else(cluster, subject, harness):
    cluster.faults.refuse(503, verb="list", kind="Namespace")

    assert (code(subject), code(harness)) == (503, 200)


def test_a_second_replica_is_the_subject_too(cluster, subject, tmp_path):
    cluster.faults.refuse(429)
    other = Client(connect(cluster.identity_for_subject(tmp_path, 2)), agent="controller")

    assert code(other) == 429


def test_a_fault_holds_for_as_many_requests_as_said_and_is_counted(cluster, subject):
    cluster.faults.refuse(409, times=2)

    assert [code(subject) for _ in range(3)] == [409, 409, 200]
    assert [(hit.request, hit.effect) for hit in cluster.faults.hits] == [("list namespaces", "HTTP 409")] * 2


def test_a_refused_request_is_in_the_story(cluster, subject):
    cluster.faults.refuse(500, times=1)
    code(subject)

    assert [(request.verb, request.code) for request in cluster.recorder.requests()] == [("list", 500)]


def test_a_cut_connection_is_no_answer(cluster, subject):
    cluster.faults.cut(times=1)

    assert [code(subject), code(subject)] == [0, 200]


def test_a_write_that_fails_afterwards_is_written(cluster, subject, harness):
    cluster.faults.refuse(500, kind="Namespace", times=1, after=True)

    with pytest.raises(ApiError):
        subject.create({"kind": "Namespace", "metadata": {"name": "made"}})
    assert harness.find("Namespace", "made")


def test_a_replica_that_is_cut_off_is_answered_no_more(cluster, subject, tmp_path):
    other = Client(connect(cluster.identity_for_subject(tmp_path, 2)), agent="controller")
    cluster.cut_off(1)

    assert (code(subject), code(other)) == (0, 200)


def test_nothing_is_left_when_faults_are_taken_back(cluster, subject):
    cluster.faults.refuse(500)
    cluster.faults.clear()

    assert code(subject) == 200


def test_the_server_starts_again_where_it_was(cluster, subject, harness):
    harness.create({"kind": "Namespace", "metadata": {"name": "before"}})
    cluster.restart_server(0.01)

    assert code(subject) == 200
    assert harness.find("Namespace", "before")


def test_no_fault_of_a_case_reaches_the_next(backend, tmp_path):
    first = backend.lend(known_dialects()["v0.19"])
    first.identity_for_subject(tmp_path)
    first.faults.refuse(500)
    first.close()
    second = backend.lend(known_dialects()["v0.19"])
    client = Client(connect(second.identity_for_subject(tmp_path)), agent="controller")

    assert code(client) == 200
    second.close()


def test_the_clock_of_a_server_in_real_time_may_be_ahead():
    backend = WallFakeBackend()
    cluster = backend.lend(known_dialects()["v0.19"])
    before = cluster.now()
    cluster.skew(30)
    ahead = cluster.now() - before
    cluster.close()
    backend.close()

    assert ahead >= 30


def test_in_virtual_time_the_subject_has_another_clock_cc_084():
    backend, times = FakeBackend(), []
    cluster = backend.lend(known_dialects()["v0.19"])

    async def controller(context):
        times.append(context.clock.now())
        context.clock.call_at(context.clock.now() + 5, lambda: times.append(context.clock.now()))

    cluster.skew(30)
    began = cluster.now()
    RunningCoroutine(controller, SubjectContext("", "", ""), cluster, "controller")
    cluster.wait(lambda: len(times) > 1, 60, lambda: False)
    ended = cluster.now()
    cluster.close()
    backend.close()

    assert (times, ended) == ([began - 30, began - 25], began + 5)


def test_a_refused_apply_tells_its_manager(cluster, subject):
    cluster.faults.refuse(500, times=1)
    with pytest.raises(ApiError):
        subject.apply({"kind": "Namespace", "metadata": {"name": "mine"}}, manager="acme")

    assert [attempt.manager for attempt in cluster.recorder.attempts()] == ["acme"]


def test_a_story_is_whole_when_the_journal_has_forgotten_its_beginning(monkeypatch):
    backend = WallFakeBackend()
    cluster = backend.lend(known_dialects()["v0.19"])
    monkeypatch.setattr(cluster._cluster.journal, "_limit", 4)
    client, names = Client(cluster.transport, agent="test"), [f"a-{number}" for number in range(12)]
    names_left = iter(names)

    def are_all_there():
        for name in names_left:
            client.create({"kind": "Namespace", "metadata": {"name": name}})
            return False
        return True

    cluster.wait(are_all_there, 60, lambda: True)
    created_names = [
        story_change.name
        for story_change in cluster.recorder.changes()
        if story_change.name in names and story_change.before is None
    ]
    cluster.close()
    backend.close()

    assert created_names == names
