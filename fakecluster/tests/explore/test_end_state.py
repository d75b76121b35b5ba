"""Ends are compared by what a user sees of them."""

import pytest

from fakecluster import FakeCluster
from fakecluster.explore.end_state import differences, end_state

MAPS = "/api/v1/namespaces/default/configmaps"


@pytest.fixture(scope="module")
def base():
    with FakeCluster(controllers="none") as fake_cluster:
        fake_cluster.request("POST", MAPS, {"metadata": {"name": "old"}, "data": {"a": "1"}})
        yield fake_cluster


def end(base, *requests, may_differ=()):
    """Return the end of a run that consists of these requests."""
    with base.fork() as fork:
        # Uids and revisions are then others than in the next run.
        for request in requests:
            fork.request(*request)
        return end_state(base.snapshot(), fork.snapshot(), may_differ)


def post(name, **fields):
    return ("POST", MAPS, {"metadata": {"name": name}, **fields})


def create_generated(owner=None, **fields):
    return ("POST", MAPS, {"metadata": {"generateName": "new-"}, **fields})


OTHER = (post("elsewhere"), ("DELETE", f"{MAPS}/elsewhere"))
"""Requests that move revisions, uids and generated names on."""


def test_the_same_acts_end_alike_whatever_names_and_revisions_there_are(base):
    assert (
        differences(
            end(base, post("a"), create_generated()), end(base, *OTHER, post("a"), create_generated())
        )
        == []
    )


@pytest.mark.parametrize(
    ("expected", "observed", "line"),
    [
        pytest.param([], [post("a")], "configmaps default/a: left behind, or changed", id="left behind"),
        pytest.param([post("a")], [], "configmaps default/a: it is gone, or was not written", id="missing"),
        pytest.param([create_generated()], [create_generated(), create_generated()], "configmaps default/new-* (2): left behind, or changed", id="twice"),
        pytest.param([post("a", data={"k": "1"})], [post("a", data={"k": "2"})], 'configmaps default/a: data.k is "2", expected "1"', id="value"),
        pytest.param([post("a", data={"k": "1"})], [post("a", data={"j": "1"})], 'configmaps default/a: data.j is "1", expected absent', id="field"),
        pytest.param([("DELETE", f"{MAPS}/old")], [], "configmaps default/old: it is still there", id="not deleted"),
        pytest.param([], [("DELETE", f"{MAPS}/old")], "configmaps default/old: it is gone", id="deleted"),
    ],
)  # fmt: skip
def test_a_difference_is_a_line(base, expected, observed, line):
    assert line in differences(end(base, *expected), end(base, *observed))


def test_a_time_is_as_good_as_any_other(base):
    times = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:07.123456Z")
    first, second = (end(base, post("a", data={"since": time})) for time in times)

    assert differences(first, second) == []


def test_what_may_differ_is_named_by_resource_and_path(base):
    may_differ = ["configmaps:data.attempts"]
    first, second = (end(base, post("a", data={"attempts": n}), may_differ=may_differ) for n in ("1", "2"))

    assert differences(first, second) == []


def test_a_reference_to_a_generated_name_or_a_uid_is_compared(base):
    def story(*before):
        with base.fork() as fork:
            for request in before:
                fork.request(*request)
            owner = fork.request(*create_generated())["metadata"]
            reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": owner["name"], "uid": owner["uid"]}
            fork.request("POST", MAPS, {"metadata": {"name": "child", "ownerReferences": [reference]}})
            return end_state(base.snapshot(), fork.snapshot())

    assert differences(story(), story(*OTHER)) == []
    assert story()["configmaps default/child"]["metadata.ownerReferences[0].name"] == "new-*"
