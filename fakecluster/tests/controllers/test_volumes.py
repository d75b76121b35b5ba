"""PersistentVolumes and PersistentVolumeClaims find each other, and volumes are reclaimed (FK-504)."""

import pytest

from fakecluster.controllers.volumes import matching

VOLUMES = "/api/v1/persistentvolumes"
CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
EVENTS = "/api/v1/namespaces/default/events"


def volume(name="v", size="2Gi", policy="Retain", labels=None, **spec):
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "labels": labels or {}},
        "spec": {
            "capacity": {"storage": size},
            "accessModes": ["ReadWriteOnce"],
            "hostPath": {"path": "/tmp/x"},
            "persistentVolumeReclaimPolicy": policy,
            **spec,
        },
    }


def claim(name="c", size="1Gi", **spec):
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "default", "uid": "u"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": size}},
            "storageClassName": "",
            **spec,
        },
    }


def phases(world):
    objects = [*world.ask("GET", VOLUMES)["items"], *world.ask("GET", CLAIMS)["items"]]
    return {obj["metadata"]["name"]: obj["status"]["phase"] for obj in objects}


def messages(world):
    return [event["message"] for event in world.ask("GET", EVENTS)["items"]]


def test_a_claim_is_bound_to_a_volume_fk_504(world):
    world.ask("POST", VOLUMES, volume())
    before = phases(world)
    world.ask("POST", CLAIMS, claim())
    claim_object = world.ask("GET", f"{CLAIMS}/c")

    assert (before, phases(world)) == ({"v": "Available"}, {"v": "Bound", "c": "Bound"})
    assert claim_object["spec"]["volumeName"] == "v"
    assert claim_object["status"]["capacity"] == {"storage": "2Gi"}
    assert claim_object["metadata"]["annotations"] == {
        "pv.kubernetes.io/bind-completed": "yes",
        "pv.kubernetes.io/bound-by-controller": "yes",
    }


def test_a_claim_waits_for_its_volume_fk_504(world):
    world.ask("POST", CLAIMS, claim())
    before = phases(world)
    world.ask("POST", VOLUMES, volume())

    assert (before, phases(world)) == ({"c": "Pending"}, {"v": "Bound", "c": "Bound"})
    assert messages(world) == ["no persistent volumes available for this claim and no storage class is set"]


@pytest.mark.parametrize(
    ("policy", "path", "phase"),
    [
        ("Retain", "/tmp/x", "Released"),
        ("Delete", "/tmp/x", None),
        ("Delete", "/x", "Failed"),
        ("Recycle", "/x", "Available"),
    ],
)
def test_a_volume_is_reclaimed_fk_504(world, policy, path, phase):
    world.ask("POST", VOLUMES, volume(policy=policy, hostPath={"path": path}))
    world.ask("POST", CLAIMS, claim())
    world.ask("DELETE", f"{CLAIMS}/c")

    assert phases(world) == ({"v": phase} if phase else {})


def test_a_recycled_volume_serves_again_fk_504(world):
    world.ask("POST", VOLUMES, volume(policy="Recycle"))
    world.ask("POST", CLAIMS, claim("first"))
    world.ask("DELETE", f"{CLAIMS}/first")
    world.ask("POST", CLAIMS, claim("second"))

    assert phases(world) == {"v": "Bound", "second": "Bound"}


def test_a_claim_whose_volume_is_gone_is_lost_fk_504(world):
    world.ask("POST", VOLUMES, volume())
    world.ask("POST", CLAIMS, claim())
    world.ask("DELETE", f"{VOLUMES}/v")
    world.ask("PATCH", f"{VOLUMES}/v", {"metadata": {"finalizers": None}})

    assert phases(world) == {"c": "Lost"}
    assert messages(world) == ["Bound claim has lost its PersistentVolume. Data on the volume is lost!"]


def available(name, **fields):
    return {**volume(name, **fields), "status": {"phase": "Available"}}


@pytest.mark.parametrize(
    ("wish", "volumes", "name"),
    [
        (claim(), [available("large", size="9Gi"), available("small")], "small"),
        (claim(size="3Gi"), [available("small"), available("large", size="9Gi")], "large"),
        (claim(size="99Gi"), [available("small")], None),
        (claim(), [volume("pending")], None),
        (claim(), [available("classed", storageClassName="fast")], None),
        (claim(), [available("block", volumeMode="Block")], None),
        (
            claim(),
            [
                available("more", accessModes=["ReadWriteOnce", "ReadOnlyMany"]),
                available("larger", size="5Gi"),
            ],
            "larger",
        ),
        (
            claim(selector={"matchLabels": {"a": "b"}}),
            [available("x"), available("y", labels={"a": "b"})],
            "y",
        ),
        (
            claim(),
            [
                available("small"),
                available("reserved", size="9Gi", claimRef={"namespace": "default", "name": "c"}),
            ],
            "reserved",
        ),
        (claim(), [available("others", claimRef={"namespace": "default", "name": "d"})], None),
    ],
    ids=[
        "smallest",
        "large enough",
        "none",
        "not available",
        "class",
        "mode",
        "fewest access modes",
        "selector",
        "reserved",
        "reserved for another",
    ],
)
def test_the_best_volume_is_chosen_fk_504(wish, volumes, name):
    best = matching.best(wish, volumes)

    assert (best and best["metadata"]["name"]) == name
