"""Events expire, storage objects in use stay, nodes give signs of life (FK-124, FK-484, FK-492, FK-504)."""

import pytest

EVENTS = "/api/v1/namespaces/default/events"
CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
PODS = "/api/v1/namespaces/default/pods"
EVENT = {"metadata": {"name": "e"}, "involvedObject": {"namespace": "default"}}
CLAIM = {
    "metadata": {"name": "c"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
POD = {
    "metadata": {"name": "p", "annotations": {"fakecluster.dev/script": "Running, 60s Succeeded"}},
    "spec": {
        "containers": [{"name": "c", "image": "i"}],
        "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}],
    },
}


@pytest.mark.parametrize(("seconds", "remaining"), [(3599, ["e"]), (3600, [])], ids=["before", "after"])
def test_an_event_lives_for_an_hour_fk_492(world, seconds, remaining):
    world.ask("POST", EVENTS, EVENT)
    world.pass_time(seconds)

    assert world.names(EVENTS) == remaining


def test_a_written_event_lives_for_another_hour_fk_492(world):
    world.ask("POST", EVENTS, EVENT)
    world.pass_time(3000)
    world.ask("PATCH", f"{EVENTS}/e", {"count": 2})
    world.pass_time(3000)

    assert world.names(EVENTS) == ["e"]


def test_a_claim_waits_for_the_pod_that_mounts_it_fk_504(world):
    world.ask("POST", CLAIMS, CLAIM)
    world.ask("POST", PODS, POD)
    world.ask("DELETE", f"{CLAIMS}/c")
    assert world.names(CLAIMS) == ["c"]

    world.pass_time(60)
    assert world.names(CLAIMS) == []


@pytest.mark.parametrize(("bound", "remaining"), [(True, ["v"]), (False, [])], ids=["bound", "free"])
def test_a_bound_volume_stays_fk_504(make_world, bound, remaining):
    world = make_world("protection")
    source = {"hostPath": {"path": "/x"}, "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]}
    world.ask("POST", "/api/v1/persistentvolumes", {"metadata": {"name": "v"}, "spec": source})
    phase = {"status": {"phase": "Bound" if bound else "Released"}}
    world.ask("PATCH", "/api/v1/persistentvolumes/v/status", phase)
    world.ask("DELETE", "/api/v1/persistentvolumes/v")

    assert world.names("/api/v1/persistentvolumes") == remaining


def test_a_node_renews_its_lease_fk_484(make_world):
    world = make_world("heartbeats")
    world.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n"}})
    world.pass_time(25)

    lease = world.ask("GET", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n")
    assert lease["spec"]["renewTime"] == "2026-01-01T00:00:20.000000Z"
