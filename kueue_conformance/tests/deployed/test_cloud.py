"""`kueue-cloud` as a process: an autoscaler gets nodes from it, a scheduler binds pods to them, and what
cannot be is one line.
"""

import json
import re
import subprocess
import sys
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from fakecluster import FakeCluster

from .test_autoscaler import autoscaler, wait
from .test_provisioning_requests import definition

GROUPS = "groups: [{id: ng-a, max: 3, cpu: 4, boot_seconds: 0.1, ready_seconds: 0}]\n"
PODS = "/api/v1/namespaces/default/pods"


@contextmanager
def process(module, *flags):
    with subprocess.Popen(
        [sys.executable, "-m", module, *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as started:
        try:
            yield started
        finally:
            started.terminate()


def cloud(kubeconfig, groups, *flags):
    defaults = (f"--kubeconfig={kubeconfig}", f"--groups={groups}", "--address=127.0.0.1:0")
    chosen = {flag.partition("=")[0]: flag for flag in (*defaults, *flags)}
    return process("reference_impl.cloud", *chosen.values())


def ask(address, path, body=None):
    """What the control answers."""
    data = None if body is None else json.dumps(body).encode()
    return json.load(urllib.request.urlopen(urllib.request.Request(address + path, data=data)))


def pod(cpu="1"):
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "rs", "controller": True}
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    metadata = {"name": "p", "namespace": "default", "ownerReferences": [owner]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container]}}


def node_of(cluster):
    return cluster.request("GET", f"{PODS}/p")["spec"].get("nodeName")


def nodes(cluster):
    return [node["metadata"]["name"] for node in cluster.request("GET", "/api/v1/nodes")["items"]]


def test_a_pod_gets_a_node_which_goes_when_it_is_not_needed(tmp_path):
    kubeconfig, groups, config = tmp_path / "kubeconfig", tmp_path / "groups.yaml", tmp_path / "cloud.yaml"
    groups.write_text(GROUPS)
    with ExitStack() as stack:
        cluster = stack.enter_context(FakeCluster(clock="wall", controllers="namespaces"))
        cluster.apply([definition()])
        kubeconfig.write_text(cluster.kubeconfig())
        running = stack.enter_context(cloud(kubeconfig, groups))
        ready = re.fullmatch(
            r"ready https://\S+ address (\S+) control (http://127\.0\.0\.1:\d+)\n", running.stdout.readline()
        )
        ask(ready[2], "/failures", {"action": "reject", "message": "not yet", "times": 1})
        config.write_text(f'address: "{ready[1]}"\n')
        scaling = stack.enter_context(
            autoscaler(
                f"--kubeconfig={kubeconfig}",
                "--cloud-provider=externalgrpc",
                f"--cloud-config={config}",
                "--leader-elect=false",
                "--scan-interval=100ms",
                "--address=127.0.0.1:0",
                "--initial-node-group-backoff-duration=200ms",
                "--scale-down-unneeded-time=300ms",
                "--scale-down-delay-after-add=0s",
                "--unremovable-node-recheck-timeout=0s",
            )
        )
        assert scaling.stdout.readline().startswith("ready ")
        cluster.apply([pod()])
        wait(cluster, lambda: node_of(cluster))
        bound = node_of(cluster)
        cluster.request("DELETE", f"{PODS}/p", {"gracePeriodSeconds": 0})
        wait(cluster, lambda: not nodes(cluster))
        journal = [
            (journal_entry["method"], journal_entry["result"]) for journal_entry in ask(ready[2], "/journal")
        ]
        size = ask(ready[2], "/groups")[0]["target"]

    assert (bound, size) == ("ng-a-1", 0)
    assert journal == [
        ("increase", "rpc error: code = ResourceExhausted desc = not yet"),
        ("increase", ""),
        ("delete_nodes", ""),
    ]
    assert (running.returncode, scaling.returncode) == (0, 0), "a signal ends both"


def test_nodes_of_the_cloud_outlive_its_process(tmp_path):
    kubeconfig, groups = tmp_path / "kubeconfig", tmp_path / "groups.yaml"
    groups.write_text("groups: [{id: ng-a, max: 3, target: 2}]\n")
    with FakeCluster(clock="wall", controllers="namespaces") as cluster:
        kubeconfig.write_text(cluster.kubeconfig())
        with cloud(kubeconfig, groups) as first:
            first.stdout.readline()
            wait(cluster, lambda: len(nodes(cluster)) == 2)
        with cloud(kubeconfig, groups) as second:
            control = second.stdout.readline().split()[-1]
            machines = [machine["id"] for machine in ask(control, "/machines")]

        assert machines == nodes(cluster) == ["ng-a-1", "ng-a-2"]


@pytest.mark.parametrize(
    ("text", "flags", "code", "message"),
    [
        (None, [], 4, "groups.yaml: No such file or directory"),
        ("groups: []", [], 4, "groups is empty: expected at least one, for example `- id: ng-a`"),
        ("groups: [{id: ng-a, maximum: 3}]", [], 4, "groups.yaml: groups[0] has 'maximum': expected 'max'"),
        (GROUPS, ["--failures={folder}/groups.yaml", "--adress=:1"], 4, "No such option '--adress'"),
        (GROUPS, ["--address=8086"], 4, "'8086' is no address; expected HOST:PORT"),
        (GROUPS, ["--control-address=0.0.0.0:0"], 4, "0.0.0.0 is not loopback"),
        (GROUPS, ["--kubeconfig={folder}/missing"], 4, "missing"),
        (GROUPS, ["--kubeconfig={folder}/gone"], 3, "no answer from"),
    ],
    ids=[
        "no file",
        "no group",
        "a wrong field",
        "an unknown option",
        "no port",
        "not loopback",
        "no kubeconfig",
        "no server",
    ],
)
def test_what_cannot_be_used_is_one_line(text, flags, code, message, tmp_path):
    gone, groups = tmp_path / "gone", tmp_path / "groups.yaml"
    with FakeCluster(controllers="none") as cluster:
        gone.write_text(cluster.kubeconfig())
    if text is not None:
        groups.write_text(text)
    with cloud(gone, groups, *(flag.format(folder=tmp_path) for flag in flags)) as started:
        output = started.stdout.read()

    assert (started.returncode, output.count("\n"), message in output) == (code, 1, True), output
