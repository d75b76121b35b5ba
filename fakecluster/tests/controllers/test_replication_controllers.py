"""ReplicationControllers keep their pods as ReplicaSets do (FK-464)."""

from __future__ import annotations

CORE = "/api/v1/namespaces/default"
CONTROLLERS, PODS, EVENTS = f"{CORE}/replicationcontrollers", f"{CORE}/pods", f"{CORE}/events"
LABELS = {"app": "rc"}


def replication_controller(**spec):
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    return {"metadata": {"name": "rc"}, "spec": {"selector": LABELS, "template": template, **spec}}


def test_a_replication_controller_gets_its_pods(world):
    created = world.ask("POST", CONTROLLERS, replication_controller(replicas=2))
    pods = world.ask("GET", PODS)["items"]

    assert [pod["metadata"]["ownerReferences"][0]["uid"] for pod in pods] == [created["metadata"]["uid"]] * 2
    assert world.ask("GET", f"{CONTROLLERS}/rc")["status"] == {
        "replicas": 2,
        "fullyLabeledReplicas": 2,
        "readyReplicas": 2,
        "availableReplicas": 2,
        "observedGeneration": 1,
    }
    components = {
        event["source"]["component"]
        for event in world.ask("GET", EVENTS)["items"]
        if event["involvedObject"]["name"] == "rc"
    }
    assert components == {"replication-controller"}
    assert world.refusals() == []


def test_it_is_scaled(world):
    world.ask("POST", CONTROLLERS, replication_controller(replicas=3))

    world.ask("PATCH", f"{CONTROLLERS}/rc/scale", {"spec": {"replicas": 1}})

    assert len(world.names(PODS)) == 1


def test_it_adopts_and_releases_by_its_selector(world):
    world.ask(
        "POST",
        PODS,
        {"metadata": {"name": "p", "labels": LABELS}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    )
    world.ask("POST", CONTROLLERS, replication_controller(replicas=1))
    assert world.names(PODS) == ["p"]

    world.ask("PATCH", f"{PODS}/p", {"metadata": {"labels": {"app": "other"}}})

    assert len(world.names(PODS)) == 2
    assert world.ask("GET", f"{PODS}/p")["metadata"].get("ownerReferences") is None
