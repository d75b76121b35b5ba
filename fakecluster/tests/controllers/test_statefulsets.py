"""StatefulSets get their pods in order, and their volume claims, as under Kubernetes 1.36 (FK-464)."""

from __future__ import annotations

import pytest

from fakecluster.controllers.statefulsets import StatefulSetController

from .conftest import to_end

APPS, CORE = "/apis/apps/v1/namespaces/default", "/api/v1/namespaces/default"
SETS, SET, REVISIONS = f"{APPS}/statefulsets", f"{APPS}/statefulsets/web", f"{APPS}/controllerrevisions"
PODS, CLAIMS, EVENTS = f"{CORE}/pods", f"{CORE}/persistentvolumeclaims", f"{CORE}/events"


def template(image="nginx:1", script=None):
    metadata = {"labels": {"app": "web"}}
    if script:
        metadata["annotations"] = {"fakecluster.dev/script": script}
    return {"metadata": metadata, "spec": {"containers": [{"name": "c", "image": image}]}}


def claim(name="data"):
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"metadata": {"name": name}, "spec": spec}


def stateful_set(image="nginx:1", script=None, **spec):
    return {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "web"},
        "spec": {
            "serviceName": "web",
            "selector": {"matchLabels": {"app": "web"}},
            "template": template(image, script),
            **spec,
        },
    }


def status(world):
    return world.ask("GET", SET)["status"]


def event_messages(world):
    events = sorted(
        world.ask("GET", EVENTS)["items"], key=lambda event: int(event["metadata"]["resourceVersion"])
    )
    return [event["message"] for event in events if event["reportingComponent"] == "statefulset-controller"]


def images(world):
    return [pod["spec"]["containers"][0]["image"] for pod in world.ask("GET", PODS)["items"]]


def change(world, **spec):
    return world.ask("PATCH", SET, {"spec": spec})


def test_pods_are_created_one_after_another(world):
    world.ask("POST", SETS, stateful_set(replicas=3, script="5s Running"))
    counts = [len(world.names(PODS))]
    for _ in range(3):
        world.pass_time(5)
        counts.append(len(world.names(PODS)))

    assert counts == [1, 2, 3, 3]
    assert world.names(PODS) == ["web-0", "web-1", "web-2"]
    assert event_messages(world) == [f"Create Pod web-{n} in StatefulSet web successful" for n in range(3)]
    assert world.refusals() == []


def test_parallel_pods_are_created_at_once(world):
    world.ask("POST", SETS, stateful_set(replicas=3, script="5s Running", podManagementPolicy="Parallel"))

    assert world.names(PODS) == ["web-0", "web-1", "web-2"]


def test_a_pod_has_its_name_everywhere(world):
    created = world.ask("POST", SETS, stateful_set(volumeClaimTemplates=[claim()], ordinals={"start": 5}))
    pod = world.ask("GET", f"{PODS}/web-5")

    revision = world.names(REVISIONS)[0]
    assert pod["metadata"]["labels"] == {
        "app": "web",
        "apps.kubernetes.io/pod-index": "5",
        "statefulset.kubernetes.io/pod-name": "web-5",
        "controller-revision-hash": revision,
    }
    assert (pod["metadata"]["generateName"], pod["spec"]["hostname"], pod["spec"]["subdomain"]) == (
        "web-",
        "web-5",
        "web",
    )
    assert [owner["uid"] for owner in pod["metadata"]["ownerReferences"]] == [created["metadata"]["uid"]]
    assert pod["spec"]["volumes"][0] == {"name": "data", "persistentVolumeClaim": {"claimName": "data-web-5"}}
    assert world.ask("GET", f"{CLAIMS}/data-web-5")["metadata"]["labels"] == {"app": "web"}


def test_the_status_counts_by_revision(world):
    world.ask("POST", SETS, stateful_set(replicas=2))
    (revision,) = world.names(REVISIONS)

    assert status(world) == {
        "observedGeneration": 1,
        "replicas": 2,
        "readyReplicas": 2,
        "currentReplicas": 2,
        "updatedReplicas": 2,
        "currentRevision": revision,
        "updateRevision": revision,
        "collisionCount": 0,
        "availableReplicas": 2,
    }


def test_the_last_pod_goes_first(world):
    world.ask("POST", SETS, stateful_set(replicas=3))

    change(world, replicas=1)

    assert world.names(PODS) == ["web-0"]
    assert [event for event in event_messages(world) if event.startswith("Delete")] == [
        f"Delete Pod web-{n} in StatefulSet web successful" for n in (2, 1)
    ]


def test_a_pod_that_ends_is_replaced(world):
    world.ask("POST", SETS, stateful_set())
    before = world.ask("GET", f"{PODS}/web-0")["metadata"]["uid"]

    world.pods.fail("default", "web-0")
    world.pass_time(0)

    assert world.ask("GET", f"{PODS}/web-0")["metadata"]["uid"] != before


def test_a_rolling_update_goes_down_and_waits_for_every_pod(world):
    world.ask("POST", SETS, stateful_set(replicas=3))
    change(world, template=template("nginx:2", "5s Running"))
    images_seen = [images(world)]
    for _ in range(3):
        world.pass_time(5)
        images_seen.append(images(world))

    assert images_seen == [["nginx:1"] * (2 - n) + ["nginx:2"] * (n + 1) for n in range(3)] + [
        ["nginx:2"] * 3
    ]
    revisions = {
        revision["revision"]: revision["metadata"]["name"]
        for revision in world.ask("GET", REVISIONS)["items"]
    }
    assert status(world)["currentRevision"] == status(world)["updateRevision"] == revisions[2]


def test_pods_below_the_partition_keep_the_current_revision(world):
    world.ask("POST", SETS, stateful_set(replicas=3))

    change(world, template=template("nginx:2"), updateStrategy={"rollingUpdate": {"partition": 2}})
    assert images(world) == ["nginx:1", "nginx:1", "nginx:2"]
    world.ask("DELETE", f"{PODS}/web-1")

    assert images(world) == ["nginx:1", "nginx:1", "nginx:2"]
    assert (status(world)["currentReplicas"], status(world)["updatedReplicas"]) == (2, 1)


def test_on_delete_only_deleted_pods_are_of_the_new_revision(world):
    world.ask("POST", SETS, stateful_set(replicas=2, updateStrategy={"type": "OnDelete"}))
    change(world, template=template("nginx:2"))
    assert images(world) == ["nginx:1", "nginx:1"]

    world.ask("DELETE", f"{PODS}/web-1")

    assert images(world) == ["nginx:1", "nginx:2"]


def test_an_earlier_template_gets_its_revision_back_under_a_new_number(world):
    world.ask("POST", SETS, stateful_set())
    first = world.names(REVISIONS)[0]
    change(world, template=template("nginx:2"))
    change(world, template=template("nginx:1"))

    numbers = {
        revision["metadata"]["name"]: revision["revision"]
        for revision in world.ask("GET", REVISIONS)["items"]
    }
    assert numbers[first] == 3
    assert sorted(numbers.values()) == [2, 3]


def test_the_history_has_its_limit(world):
    world.ask("POST", SETS, stateful_set(revisionHistoryLimit=1))
    for number in range(2, 6):
        change(world, template=template(f"nginx:{number}"))

    assert sorted(revision["revision"] for revision in world.ask("GET", REVISIONS)["items"]) == [4, 5]


def test_a_pod_is_available_after_its_seconds_and_then_the_next_comes(world):
    world.ask("POST", SETS, stateful_set(replicas=2, minReadySeconds=30))
    assert (len(world.names(PODS)), status(world)["readyReplicas"], status(world)["availableReplicas"]) == (
        1,
        1,
        0,
    )

    world.pass_time(30)

    assert len(world.names(PODS)) == 2


@pytest.mark.parametrize(
    ("policy", "scaled", "deleted"),
    [
        pytest.param({}, 2, 2, id="retain"),
        pytest.param({"whenScaled": "Delete"}, 1, 1, id="delete when scaled"),
        pytest.param({"whenDeleted": "Delete"}, 2, 0, id="delete with the set"),
        pytest.param({"whenScaled": "Delete", "whenDeleted": "Delete"}, 1, 0, id="delete always"),
    ],
)
def test_claims_go_by_the_retention_policy(world, policy, scaled, deleted):
    """The numbers are of the claims that are left after scaling from two to one, and after deletion."""
    world.ask(
        "POST",
        SETS,
        stateful_set(
            replicas=2,
            volumeClaimTemplates=[claim()],
            persistentVolumeClaimRetentionPolicy=policy,
        ),
    )
    assert world.names(CLAIMS) == ["data-web-0", "data-web-1"]

    change(world, replicas=1)
    assert len(world.names(CLAIMS)) == scaled
    world.ask("DELETE", SET)

    assert len(world.names(CLAIMS)) == deleted


@pytest.mark.parametrize(("policy", "number"), [("OrderedReady", 1), ("Parallel", 500)])
def test_two_billion_replicas_come_in_bursts(make_world, policy, number):
    world = make_world("none")
    world.ask("POST", SETS, stateful_set(replicas=2**31 - 1, podManagementPolicy=policy))
    controller = StatefulSetController(world.core.api)
    controller.initial(world.core.store)

    to_end(controller.work(("default", "web")))

    assert len(world.names(PODS)) == number


def test_what_matches_and_has_a_name_of_the_set_is_adopted(world):
    for name in ("web-0", "other"):
        world.ask(
            "POST", PODS, {"metadata": {"name": name, "labels": {"app": "web"}}, "spec": template()["spec"]}
        )

    world.ask("POST", SETS, stateful_set())

    owners = {
        pod["metadata"]["name"]: len(pod["metadata"].get("ownerReferences", ()))
        for pod in world.ask("GET", PODS)["items"]
    }
    assert owners == {"web-0": 1, "other": 0}
    assert world.ask("GET", f"{PODS}/web-0")["metadata"]["labels"]["apps.kubernetes.io/pod-index"] == "0"
