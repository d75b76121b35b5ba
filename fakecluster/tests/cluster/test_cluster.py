"""FakeCluster: life, forks, snapshots, time (design.md §6)."""

from __future__ import annotations

import base64
import gc
import threading
import urllib.request
from weakref import ref

import pytest
import yaml

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError

MAPS = "/api/v1/namespaces/default/configmaps"


@pytest.fixture
def cluster():
    with FakeCluster(controllers="none") as running:
        yield running


def config_map(name, **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def names(cluster):
    return [config_map["metadata"]["name"] for config_map in cluster.request("GET", MAPS)["items"]]


def test_a_fork_starts_from_the_present_and_goes_its_own_way(cluster):
    cluster.request("POST", MAPS, config_map("a"))
    with cluster.fork() as child:
        child.request("POST", MAPS, config_map("b"))

        assert names(child) == ["a", "b"]
        assert names(cluster) == ["a"]
        assert child.url != cluster.url


def test_a_fork_serves_the_definitions_of_its_origin(cluster):
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object"}},
    }
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    spec = {"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]}
    crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    cluster.apply([{**crd, "metadata": {"name": "things.example.com"}, "spec": spec}])

    with cluster.fork() as child:
        assert child.request("GET", "/apis/example.com/v1/things")["items"] == []


def test_restore_goes_back(cluster):
    before = cluster.snapshot()
    cluster.request("POST", MAPS, config_map("a"))

    cluster.restore(before)

    assert names(cluster) == []


def test_virtual_time_moves_only_when_told(cluster):
    start = cluster.clock.now()

    cluster.advance(900)

    assert cluster.clock.now() == start + 900


def test_timers_fire_in_order_while_time_moves(cluster):
    entries = []
    current_time = cluster.clock.now()
    for delay in (30, 10, 20):
        cluster.clock.call_at(
            current_time + delay,
            lambda delay=delay: entries.append((delay, cluster.clock.now() - current_time)),
        )

    cluster.advance(25)

    assert entries == [(10, 10), (20, 20)]


def test_time_of_the_wall_cannot_be_moved():
    with (
        FakeCluster(clock="wall", controllers="none") as cluster,
        pytest.raises(TypeError, match="needs virtual time"),
    ):
        cluster.advance(1)


def test_apply_owns_what_it_writes(cluster):
    cluster.apply([config_map("a", k="1")])
    cluster.apply([config_map("a", k="2")])

    config = cluster.request("GET", f"{MAPS}/a")
    assert config["data"] == {"k": "2"}
    assert [managed_field["manager"] for managed_field in config["metadata"]["managedFields"]] == [
        "fakecluster"
    ]


def test_apply_of_an_unknown_kind_says_what_to_do(cluster):
    with pytest.raises(
        LookupError, match="no resource of this cluster is a v1 Nothing: apply its definition first"
    ):
        cluster.apply([{"apiVersion": "v1", "kind": "Nothing", "metadata": {"name": "x"}}])


def test_a_failed_request_raises_its_status(cluster):
    with pytest.raises(StatusError, match='configmaps "zz" not found') as caught:
        cluster.request("GET", f"{MAPS}/zz")

    assert (caught.value.code, caught.value.reason) == (404, "NotFound")


def test_the_kubeconfig_names_the_server_and_holds_everything_inline(cluster, tmp_path):
    text = cluster.kubeconfig(tmp_path / "config", user="eve", groups=["devs"])

    config = yaml.safe_load((tmp_path / "config").read_text())
    assert yaml.safe_load(text) == config
    assert config["clusters"][0]["cluster"]["server"] == cluster.url
    assert sorted(config["users"][0]["user"]) == ["client-certificate-data", "client-key-data", "token"]


def test_client_keys_name_their_algorithm():
    """Java clients take an EC key in PKCS #8 for one of RSA."""
    with FakeCluster(controllers="none") as cluster:
        (user,) = yaml.safe_load(cluster.kubeconfig())["users"]

    assert base64.b64decode(user["user"]["client-key-data"]).startswith(b"-----BEGIN EC PRIVATE KEY-----\n")


def test_clusters_share_one_thread_which_ends_with_the_last(cluster):
    before = threading.active_count()
    other = FakeCluster(controllers="none").start()

    assert threading.active_count() == before
    other.stop()
    assert cluster.request("GET", "/version")["major"] == "1"


def test_a_fork_in_a_with_block_is_started_once(cluster):
    child = cluster.fork()
    url, listener = child.url, child.listener
    with child:
        assert (child.url, child.listener) == (url, listener)


def test_a_stopped_fork_is_freed_without_a_search_for_cycles():
    with FakeCluster(controllers="none", tls=False) as base:
        child = base.fork()
        head = {"Authorization": f"Bearer {child.token()}"}
        watch = urllib.request.Request(f"{child.url}{MAPS}?watch=true", headers=head)
        gc.disable()
        try:
            with urllib.request.urlopen(watch, timeout=10):
                child.request("POST", MAPS, config_map("a"))
            api, listener = ref(child._core.api), ref(child.listener)
            child.stop()
            for _ in range(3):  # what is cut is told so a turn of the loop later
                base.settle()
            del child
            base.settle()

            assert (api(), listener()) == (None, None)
        finally:
            gc.enable()


def test_equal_seeds_make_equal_objects():
    def made(seed):
        with FakeCluster(controllers="none", seed=seed) as cluster:
            return cluster.request("POST", MAPS, config_map("a"))

    assert made(7) == made(7)
    assert made(7) != made(8)


def test_using_a_cluster_that_is_not_started_says_so():
    with pytest.raises(RuntimeError, match=r"not running: call start\(\)"):
        FakeCluster(controllers="none").request("GET", "/version")


def test_waiting_on_the_cluster_s_own_loop_is_refused(cluster):
    async def nested():
        return cluster.request("GET", "/version")

    with pytest.raises(RuntimeError, match="called from the cluster's own event loop"):
        cluster.run(nested())
