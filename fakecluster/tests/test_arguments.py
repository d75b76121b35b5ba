"""What is handed over wrongly is told with what was expected, before anything is done with it."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.arguments import ArgumentError
from fakecluster.cluster import NeverHeld

NAMED = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}
MAPS = "/api/v1/namespaces/default/configmaps"
EXPECTED = "expected a Kubernetes object with apiVersion, kind and metadata.name"
WRONG = {
    "no apiVersion": (lambda one: one.apply([{"kind": "X"}]), f"object 1 has no apiVersion, {EXPECTED}"),
    "no kind": (lambda one: one.apply([NAMED, {"apiVersion": "v1"}]), f"object 2 has no kind, {EXPECTED}"),
    "no name": (lambda one: one.apply([{**NAMED, "metadata": None}]), f"object 1, a ConfigMap, has no metadata.name, {EXPECTED}"),
    "in a List": (lambda one: one.apply([{"apiVersion": "v1", "kind": "List", "items": [3]}]), f"object 1, item 1 is 3, {EXPECTED}"),
    "one object": (lambda one: one.apply(NAMED), "expected a list of objects"),
    "no objects": (lambda one: one.apply(None), "objects are None, expected a list of objects"),
    "a word": (lambda one: one.apply(["x"]), f"object 1 is 'x', {EXPECTED}"),
    "one path": (lambda one: one.apply_files("x"), "paths are 'x', expected a list of files or folders"),
    "no path": (lambda one: one.apply_files([3]), "a path is 3, expected a file or a folder"),
    "a revision to come": (lambda one: one.at(99_999), "revision 99999 is still to come, the newest is "),
    "no revision": (lambda one: one.at("x"), "revision is 'x', expected a whole number such as "),
    "a time to come": (lambda one: one.at(time=9e9), "time 9000000000.000 is still to come, the cluster's time is 1767225600.000"),
    "no time": (lambda one: one.at(time="x"), "time is 'x', expected a number"),
    "back in time": (lambda one: one.advance(-5), "advance is -5, expected seconds, 0 or more"),
    "no seconds": (lambda one: one.advance("x"), "advance is 'x', expected seconds, 0 or more"),
    "endless": (lambda one: one.advance(float("nan")), "advance is nan, expected seconds, 0 or more"),
    "until never": (lambda one: one.run_until(lambda: True, -1), "max_virtual is -1, expected seconds, 0 or more"),
    "until nobody asks": (lambda one: one.advance_until_asked(-1), "advance_until_asked is -1, expected seconds, 0 or more"),
    "a pause back in time": (lambda one: one.restart(-1), "pause is -1, expected seconds, 0 or more"),
}  # fmt: skip


@pytest.mark.parametrize(("done", "told"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_used_is_told(done, told):
    with FakeCluster() as cluster, pytest.raises(ArgumentError) as refused:
        done(cluster)

    assert told in str(refused.value)


def test_nothing_is_applied_beside_what_is_wrong():
    with FakeCluster() as cluster:
        with pytest.raises(ArgumentError):
            cluster.apply([NAMED, {"kind": "X"}])

        assert not [one for one in cluster.request("GET", MAPS)["items"] if one["metadata"]["name"] == "a"]


def test_a_clock_is_ahead_by_a_number():
    with (
        FakeCluster(clock="wall") as cluster,
        pytest.raises(ArgumentError, match="skew is 'x', expected a number"),
    ):
        cluster.skew("x")


def test_objects_of_a_list_are_applied_one_by_one():
    with FakeCluster() as cluster:
        cluster.apply([{"apiVersion": "v1", "kind": "List", "items": [NAMED]}])

        assert cluster.request("GET", f"{MAPS}/a")


def test_a_path_may_be_text(tmp_path):
    (tmp_path / "a.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
    with FakeCluster() as cluster:
        cluster.apply_files([str(tmp_path / "a.yaml")])

        assert cluster.request("GET", f"{MAPS}/a")


def asking(cluster):
    """Return a client that asks over the network, and no longer than a second."""
    import urllib3

    token, pool = cluster.token(), urllib3.PoolManager(cert_reqs="CERT_NONE", assert_hostname=False)
    headers = {"authorization": f"Bearer {token}"}
    return lambda path: pool.request("GET", f"{cluster.url}{path}", headers=headers, timeout=1, retries=False)


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
@pytest.mark.parametrize("clock", ["virtual", "wall"])
def test_a_wait_may_ask_over_the_network(clock):
    with FakeCluster(clock=clock) as cluster:
        get = asking(cluster)
        cluster.apply([NAMED])
        cluster.wait_until(lambda: get(f"{MAPS}/a").status == 200, 5)
        if clock == "virtual":
            cluster.run_until(lambda: get(f"{MAPS}/a").status == 200, 5)


@pytest.mark.parametrize("clock", ["virtual", "wall"])
def test_what_is_waited_for_in_vain_is_told(clock):
    with (
        FakeCluster(clock=clock) as cluster,
        pytest.raises(NeverHeld, match=r"it did not hold within 0.01 s"),
    ):
        cluster.wait_until(lambda: False, 0.01)


def test_a_wait_in_real_time_looks_again_when_something_was_written():
    looks = []

    def holds():
        looks.append(1)
        if len(looks) == 1:
            cluster.apply([NAMED])
        return len(looks) == 2

    with FakeCluster(clock="wall") as cluster:
        cluster.wait_until(holds, 5)

    assert len(looks) == 2
