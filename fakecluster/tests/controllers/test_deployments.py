"""Deployments and ReplicaSets are rolled out, scaled,
paused and cleaned as under Kubernetes 1.36 (FK-464).
"""

from __future__ import annotations

import pytest

from fakecluster.controllers.deployments import replica_counts as deployment_sizes

APPS = "/apis/apps/v1/namespaces/default"
DEPLOYMENT, REPLICA_SETS, PODS = (
    f"{APPS}/deployments/d",
    f"{APPS}/replicasets",
    "/api/v1/namespaces/default/pods",
)
EVENTS = "/api/v1/namespaces/default/events"
REVISION = "deployment.kubernetes.io/revision"


def template(image="nginx:1", script=None, **labels):
    metadata = {"labels": {"app": "d", **labels}}
    if script:
        metadata["annotations"] = {"fakecluster.dev/script": script}
    return {"metadata": metadata, "spec": {"containers": [{"name": "c", "image": image}]}}


def deployment(image="nginx:1", script=None, **spec):
    selector = {"matchLabels": {"app": "d"}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "annotations": {"team": "a"}},
        "spec": {"selector": selector, "template": template(image, script), **spec},
    }


def rolling(surge, unavailable):
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}}


def status(world, path=DEPLOYMENT):
    status = world.ask("GET", path)["status"]
    return {name: value for name, value in status.items() if name != "conditions"}


def conditions(world):
    status = world.ask("GET", DEPLOYMENT)["status"]["conditions"]
    return {
        condition["type"]: (condition["status"], condition["reason"], condition["message"])
        for condition in status
    }


def sizes(world):
    """Return the replicas of each revision."""
    return {
        replica_set["metadata"]["annotations"][REVISION]: replica_set["spec"]["replicas"]
        for replica_set in world.ask("GET", REPLICA_SETS)["items"]
    }


def messages_of(world, component="deployment-controller"):
    events = world.ask("GET", EVENTS)["items"]
    return [event["message"] for event in events if event["source"].get("component") == component]


def images(world):
    return sorted(pod["spec"]["containers"][0]["image"] for pod in world.ask("GET", PODS)["items"])


def change(world, **spec):
    return world.ask("PATCH", DEPLOYMENT, {"spec": spec})


def test_a_deployment_gets_its_pods(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=3))
    (replica_set,) = world.ask("GET", REPLICA_SETS)["items"]

    assert status(world) == {
        "observedGeneration": 1,
        "replicas": 3,
        "updatedReplicas": 3,
        "readyReplicas": 3,
        "availableReplicas": 3,
        "terminatingReplicas": 0,
    }
    name = replica_set["metadata"]["name"]
    assert conditions(world) == {
        "Available": ("True", "MinimumReplicasAvailable", "Deployment has minimum availability."),
        "Progressing": (
            "True",
            "NewReplicaSetAvailable",
            f'ReplicaSet "{name}" has successfully progressed.',
        ),
    }
    assert messages_of(world) == [f"Scaled up replica set {name} from 0 to 3"]
    assert world.refusals() == []


def test_the_replica_set_is_owned_hashed_and_annotated(world):
    created = world.ask("POST", f"{APPS}/deployments", deployment(replicas=2, minReadySeconds=0))
    (replica_set,) = world.ask("GET", REPLICA_SETS)["items"]
    digest = replica_set["metadata"]["labels"]["pod-template-hash"]

    assert replica_set["metadata"]["name"] == f"d-{digest}"
    assert (
        replica_set["metadata"]["labels"]
        == replica_set["spec"]["template"]["metadata"]["labels"]
        == {"app": "d", "pod-template-hash": digest}
    )
    assert replica_set["spec"]["selector"] == {"matchLabels": {"app": "d", "pod-template-hash": digest}}
    assert replica_set["metadata"]["annotations"] == {
        "team": "a",
        REVISION: "1",
        "deployment.kubernetes.io/desired-replicas": "2",
        "deployment.kubernetes.io/max-replicas": "3",
    }
    assert replica_set["metadata"]["ownerReferences"] == [
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": "d",
            "uid": created["metadata"]["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]
    assert world.ask("GET", DEPLOYMENT)["metadata"]["annotations"] == {"team": "a", REVISION: "1"}


def test_pods_are_owned_by_the_replica_set(world):
    world.ask("POST", f"{APPS}/deployments", deployment())
    (replica_set,), (pod,) = world.ask("GET", REPLICA_SETS)["items"], world.ask("GET", PODS)["items"]

    assert pod["metadata"]["generateName"] == f"{replica_set['metadata']['name']}-"
    assert pod["metadata"]["labels"] == replica_set["metadata"]["labels"]
    assert [owner_reference["uid"] for owner_reference in pod["metadata"]["ownerReferences"]] == [
        replica_set["metadata"]["uid"]
    ]
    assert messages_of(world, "replicaset-controller") == [f"Created pod: {pod['metadata']['name']}"]


def test_a_deleted_pod_is_replaced(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2))
    first, _ = world.names(PODS)

    world.ask("DELETE", f"{PODS}/{first}")

    assert len(world.names(PODS)) == 2
    assert first not in world.names(PODS)


@pytest.mark.parametrize(
    ("strategy", "steps"),
    [
        pytest.param(rolling(1, 0), [(4, 3), (4, 2), (4, 1)], id="one more"),
        pytest.param(rolling(0, 1), [(3, 2), (3, 1)], id="one less"),
        pytest.param(rolling("100%", 0), [(6, 3)], id="all at once"),
        pytest.param(rolling("25%", "25%"), [(4, 3), (4, 2), (4, 1)], id="default"),
    ],
)
def test_a_rolling_update_keeps_its_bounds(world, strategy, steps):
    """A step is how many pods there are, and how many of them are old, before the newest ones run."""
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=3, strategy=strategy))
    change(world, template=template("nginx:2", "1s Running"))
    counts = []
    while "nginx:1" in images(world):
        counts.append((len(images(world)), images(world).count("nginx:1")))
        world.pass_time(1)

    assert counts == steps
    assert images(world) == ["nginx:2"] * 3
    assert sizes(world) == {"1": 0, "2": 3}


def test_a_broken_image_stops_in_the_middle_and_is_undone_by_its_template(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=4))
    change(world, template=template("broken", "manual"))

    assert images(world) == ["broken"] * 2 + ["nginx:1"] * 3
    assert conditions(world)["Available"][:2] == ("True", "MinimumReplicasAvailable")
    assert conditions(world)["Progressing"][:2] == ("True", "ReplicaSetUpdated")
    assert status(world)["unavailableReplicas"] == 2

    change(world, template=template("nginx:1") | {"metadata": {"annotations": None}})

    assert images(world) == ["nginx:1"] * 4
    assert sizes(world) == {"2": 0, "3": 4}


def test_an_old_template_gets_a_new_revision_and_remembers_the_earlier_one(world):
    world.ask("POST", f"{APPS}/deployments", deployment())
    change(world, template=template("nginx:2"))
    change(world, template=template("nginx:1"))

    status = {
        replica_set["metadata"]["annotations"][REVISION]: replica_set
        for replica_set in world.ask("GET", REPLICA_SETS)["items"]
    }
    assert sorted(status) == ["2", "3"]
    assert status["3"]["metadata"]["annotations"]["deployment.kubernetes.io/revision-history"] == "1"
    assert world.ask("GET", DEPLOYMENT)["metadata"]["annotations"][REVISION] == "3"


def test_recreate_ends_all_before_it_begins(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2, strategy={"type": "Recreate"}))
    before = world.core.journal.last

    change(world, template=template("nginx:2"))

    entries = [entry for entry in world.core.journal.since(before) if entry.target == "pods"]
    last = [(entry.verb, entry.user.rpartition(":")[2]) for entry in entries]
    gone, created = ("delete", "node-0"), ("create", "replicaset-controller")
    assert [step for step in last if step in {gone, created}] == [
        gone,
        gone,
        created,
        created,
    ]
    assert images(world) == ["nginx:2"] * 2


def test_no_progress_is_told_after_the_deadline(world):
    world.ask("POST", f"{APPS}/deployments", deployment(script="manual", progressDeadlineSeconds=60))
    name = world.names(REPLICA_SETS)[0]
    world.pass_time(50)
    assert conditions(world)["Progressing"][:2] == ("True", "ReplicaSetUpdated")
    assert conditions(world)["Available"] == (
        "False",
        "MinimumReplicasUnavailable",
        "Deployment does not have minimum availability.",
    )

    world.pass_time(15)

    assert conditions(world)["Progressing"] == (
        "False",
        "ProgressDeadlineExceeded",
        f'ReplicaSet "{name}" has timed out progressing.',
    )


def test_without_a_deadline_nothing_is_said_of_progress(world):
    world.ask("POST", f"{APPS}/deployments", deployment(progressDeadlineSeconds=2**31 - 1))

    assert set(conditions(world)) == {"Available"}


def test_a_pod_is_available_after_its_seconds(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2, minReadySeconds=30))
    assert status(world)["readyReplicas"] == 2
    assert "availableReplicas" not in status(world)

    world.pass_time(30)

    assert status(world)["availableReplicas"] == 2
    assert conditions(world)["Available"][0] == "True"


@pytest.mark.parametrize("replicas", [5, 1, 0])
def test_scaling_makes_and_deletes_pods_without_a_new_revision(world, replicas):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2))
    name = world.names(REPLICA_SETS)[0]

    world.ask("PATCH", f"{DEPLOYMENT}/scale", {"spec": {"replicas": replicas}})

    assert len(world.names(PODS)) == replicas
    assert sizes(world) == {"1": replicas}
    assert (
        f"Scaled {'up' if replicas > 2 else 'down'} replica set {name} from 2 to {replicas}"
        in messages_of(world)
    )


def test_scaling_in_the_middle_of_a_rollout_is_shared(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=10, strategy=rolling(3, 2)))
    change(world, template=template("broken", "manual"))
    assert sizes(world) == {"1": 8, "2": 5}

    change(world, replicas=15)

    assert sizes(world) == {"1": 11, "2": 7}


@pytest.mark.parametrize(
    ("replicas", "expected"),
    [
        pytest.param(4, {"1": 2, "2": 4}, id="as many as must be stay available"),
        pytest.param(0, {"1": 0, "2": 0}, id="down to nothing"),
        pytest.param(10, {"1": 8, "2": 5}, id="the same number"),
        pytest.param(40, {"1": 26, "2": 17}, id="up"),
    ],
)
def test_a_stuck_rollout_is_scaled(world, replicas, expected):
    """Eight old pods are available, five new ones are not."""
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=10, strategy=rolling(3, 2)))
    change(world, template=template("broken", "manual"))

    change(world, replicas=replicas)

    assert sizes(world) == expected
    assert len(images(world)) == sum(expected.values())


def test_sizes_follow_no_status_of_another_size():
    """More pods are available than a ReplicaSet has that was scaled down a moment ago."""

    def replica_set(name, size, available):
        metadata = {"name": name, "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
        return {"metadata": metadata, "spec": {"replicas": size}, "status": {"availableReplicas": available}}

    rolled = {"spec": {"replicas": 4, "strategy": rolling(3, 2)}}
    new = replica_set("new", 3, 0)

    assert deployment_sizes.of_old(rolled, new, [replica_set("old", 4, 8)]) == []
    ((_, size),) = deployment_sizes.of_old(rolled, new, [replica_set("gone", 0, 9), replica_set("old", 4, 4)])
    assert size == 2


def test_scaling_in_the_middle_of_a_rollout_is_told(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=10, strategy=rolling(3, 2)))
    change(world, template=template("broken", "manual"))
    before = len(messages_of(world))

    change(world, replicas=15)

    assert len(messages_of(world)) == before + 2


@pytest.mark.parametrize(
    ("entries", "image", "reason"),
    [
        pytest.param("1", "nginx:1", "DeploymentRollback", id="a revision"),
        pytest.param("0", "nginx:2", "DeploymentRollback", id="the last one"),
        pytest.param("3", "nginx:3", "DeploymentRollbackTemplateUnchanged", id="the present one"),
        pytest.param("9", "nginx:3", "DeploymentRollbackRevisionNotFound", id="none"),
    ],
)
def test_an_annotation_rolls_back(world, entries, image, reason):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=1))
    for number in (2, 3):
        change(world, template=template(f"nginx:{number}"))

    world.ask(
        "PATCH", DEPLOYMENT, {"metadata": {"annotations": {"deprecated.deployment.rollback.to": entries}}}
    )

    assert images(world) == [image]
    assert "deprecated.deployment.rollback.to" not in world.ask("GET", DEPLOYMENT)["metadata"]["annotations"]
    assert reason in [event["reason"] for event in world.ask("GET", EVENTS)["items"]]


def test_a_surplus_pod_goes_from_the_node_with_most_pods_of_the_deployment(make_world):
    world = make_world("deployments,replicasets")
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=3))
    for name, node in zip(world.names(PODS), ("a", "b", "b"), strict=True):
        binding = {"metadata": {"name": name}, "target": {"kind": "Node", "name": node}}
        world.ask("POST", f"{PODS}/{name}/binding", binding)

    change(world, replicas=2)

    staying = [pod for pod in world.ask("GET", PODS)["items"] if "deletionTimestamp" not in pod["metadata"]]
    assert sorted(pod["spec"]["nodeName"] for pod in staying) == ["a", "b"]


def test_a_paused_deployment_is_scaled_and_not_rolled_out(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=1))
    change(world, paused=True)
    assert conditions(world)["Progressing"] == ("Unknown", "DeploymentPaused", "Deployment is paused")

    change(world, template=template("nginx:2"), replicas=2)
    assert images(world) == ["nginx:1"] * 2
    change(world, paused=False)

    assert images(world) == ["nginx:2"] * 2
    assert conditions(world)["Progressing"][:2] == ("True", "NewReplicaSetAvailable")


def test_the_history_has_its_limit(world):
    world.ask("POST", f"{APPS}/deployments", deployment(revisionHistoryLimit=2))
    for number in range(2, 6):
        change(world, template=template(f"nginx:{number}"))

    assert sizes(world) == {"3": 0, "4": 0, "5": 1}


def replica_set(**spec):
    selector = {"matchLabels": {"app": "d"}}
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "r", "labels": {"app": "d"}},
        "spec": {"selector": selector, "template": template(), **spec},
    }


def owners(world, path):
    return [owner["name"] for owner in world.ask("GET", path)["metadata"].get("ownerReferences", [])]


def test_what_matches_and_belongs_to_no_controller_is_adopted(world):
    world.ask("POST", PODS, {"metadata": {"name": "p", "labels": {"app": "d"}}, "spec": template()["spec"]})
    world.ask("POST", REPLICA_SETS, replica_set(replicas=2))
    assert owners(world, f"{PODS}/p") == ["r"]
    assert len(world.names(PODS)) == 2

    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2))

    assert owners(world, f"{REPLICA_SETS}/r") == ["d"]
    assert world.names(REPLICA_SETS) == ["r"]


def test_what_matches_no_more_is_released_and_replaced(world):
    world.ask("POST", REPLICA_SETS, replica_set(replicas=1))
    (name,) = world.names(PODS)

    world.ask("PATCH", f"{PODS}/{name}", {"metadata": {"labels": {"app": "other"}}})

    assert owners(world, f"{PODS}/{name}") == []
    assert len(world.names(PODS)) == 2


def test_the_surplus_pod_is_the_one_that_is_of_least_use(world):
    world.ask("POST", REPLICA_SETS, replica_set(replicas=3))
    first, second, third = world.names(PODS)
    world.ask(
        "PATCH",
        f"{PODS}/{second}",
        {"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": "-5"}}},
    )

    world.ask("PATCH", f"{REPLICA_SETS}/r", {"spec": {"replicas": 2}})

    assert world.names(PODS) == [first, third]


def test_a_refused_pod_is_told_and_made_when_it_may_be(world):
    world.ask(
        "POST",
        "/api/v1/namespaces/default/resourcequotas",
        {"metadata": {"name": "q"}, "spec": {"hard": {"pods": "1"}}},
    )
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2))

    kind, reason, message = conditions(world)["ReplicaFailure"]
    assert (kind, reason) == ("True", "FailedCreate")
    assert "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1" in message
    assert any(
        message.startswith("Error creating: ") for message in messages_of(world, "replicaset-controller")
    )

    world.ask("DELETE", "/api/v1/namespaces/default/resourcequotas/q")
    world.pass_time(120)

    assert status(world)["availableReplicas"] == 2
    assert "ReplicaFailure" not in conditions(world)


def test_a_foreign_replica_set_of_that_name_makes_another_hash(make_world):
    world = make_world("deployments")
    world.ask("POST", f"{APPS}/deployments", deployment())
    (name,) = world.names(REPLICA_SETS)
    world.ask("DELETE", DEPLOYMENT)
    world.ask("DELETE", f"{REPLICA_SETS}/{name}")
    foreign = replica_set() | {
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": template()["spec"]},
        },
    }
    world.ask("POST", REPLICA_SETS, foreign)

    world.ask("POST", f"{APPS}/deployments", deployment())
    world.pass_time(5)

    assert len(world.names(REPLICA_SETS)) == 2
    assert world.ask("GET", DEPLOYMENT)["status"]["collisionCount"] == 1


def test_a_deleted_deployment_takes_everything_along(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=2))

    world.ask("DELETE", DEPLOYMENT)

    assert world.names(REPLICA_SETS) == world.names(PODS) == []


def test_everything_rests_after_a_rollout(world):
    world.ask("POST", f"{APPS}/deployments", deployment(replicas=3))
    change(world, template=template("nginx:2"))
    before = world.core.journal.last

    world.pass_time(3600)

    assert [
        entry for entry in world.core.journal.since(before) if entry.wrote and entry.resource != "events"
    ] == []
