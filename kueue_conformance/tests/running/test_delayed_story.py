"""A story that comes out of step on the fake backend: in cluster time, by kind, and complete in the end."""

import pytest

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.backends.watch_delays import LONGEST_SECONDS
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.transport import connect

NAMESPACES = ["a", "b", "c"]


@pytest.fixture
def cluster():
    backend = FakeBackend(delay_seed=1)
    cluster = backend.lend(known_dialects()["v0.19"])
    yield cluster
    cluster.close()
    backend.close()


@pytest.fixture
def written(cluster):
    """Writes Namespaces and Events in turn, as another client than the scenario."""
    client = Client(connect(cluster.kubeconfig), agent="test")
    for name in NAMESPACES:
        client.create({"kind": "Namespace", "metadata": {"name": name}})
        client.create(
            {
                "kind": "Event",
                "metadata": {"name": name, "namespace": name},
                "involvedObject": {"kind": "Namespace", "name": name, "namespace": name},
            },
        )
    return cluster.recorder


def revisions(changes):
    return [change.revision for change in changes]


def test_changes_come_when_their_delay_is_over(cluster, written):
    assert [*written.changes()] == []

    assert cluster.wait(lambda: len(written.changes()) == 2 * len(NAMESPACES), LONGEST_SECONDS, lambda: False)


def test_kinds_come_out_of_step_and_each_in_its_order(cluster, written):
    cluster.passes(LONGEST_SECONDS, lambda: False)

    arrived = written.arrivals(0)
    assert revisions(arrived) != sorted(revisions(arrived)) == revisions(written.changes())
    for kind in ("Namespace", "Event"):
        of_kind = [change.name for change in arrived if change.kind == kind]
        assert of_kind == NAMESPACES


def test_positions_of_arrivals_stay(cluster, written):
    cluster.passes(written.next_delivery() - cluster.now(), lambda: False)
    first = [*written.arrivals(0)]

    cluster.passes(LONGEST_SECONDS, lambda: False)

    assert [*first, *written.arrivals(len(first))] == [*written.arrivals(0)]
    assert 0 < len(first) < 2 * len(NAMESPACES)


def test_what_was_read_is_in_the_story_at_once(cluster, written):
    Client(cluster.transport, agent="test").get("Namespace", "b")

    assert {(change.kind, change.name) for change in written.changes()} == {
        ("Namespace", "a"),
        ("Namespace", "b"),
    }


def test_what_a_failure_is_judged_by_is_all_that_the_server_has(cluster, written):
    written.complete()

    assert len(written.changes()) == 2 * len(NAMESPACES)


def test_the_story_of_a_case_that_has_ended_is_complete(cluster, written):
    assert cluster.ends(lambda: False)

    assert len(written.changes()) == 2 * len(NAMESPACES)
    assert written.next_delivery() is None
    assert written.newest_revision() == written.changes()[-1].revision
