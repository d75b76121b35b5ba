"""DaemonSets have a pod on every node that they are for, as under Kubernetes 1.36 (FK-464)."""

from __future__ import annotations

import pytest

APPS, CORE = "/apis/apps/v1/namespaces/default", "/api/v1/namespaces/default"
SETS, SET, REVISIONS = f"{APPS}/daemonsets", f"{APPS}/daemonsets/d", f"{APPS}/controllerrevisions"
NODES, PODS, EVENTS = "/api/v1/nodes", f"{CORE}/pods", f"{CORE}/events"
NODE = {"key": "metadata.name", "operator": "In"}


def template(image="i:1", script=None, **spec):
    metadata = {"labels": {"app": "d"}}
    if script:
        metadata["annotations"] = {"fakecluster.dev/script": script}
    return {"metadata": metadata, "spec": {"containers": [{"name": "c", "image": image}], **spec}}


def daemon_set(image="i:1", script=None, pod=None, **spec):
    selector = {"matchLabels": {"app": "d"}}
    return {
        "metadata": {"name": "d"},
        "spec": {"selector": selector, "template": template(image, script, **(pod or {})), **spec},
    }


def rolling(**amounts):
    return {"type": "RollingUpdate", "rollingUpdate": amounts}


def add_node(world, name, labels=None, taints=(), **spec):
    status = {"allocatable": {"cpu": "8", "pods": "110"}, "capacity": {"cpu": "8", "pods": "110"}}
    world.ask(
        "POST",
        NODES,
        {
            "metadata": {"name": name, "labels": labels or {}},
            "spec": {"taints": list(taints), **spec},
            "status": status,
        },
    )


def nodes_of_pods(world):
    return sorted(pod["spec"].get("nodeName", "") for pod in world.ask("GET", PODS)["items"])


def images(world):
    return sorted(pod["spec"]["containers"][0]["image"] for pod in world.ask("GET", PODS)["items"])


def status(world):
    return world.ask("GET", SET)["status"]


def change(world, **spec):
    return world.ask("PATCH", SET, {"spec": spec})


@pytest.fixture
def three(world):
    """A cluster with three nodes."""
    for number in range(3):
        add_node(world, f"n{number}", {"zone": "ab"[number % 2]})
    return world


def test_every_node_gets_a_pod_also_one_that_comes_later(three):
    three.ask("POST", SETS, daemon_set())
    assert nodes_of_pods(three) == ["n0", "n1", "n2"]
    assert status(three) == {
        "currentNumberScheduled": 3,
        "numberMisscheduled": 0,
        "desiredNumberScheduled": 3,
        "numberReady": 3,
        "observedGeneration": 1,
        "updatedNumberScheduled": 3,
        "numberAvailable": 3,
    }

    add_node(three, "n3")

    assert nodes_of_pods(three) == ["n0", "n1", "n2", "n3"]
    assert three.refusals() == []


def test_a_pod_names_its_node_and_tolerates_what_daemons_do(three):
    three.ask(
        "POST",
        SETS,
        daemon_set(pod={"hostNetwork": True, "tolerations": [{"key": "own", "operator": "Exists"}]}),
    )
    pod = next(member for member in three.ask("GET", PODS)["items"] if member["spec"]["nodeName"] == "n1")

    affinity = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert affinity == {"nodeSelectorTerms": [{"matchFields": [{**NODE, "values": ["n1"]}]}]}
    assert [
        (toleration["key"].rpartition("/")[2], toleration.get("effect"))
        for toleration in pod["spec"]["tolerations"]
    ] == [
        ("own", None),
        ("not-ready", "NoExecute"),
        ("unreachable", "NoExecute"),
        ("disk-pressure", "NoSchedule"),
        ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"),
        ("unschedulable", "NoSchedule"),
        ("network-unavailable", "NoSchedule"),
    ]
    (revision,) = three.ask("GET", REVISIONS)["items"]
    assert pod["metadata"]["labels"] == {
        "app": "d",
        "pod-template-generation": "1",
        "controller-revision-hash": revision["metadata"]["labels"]["controller-revision-hash"],
    }
    assert (pod["metadata"]["generateName"], revision["revision"]) == ("d-", 1)


@pytest.mark.parametrize(
    ("pod", "places"),
    [
        pytest.param({"nodeSelector": {"zone": "a"}}, ["n0", "n2"], id="by labels"),
        pytest.param({"nodeName": "n1"}, ["n1"], id="by name"),
        pytest.param(
            {
                "affinity": {
                    "nodeAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": {
                            "nodeSelectorTerms": [
                                {"matchExpressions": [{"key": "zone", "operator": "NotIn", "values": ["a"]}]}
                            ]
                        }
                    }
                }
            },
            ["n1"],
            id="by affinity",
        ),
    ],
)
def test_the_template_says_which_nodes(three, pod, places):
    three.ask("POST", SETS, daemon_set(pod=pod))

    assert nodes_of_pods(three) == places
    assert status(three)["desiredNumberScheduled"] == len(places)


@pytest.mark.parametrize(("effect", "remaining"), [("NoSchedule", 3), ("NoExecute", 2)])
def test_a_taint_keeps_new_pods_away_and_may_evict(three, effect, remaining):
    three.ask("POST", SETS, daemon_set())

    three.ask("PATCH", f"{NODES}/n1", {"spec": {"taints": [{"key": "own", "effect": effect}]}})

    assert len(nodes_of_pods(three)) == remaining
    three.ask("PATCH", SET, {"metadata": {"labels": {"look": "again"}}})
    numbers = status(three)
    assert (numbers["desiredNumberScheduled"], numbers["numberMisscheduled"]) == (2, remaining - 2)


def test_a_cordoned_node_keeps_its_daemons(three):
    three.ask("POST", SETS, daemon_set())

    three.ask("PATCH", f"{NODES}/n1", {"spec": {"unschedulable": True}})

    assert len(nodes_of_pods(three)) == status(three)["desiredNumberScheduled"] == 3


def test_a_rolling_update_replaces_as_many_as_may_be_missing(three):
    three.ask("POST", SETS, daemon_set(updateStrategy=rolling(maxUnavailable=2)))
    change(three, template=template("i:2", "5s Running"))
    steps = [images(three)]
    for _ in range(3):
        three.pass_time(5)
        steps.append(images(three))

    assert steps == [["i:1", "i:2", "i:2"], *[["i:2"] * 3] * 3]
    assert status(three)["updatedNumberScheduled"] == 3


def test_a_surging_update_creates_first(three):
    three.ask("POST", SETS, daemon_set(updateStrategy=rolling(maxSurge=1, maxUnavailable=0)))
    change(three, template=template("i:2", "5s Running"))
    steps = [images(three)]
    for _ in range(3):
        three.pass_time(5)
        steps.append(images(three))

    assert steps == [
        ["i:1", "i:1", "i:1", "i:2"],
        ["i:1", "i:1", "i:2", "i:2"],
        ["i:1", "i:2", "i:2", "i:2"],
        ["i:2"] * 3,
    ]


def test_on_delete_only_deleted_pods_are_of_the_new_template(three):
    three.ask("POST", SETS, daemon_set(updateStrategy={"type": "OnDelete"}))
    change(three, template=template("i:2"))
    assert images(three) == ["i:1"] * 3

    three.ask("DELETE", f"{PODS}/{three.names(PODS)[0]}")

    assert images(three) == ["i:1", "i:1", "i:2"]


def test_an_earlier_template_is_found_again_and_the_history_has_its_limit(three):
    three.ask("POST", SETS, daemon_set(revisionHistoryLimit=1))
    for image in ("i:2", "i:3", "i:2"):
        change(three, template=template(image))

    assert sorted(revision["revision"] for revision in three.ask("GET", REVISIONS)["items"]) == [3, 4]


def test_pods_that_fail_are_replaced_later_each_time(world):
    add_node(world, "n0")
    world.ask("POST", SETS, daemon_set(script="Running, 0s Failed"))
    counts = []
    for seconds in (1, 2, 4, 8):
        counts.append(
            sum(event["reason"] == "FailedDaemonPod" for event in world.ask("GET", EVENTS)["items"])
        )
        world.pass_time(seconds)

    assert counts == [1, 2, 3, 4]


def test_more_than_one_pod_of_a_node_goes(world):
    add_node(world, "n0")
    created = world.ask("POST", SETS, daemon_set())
    owner = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "name": "d",
        "uid": created["metadata"]["uid"],
        "controller": True,
    }
    names = world.names(PODS)

    world.ask(
        "POST",
        PODS,
        {
            "metadata": {"name": "z", "labels": {"app": "d"}, "ownerReferences": [owner]},
            "spec": {**template()["spec"], "nodeName": "n0"},
        },
    )

    assert world.names(PODS) == names


def test_without_nodes_there_is_nothing_to_run(world):
    world.ask("POST", SETS, daemon_set())

    assert (world.names(PODS), status(world)["desiredNumberScheduled"]) == ([], 0)
