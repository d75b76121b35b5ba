"""Pods get a node, run by a script and go gracefully (FK-461, FK-480…482)."""

import pytest

from fakecluster.controllers import nodes
from fakecluster.controllers.pods import scripts
from fakecluster.controllers.pods.scripts import INSTANT_SCRIPT, MANUAL_SCRIPT, ScriptError, ScriptStep

PODS = "/api/v1/namespaces/default/pods"


def pod(name="p", script="manual", **spec):
    container = {"name": "c", "image": "busybox:1", **spec.pop("container", {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "annotations": {"fakecluster.dev/script": script}},
        "spec": {"restartPolicy": "Never", "containers": [container], **spec},
    }


def phase(world, name="p"):
    return world.ask("GET", f"{PODS}/{name}")["status"]["phase"]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("instant", INSTANT_SCRIPT),
        ("manual", MANUAL_SCRIPT),
        ("2s Running, 30s Failed(3)", (ScriptStep("Running", 2.0), ScriptStep("Failed", 30.0, 3))),
        ("Succeeded", (ScriptStep("Succeeded"),)),
    ],
    ids=["instant", "manual", "delays and a code", "one step"],
)
def test_scripts_are_read_fk_481(text, script):
    assert scripts.parse(text) == script


def test_a_wrong_script_is_explained_fk_481():
    with pytest.raises(ScriptError, match=r"step 'soon Running' of pod script .* is not understood: write"):
        scripts.parse("soon Running")


def test_a_script_takes_its_time_fk_480(world):
    world.ask("POST", PODS, pod(script="2s Running, 30s Succeeded"))
    phases = [phase(world)]
    for seconds in (2, 29, 1):
        world.pass_time(seconds)
        phases.append(phase(world))

    assert phases == ["Pending", "Running", "Running", "Succeeded"]


def test_a_pod_that_always_restarts_keeps_running_fk_480(world):
    manifest = pod(restartPolicy="Always")
    del manifest["metadata"]["annotations"]
    world.ask("POST", PODS, manifest)

    assert phase(world) == "Running"


def test_an_annotation_ends_a_pod_that_runs_fk_481(world):
    world.ask("POST", PODS, pod(script="Running"))
    annotations = {"metadata": {"annotations": {"fakecluster.dev/script": "Failed(3)"}}}
    world.ask("PATCH", f"{PODS}/p", annotations)

    assert phase(world) == "Failed"


def test_a_script_that_cannot_be_read_is_told_in_an_event_fk_481(world):
    world.ask("POST", PODS, pod(script="soon Running"))
    world.ask("POST", PODS, pod("q", script="Running"))
    events = world.ask("GET", "/api/v1/namespaces/default/events")["items"]
    warnings = [event for event in events if event["type"] == "Warning"]

    assert [phase(world), phase(world, "q")] == ["Pending", "Running"]
    assert [(event["reason"], event["involvedObject"]["name"]) for event in warnings] == [
        ("UnreadablePodScript", "p")
    ]


def test_a_test_may_end_a_pod_itself_fk_481(world):
    world.ask("POST", PODS, pod())
    world.pods.run("default", "p")
    world.pods.fail("default", "p", exit_code=3)
    status = world.ask("GET", f"{PODS}/p")["status"]

    assert status["phase"] == "Failed"
    assert status["containerStatuses"][0]["state"]["terminated"]["exitCode"] == 3


def test_an_unknown_pod_is_named_fk_481(world):
    with pytest.raises(LookupError, match="there is no pod default/none"):
        world.pods.run("default", "none")


def test_a_gated_pod_waits_fk_461(world):
    world.ask("POST", PODS, pod(script="instant", schedulingGates=[{"name": "example.com/wait"}]))
    before = phase(world)
    world.ask("PATCH", f"{PODS}/p", {"spec": {"schedulingGates": None}})

    assert (before, phase(world)) == ("Pending", "Succeeded")


def test_a_pod_that_fits_nowhere_says_so_fk_461(world):
    world.ask("POST", "/api/v1/nodes", nodes.manifest("n", {"cpu": "1"}))
    world.ask("POST", PODS, pod(container={"resources": {"requests": {"cpu": "2"}}}))
    condition = world.ask("GET", f"{PODS}/p")["status"]["conditions"][0]

    assert (condition["type"], condition["status"], condition["reason"]) == (
        "PodScheduled",
        "False",
        "Unschedulable",
    )


def test_a_node_takes_what_waited_for_it_fk_461(world):
    world.ask("POST", "/api/v1/nodes", nodes.manifest("small", {"cpu": "1"}))
    world.ask("POST", PODS, pod(container={"resources": {"requests": {"cpu": "2"}}}))
    world.ask("POST", "/api/v1/nodes", nodes.manifest("big", {"cpu": "4"}))

    assert world.ask("GET", f"{PODS}/p")["spec"]["nodeName"] == "big"


def test_a_new_node_becomes_ready_and_loses_its_taint_fk_484(world):
    world.ask("POST", "/api/v1/nodes", nodes.manifest("n", {"cpu": "1"}))
    node = world.ask("GET", "/api/v1/nodes/n")

    assert node["spec"] == {}
    assert [
        (container_status["type"], container_status["status"])
        for container_status in node["status"]["conditions"]
    ] == [("Ready", "True")]


def test_a_running_pod_is_deleted_by_its_kubelet_fk_482(world):
    world.ask("POST", PODS, pod(script="Running"))
    world.ask("DELETE", f"{PODS}/p")

    assert world.names(PODS) == []


def test_a_deleted_pod_waits_for_its_finalizers_fk_482(world):
    manifest = pod(script="Running")
    manifest["metadata"]["finalizers"] = ["example.com/hold"]
    world.ask("POST", PODS, manifest)
    world.ask("DELETE", f"{PODS}/p")

    assert (world.names(PODS), phase(world)) == (["p"], "Failed")


def test_kubelets_alone_run_what_another_program_has_bound_fk_480(make_world):
    world = make_world("kubelets")
    world.ask("POST", "/api/v1/nodes", nodes.manifest("n", {"cpu": "1"}))
    manifest = pod(script="instant")
    world.ask("POST", PODS, manifest)
    waiting = world.ask("GET", f"{PODS}/p")
    target = {"apiVersion": "v1", "kind": "Node", "name": "n"}
    world.ask(
        "POST",
        f"{PODS}/p/binding",
        {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "p"}, "target": target},
    )

    assert "nodeName" not in waiting["spec"]
    assert "conditions" not in waiting["status"], "it says nothing of a pod that waits for a scheduler"
    assert phase(world) == "Succeeded"


@pytest.mark.parametrize(
    ("script", "states"),
    [("Running", ["terminated", "running"]), ("instant", ["terminated", "terminated"])],
    ids=["running", "ended"],
)
def test_containers_that_run_first_have_states_fk_480(world, script, states):
    first = [{"name": "once", "image": "i"}, {"name": "beside", "image": "i", "restartPolicy": "Always"}]
    world.ask("POST", PODS, pod(script=script, initContainers=first))
    init_container_statuses = world.ask("GET", f"{PODS}/p")["status"]["initContainerStatuses"]

    assert [next(iter(container_status["state"])) for container_status in init_container_statuses] == states
