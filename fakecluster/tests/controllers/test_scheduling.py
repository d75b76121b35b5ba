"""Which pods the stand-in for the scheduler binds, where, and its words when it cannot (FK-461)."""

import pytest

from fakecluster.controllers import nodes

PODS = "/api/v1/namespaces/default/pods"
NODES = "/api/v1/nodes"
EVENTS = "/api/v1/namespaces/default/events"
PREEMPTION = "no new claims to deallocate, preemption: 0/{0} nodes are available: {1}."
NO_HELP, NO_VICTIMS = (
    "Preemption is not helpful for scheduling",
    "No preemption victims found for incoming pod",
)


def pod(name="p", requests=None, ports=(), **spec):
    amounts = {"requests": requests or {}, "limits": requests or {}}
    container = {"name": "c", "image": "busybox:1", "resources": amounts, "ports": list(ports)}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "annotations": {"fakecluster.dev/script": "Running"}},
        "spec": {"containers": [container], **spec},
    }


def node(name="n", capacity=None, taints=(), **labels):
    return nodes.manifest(name, {"cpu": "1", "memory": "1Gi", **(capacity or {})}, labels, taints)


def message(world, name="p"):
    conditions = world.ask("GET", f"{PODS}/{name}")["status"]["conditions"]
    return next(condition["message"] for condition in conditions if condition["type"] == "PodScheduled")


def node_of(world, name="p"):
    return world.ask("GET", f"{PODS}/{name}")["spec"].get("nodeName")


def events(world, component):
    pod = world.ask("GET", EVENTS)["items"]
    return [event for event in pod if event.get("reportingComponent") == component]


def test_a_pod_of_another_scheduler_is_let_alone_fk_461(world):
    world.ask("POST", PODS, pod(schedulerName="mine"))
    events_found = world.ask("GET", f"{PODS}/p")

    assert "nodeName" not in events_found["spec"]
    assert "conditions" not in events_found["status"]
    assert (world.names(NODES), world.names(EVENTS)) == ([], [])


def test_what_another_scheduler_has_bound_runs_fk_480(world):
    world.ask("POST", NODES, node())
    world.ask("POST", PODS, pod(schedulerName="mine"))
    target = {"apiVersion": "v1", "kind": "Node", "name": "n"}
    world.ask(
        "POST",
        f"{PODS}/p/binding",
        {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "p"}, "target": target},
    )

    assert world.ask("GET", f"{PODS}/p")["status"]["phase"] == "Running"


def test_the_first_pod_of_a_cluster_without_nodes_gets_one_fk_461(world):
    before = world.names(NODES)
    world.ask("POST", PODS, pod(requests={"example.com/gpu": "8"}, nodeSelector={"any": "thing"}))

    assert (before, world.names(NODES), node_of(world)) == ([], ["node-0"], "node-0")


def test_the_default_node_is_cordoned_beside_others_fk_461(world):
    world.ask("POST", PODS, pod("first"))
    world.ask("POST", NODES, node())
    world.ask("POST", PODS, pod(requests={"cpu": "2"}))

    assert world.ask("GET", f"{NODES}/node-0")["spec"]["unschedulable"] is True
    assert node_of(world) is None


def test_a_cluster_whose_nodes_are_gone_has_no_place_for_pods_fk_461(world):
    world.ask("POST", NODES, node())
    world.ask("DELETE", f"{NODES}/n")
    world.ask("POST", PODS, pod())

    assert message(world) == "no nodes available to schedule pods"


def test_a_pod_of_an_unknown_node_waits_for_its_kubelet_fk_480(world):
    world.ask("POST", PODS, pod(nodeName="n"))
    waiting = world.ask("GET", f"{PODS}/p")["status"]["phase"]
    world.ask("POST", NODES, node())

    assert (waiting, world.ask("GET", f"{PODS}/p")["status"]["phase"]) == ("Pending", "Running")


CORDONED = {"unschedulable": True}
TAINT = {"key": "a", "value": "b", "effect": "NoSchedule"}
NAMED = {"key": "metadata.name", "operator": "In", "values": ["other"]}


def affinity(**term):
    required = {"nodeSelectorTerms": [term]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


@pytest.mark.parametrize(
    ("manifest", "reason", "outcome"),
    [
        (pod(requests={"cpu": "2"}), "Insufficient cpu", NO_HELP),
        (pod(requests={"cpu": "800m"}), "Insufficient cpu", NO_VICTIMS),
        (pod(requests={"cpu": "2", "memory": "2Gi"}), "Insufficient cpu, 1 Insufficient memory", NO_HELP),
        (pod(requests={"example.com/gpu": "1"}), "Insufficient example.com/gpu", NO_HELP),
        (pod(nodeSelector={"x": "y"}), "node(s) didn't match Pod's node affinity/selector", NO_HELP),
        (
            pod(affinity=affinity(matchExpressions=[{"key": "size", "operator": "Gt", "values": ["3"]}])),
            "node(s) didn't match Pod's node affinity/selector",
            NO_HELP,
        ),
        (
            pod(affinity=affinity(matchFields=[NAMED])),
            "node(s) didn't satisfy plugin(s) [NodeAffinity]",
            NO_HELP,
        ),
        (
            pod(ports=[{"containerPort": 80, "hostPort": 80}]),
            "node(s) didn't have free ports for the requested pod ports",
            NO_VICTIMS,
        ),
    ],
    ids=[
        "never fits",
        "does not fit now",
        "two resources",
        "a device",
        "selector",
        "affinity",
        "by name",
        "host port",
    ],
)
def test_a_pod_that_fits_nowhere_says_why_fk_461(world, manifest, reason, outcome):
    world.ask("POST", NODES, node(size="3"))
    world.ask("POST", PODS, pod("there", {"cpu": "500m"}, [{"containerPort": 80, "hostPort": 80}]))
    world.ask("POST", PODS, manifest)

    assert message(world) == f"0/1 nodes are available: 1 {reason}. {PREEMPTION.format(1, '1 ' + outcome)}"


def test_reasons_are_counted_over_all_nodes_fk_461(world):
    for name, taints in (("a", [TAINT]), ("b", [TAINT]), ("c", [])):
        world.ask("POST", NODES, node(name, taints=taints))
    world.ask("PATCH", f"{NODES}/c", {"spec": CORDONED})
    world.ask("POST", PODS, pod())

    reasons = "1 node(s) were unschedulable, 2 node(s) had untolerated taint(s)"
    assert message(world) == f"0/3 nodes are available: {reasons}. {PREEMPTION.format(3, '3 ' + NO_HELP)}"


def test_a_pod_that_never_preempts_says_so_fk_461(world):
    world.ask("POST", NODES, node())
    classed = {"metadata": {"name": "polite"}, "value": 1, "preemptionPolicy": "Never"}
    world.ask("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", classed)
    world.ask("POST", PODS, pod(requests={"cpu": "2"}, priorityClassName="polite"))

    assert message(world).endswith("preemption: not eligible due to preemptionPolicy=Never.")


def test_a_pod_that_ends_makes_room_fk_461(world):
    world.ask("POST", NODES, node())
    world.ask("POST", PODS, pod("first", {"cpu": "1"}, restartPolicy="Never"))
    world.ask("POST", PODS, pod(requests={"cpu": "1"}))
    before = node_of(world)
    world.pods.succeed("default", "first")
    world.pass_time(0)

    assert (before, node_of(world)) == (None, "n")


def test_binding_is_recorded_fk_490(world):
    world.ask("POST", PODS, pod())
    (event,) = events(world, "default-scheduler")

    shown = {name: event[name] for name in ("action", "reason", "message", "type", "eventTime", "source")}
    assert shown == {
        "action": "Binding",
        "reason": "Scheduled",
        "message": "Successfully assigned default/p to node-0",
        "type": "Normal",
        "eventTime": "2026-01-01T00:00:00.000000Z",
        "source": {},
    }


def test_a_pod_that_waits_is_recorded_when_the_reason_changes_fk_490(world):
    world.ask("POST", NODES, node("a"))
    world.ask("POST", PODS, pod(requests={"cpu": "2"}))
    world.ask("PATCH", f"{NODES}/a", {"metadata": {"labels": {"x": "y"}}})
    world.ask("POST", NODES, node("b"))
    messages = [event["message"][:25] for event in events(world, "default-scheduler")]

    assert sorted(messages) == ["0/1 nodes are available: ", "0/2 nodes are available: "]


def test_a_kubelet_records_what_it_starts_and_stops_fk_480(world):
    world.ask("POST", PODS, pod())
    world.ask("DELETE", f"{PODS}/p")
    events_found = events(world, "kubelet")

    assert {event["source"]["host"] for event in events_found} == {"node-0"}
    assert {event["involvedObject"]["fieldPath"] for event in events_found} == {"spec.containers{c}"}
    assert {event["reason"]: event["message"] for event in events_found} == {
        "Pulled": 'Container image "busybox:1" already present on machine and can be accessed by the pod',
        "Created": "Container created",
        "Started": "Container started",
        "Killing": "Stopping container c",
    }


CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims"
VOLUMES = "/api/v1/persistentvolumes"
MOUNTS = [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]


def add_class(world, name="late", provisioner="kubernetes.io/no-provisioner", mode="WaitForFirstConsumer"):
    world.ask(
        "POST", CLASSES, {"metadata": {"name": name}, "provisioner": provisioner, "volumeBindingMode": mode}
    )


def add_claim(world, storage_class="late"):
    requests = {"requests": {"storage": "1Gi"}}
    spec = {"accessModes": ["ReadWriteOnce"], "resources": requests, "storageClassName": storage_class}
    world.ask("POST", CLAIMS, {"metadata": {"name": "c"}, "spec": spec})


def add_volume(world, host, name="v"):
    terms = [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [host]}]}]
    world.ask(
        "POST",
        VOLUMES,
        {
            "metadata": {"name": name},
            "spec": {
                "capacity": {"storage": "1Gi"},
                "accessModes": ["ReadWriteOnce"],
                "local": {"path": "/x"},
                "storageClassName": "late",
                "nodeAffinity": {"required": {"nodeSelectorTerms": terms}},
            },
        },
    )


def test_a_pod_without_its_claim_says_so_fk_504(world):
    world.ask("POST", NODES, node())
    world.ask("POST", PODS, pod(volumes=MOUNTS))
    missing = message(world)
    add_claim(world, "")

    assert missing == '0/1 nodes are available: persistentvolumeclaim "c" not found. not found'
    assert (
        message(world)
        == "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found"
    )


def test_a_claim_that_waits_for_its_pod_is_bound_where_the_pod_goes_fk_504(world):
    for name in ("a", "b"):
        world.ask("POST", NODES, node(name))
    add_class(world)
    add_claim(world)
    world.ask("POST", PODS, pod(volumes=MOUNTS))
    before = message(world)
    add_volume(world, "b")

    nothing = "2 node(s) didn't find available persistent volumes to bind"
    assert before == f"0/2 nodes are available: {nothing}. {PREEMPTION.format(2, '2 ' + NO_HELP)}"
    assert node_of(world) == "b"
    assert world.ask("GET", f"{CLAIMS}/c")["status"]["phase"] == "Bound"


def test_a_pod_goes_where_its_volume_is_fk_504(world):
    for name in ("a", "b"):
        world.ask("POST", NODES, node(name))
    add_class(world, mode="Immediate")
    add_volume(world, "b")
    add_claim(world)
    world.ask("POST", PODS, pod(volumes=MOUNTS))

    assert node_of(world) == "b"


def test_a_provisioner_is_told_the_node_of_the_pod_fk_504(world):
    world.ask("POST", NODES, node())
    add_class(world, provisioner="example.com/disk")
    add_claim(world)
    world.ask("POST", PODS, pod(volumes=MOUNTS))
    annotations = world.ask("GET", f"{CLAIMS}/c")["metadata"]["annotations"]

    assert annotations == {
        "volume.beta.kubernetes.io/storage-provisioner": "example.com/disk",
        "volume.kubernetes.io/storage-provisioner": "example.com/disk",
        "volume.kubernetes.io/selected-node": "n",
    }
    assert node_of(world) is None
