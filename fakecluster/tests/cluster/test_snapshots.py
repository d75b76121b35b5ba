"""States in files, and the difference between two of them (F-04, F-05)."""

from __future__ import annotations

import gzip
import json

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError
from fakecluster.cluster.snapshots import SnapshotError, difference, load, save
from fakecluster.store import Expired

MAPS = "/api/v1/namespaces/default/configmaps"

HEAD = {"fakecluster": "snapshot", "format": 1, "revision": 1}
LINE = {
    "group": "",
    "resource": "configmaps",
    "namespace": "default",
    "revision": 1,
    "object": {"metadata": {"name": "a"}},
}


@pytest.fixture
def cluster():
    with FakeCluster(controllers="none") as change:
        yield change


def make(cluster, name, **data):
    created = cluster.request("POST", MAPS, {"metadata": {"name": name}, "data": data})
    return int(created["metadata"]["resourceVersion"])


def names(cluster):
    return [config_map["metadata"]["name"] for config_map in cluster.request("GET", MAPS)["items"]]


def test_a_file_brings_a_state_to_another_cluster(cluster, tmp_path):
    make(cluster, "a", k="1")
    save(cluster.snapshot(), tmp_path / "state")
    with FakeCluster(controllers="none") as other:
        other.restore(load(tmp_path / "state"))

        assert other.request("GET", f"{MAPS}/a")["data"] == {"k": "1"}


def test_equal_states_make_equal_files(cluster, tmp_path):
    save(cluster.snapshot(), tmp_path / "one")
    save(cluster.snapshot(), tmp_path / "two")

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("content", [pytest.param(b"no gzip", id="no-gzip"), pytest.param(b"", id="empty")])
def test_a_file_that_is_no_snapshot_is_refused(tmp_path, content):
    (tmp_path / "state").write_bytes(content)
    with pytest.raises(SnapshotError, match=r"state is no snapshot: .*expected a file that save"):
        load(tmp_path / "state")


def test_a_difference_names_what_changed(cluster):
    make(cluster, "a")
    make(cluster, "b")
    before = cluster.snapshot()
    cluster.request("DELETE", f"{MAPS}/a")
    cluster.request(
        "PATCH", f"{MAPS}/b", {"data": {"k": "2"}}, headers={"content-type": "application/merge-patch+json"}
    )
    make(cluster, "c")
    changes = {change.name[1]: change for change in difference(before, cluster.snapshot())}

    assert list(changes) == ["a", "b", "c"]
    assert (changes["a"].after, changes["b"].after["data"], changes["c"].before) == (None, {"k": "2"}, None)


@pytest.mark.parametrize("at", [11, 40, 200, -6, -2], ids=lambda at: f"byte {at}")
def test_a_state_with_a_flipped_bit_is_explained(cluster, tmp_path, at):
    make(cluster, "a")
    save(cluster.snapshot(), tmp_path / "state")
    packed = bytearray((tmp_path / "state").read_bytes())
    packed[at] ^= 0x10
    (tmp_path / "state").write_bytes(packed)

    with pytest.raises(SnapshotError, match="state is no snapshot"):
        load(tmp_path / "state")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([], id="empty"),
        pytest.param([[]], id="no head"),
        pytest.param([{"fakecluster": "snapshot", "format": 1}], id="head without a revision"),
        pytest.param([{"fakecluster": "snapshot", "format": 1, "revision": -1}], id="revision below 0"),
        pytest.param([{"fakecluster": "snapshot", "format": 2, "revision": 1}], id="another format"),
        pytest.param([HEAD, {"group": ""}], id="half a line"),
        pytest.param([HEAD, {**LINE, "object": None}], id="no object"),
        pytest.param([HEAD, {**LINE, "object": {"metadata": []}}], id="no metadata"),
        pytest.param([HEAD, {**LINE, "object": {"metadata": {"name": 3}}}], id="name that is none"),
    ],
)
def test_a_file_with_other_lines_is_explained(tmp_path, lines):
    (tmp_path / "state").write_bytes(
        gzip.compress(b"\n".join(json.dumps(change).encode() for change in lines))
    )

    with pytest.raises(SnapshotError):
        load(tmp_path / "state")


def test_the_past_is_shown_and_cannot_be_changed(cluster):
    first = make(cluster, "a")
    make(cluster, "b")
    with cluster.at(first) as past:
        assert names(past) == ["a"]
        with pytest.raises(StatusError, match=f"this server shows revision {first} and cannot be changed"):
            make(past, "c")
    assert names(cluster) == ["a", "b"]


def test_the_past_is_found_by_time(cluster):
    make(cluster, "a")
    moment = cluster.clock.now()
    cluster.advance(60)
    make(cluster, "b")
    with cluster.at(time=moment + 30) as past:
        assert names(past) == ["a"]


def test_the_past_before_history_is_gone(cluster):
    with pytest.raises(Expired, match="the oldest revision kept is"):
        cluster.at(1)


@pytest.mark.parametrize(
    "point", [pytest.param({}, id="nothing"), pytest.param({"revision": 5, "time": 1.0}, id="both")]
)
def test_the_past_is_named_by_one_thing(cluster, point):
    with pytest.raises(TypeError, match="at\\(\\) needs a revision or a time, and not both"):
        cluster.at(**point)
