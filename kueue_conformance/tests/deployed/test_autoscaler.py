"""`kueue-autoscaler` as a process: real HTTP to a fake API server,
the real cloud protocol to a server of the test.
"""

import concurrent.futures
import re
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager

import grpc
import pytest

from fakecluster import FakeCluster

from .site import END_TIMEOUT_SECONDS
from .test_provisioning_requests import definition

PATH = "/apis/autoscaling.x-k8s.io/v1/namespaces/default/provisioningrequests"
ATOMIC = "best-effort-atomic-scale-up.autoscaling.x-k8s.io"


class Cloud(grpc.GenericRpcHandler):
    """One group `ng` of at most five nodes of four processors;
    its messages are bytes, as the protocol has them.
    """

    def __init__(self):
        self.target, self.calls = 0, []

    def service(self, details):
        name = details.method.rsplit("/", 1)[1]
        return grpc.unary_unary_rpc_method_handler(lambda request, _: self.answer(name, request))

    def answer(self, name, request):
        if name == "NodeGroups":
            return b"\n\x06\n\x02ng\x18\x05"
        if name == "NodeGroupTargetSize":
            return bytes([8, self.target]) if self.target else b""
        if name == "NodeGroupTemplateNodeInfo":
            return b"\x12" + bytes([len(TEMPLATE)]) + TEMPLATE
        if name == "NodeGroupIncreaseSize":
            self.calls.append(request)
            self.target += request[1]
        return b""


def amount(name, quantity):
    value = b"\x12" + bytes([len(quantity) + 2]) + b"\n" + bytes([len(quantity)]) + quantity.encode()
    entry = b"\n" + bytes([len(name)]) + name.encode() + value
    return b"\n" + bytes([len(entry)]) + entry


AMOUNTS = amount("cpu", "4") + amount("memory", "16Gi") + amount("pods", "110")
TEMPLATE = b"\n\x03\n\x01t\x1a" + bytes([len(AMOUNTS)]) + AMOUNTS


@pytest.fixture
def cloud():
    served = Cloud()
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(2), handlers=(served,))
    served.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    yield served
    server.stop(None)


@contextmanager
def autoscaler(*flags):
    command = [sys.executable, "-m", "reference_impl.autoscaler", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def test_a_request_is_answered_over_real_connections(cloud, tmp_path):
    config, kubeconfig = tmp_path / "cloud.yaml", tmp_path / "kubeconfig"
    config.write_text(f'address: "{cloud.address}"\n')
    with FakeCluster(clock="wall", controllers="namespaces") as cluster:
        cluster.apply([definition()])
        kubeconfig.write_text(cluster.kubeconfig())
        container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
        metadata = {"name": "t", "namespace": "default"}
        cluster.apply(
            [
                {
                    "apiVersion": "v1",
                    "kind": "PodTemplate",
                    "metadata": metadata,
                    "template": {"spec": {"containers": [container]}},
                },
                {
                    "apiVersion": "autoscaling.x-k8s.io/v1",
                    "kind": "ProvisioningRequest",
                    "metadata": {"name": "r", "namespace": "default"},
                    "spec": {
                        "provisioningClassName": ATOMIC,
                        "podSets": [{"count": 9, "podTemplateRef": {"name": "t"}}],
                    },
                },
            ]
        )
        with autoscaler(
            f"--kubeconfig={kubeconfig}",
            "--cloud-provider=externalgrpc",
            f"--cloud-config={config}",
            "--leader-elect=false",
            "--enable-provisioning-requests",
            "--scan-interval=100ms",
            "--address=127.0.0.1:0",
            "--v=4",
        ) as process:
            assert process.stdout.readline() == (
                "warning: --v has no effect: the log has one form, on standard error\n"
            )
            ready = process.stdout.readline()
            address = re.fullmatch(r"ready https://\S+ address (127\.0\.0\.1:\d+)\n", ready)[1]
            # A loop is counted when it has ended, after its last write.
            wait(cluster, lambda: is_answered(cluster) and loops_counted(address))
            health = urllib.request.urlopen(f"http://{address}/health-check").read()
        stored = request(cluster)
    stored_conditions = [
        (condition["type"], condition["status"], condition["reason"])
        for condition in stored["status"]["conditions"]
    ]
    assert stored_conditions == [
        ("Accepted", "True", "Accepted"),
        ("Provisioned", "True", "CapacityIsProvisioned"),
    ]
    managers = {(entry["manager"], entry["operation"]) for entry in stored["metadata"]["managedFields"]}
    assert {("cluster-autoscaler", "Update"), ("cluster-autoscaler", "Apply")} <= managers
    assert cloud.calls == [b"\x08\x03\x12\x02ng"], "three nodes more of ng, once"
    assert health == b"OK"
    assert process.returncode == 0, "a signal ends it"


PROPOSED = "/apis/autoscaling.x-k8s.io/v1alpha1aep/namespaces/default/provisioningrequests"


def test_the_proposal_brings_its_own_definitions(cloud, tmp_path):
    """PR-030, PR-202, PR-260: `--dialect=aep --install` in a cluster that knows nothing of requests."""
    config, kubeconfig = tmp_path / "cloud.yaml", tmp_path / "kubeconfig"
    config.write_text(f'address: "{cloud.address}"\n')
    spec = {"provisioningClass": "ask", "podSets": [{"count": 1, "podTemplateRef": {"name": "t"}}]}
    with FakeCluster(clock="wall", controllers="namespaces") as cluster:
        kubeconfig.write_text(cluster.kubeconfig())
        container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
        metadata = {"name": "t", "namespace": "default"}
        cluster.apply(
            [
                {
                    "apiVersion": "v1",
                    "kind": "PodTemplate",
                    "metadata": metadata,
                    "template": {"spec": {"containers": [container]}},
                }
            ]
        )
        with autoscaler(
            "--dialect=aep",
            "--install",
            f"--kubeconfig={kubeconfig}",
            "--cloud-provider=externalgrpc",
            f"--cloud-config={config}",
            "--leader-elect=false",
            "--enable-provisioning-requests",
            "--provisioning-classes=enforced",
            "--scan-interval=100ms",
            "--address=127.0.0.1:0",
        ) as process:
            assert process.stdout.readline().startswith("ready ")
            cluster.apply(
                [
                    {
                        "apiVersion": "autoscaling.x-k8s.io/v1alpha1",
                        "kind": "ProvisioningClass",
                        "metadata": {"name": "ask"},
                        "provisioner": "check-capacity",
                    },
                    {
                        "apiVersion": "autoscaling.x-k8s.io/v1alpha1aep",
                        "kind": "ProvisioningRequest",
                        "metadata": {"name": "r", "namespace": "default"},
                        "spec": spec,
                    },
                ]
            )
            wait(cluster, lambda: len(conditions(cluster)) > 1)
            wait(cluster, lambda: "autoscalerStatus: Running" in status(cluster))
            stored_conditions = conditions(cluster)
    assert stored_conditions == [
        ("Accepted", "True", "Accepted"),
        ("CapacityAvailable", "False", "CapacityNotFound"),
    ]


@pytest.mark.parametrize(
    ("flag", "message"), [("--dialect=ca-1.29", "not known"), ("--provisioning-classes=off", "unknown flag")]
)
def test_a_wrong_dialect_is_refused(flag, message):
    command = [sys.executable, "-m", "reference_impl.autoscaler", flag]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert message in done.stderr


def status(cluster):
    config_map = cluster.request("GET", "/api/v1/namespaces/kube-system/configmaps/cluster-autoscaler-status")
    return config_map["data"]["status"]


def conditions(cluster):
    stored = cluster.request("GET", PROPOSED + "/r")
    return [
        (condition["type"], condition["status"], condition["reason"])
        for condition in (stored.get("status") or {}).get("conditions") or ()
    ]


def request(cluster):
    return cluster.request("GET", PATH + "/r")


def wait(cluster, holds):
    """Wait until something holds; looks again after each write."""
    news, end = threading.Event(), time.monotonic() + END_TIMEOUT_SECONDS
    stop = cluster.journal.subscribe(lambda entry: entry.wrote and news.set())
    try:
        while not holds():
            assert news.wait(end - time.monotonic()), "\n".join(entry.line() for entry in cluster.journal)
            news.clear()
    finally:
        stop()


def loops_counted(address):
    metrics = urllib.request.urlopen(f"http://{address}/metrics").read().decode()
    return re.search(
        r'cluster_autoscaler_function_duration_seconds_count\{[^}]*function="main"[^}]*\} [1-9]', metrics
    )


def is_answered(cluster):
    return len((request(cluster).get("status") or {}).get("conditions") or ()) == 2


@pytest.mark.parametrize(
    ("flags", "code", "message"),
    [
        (["--scan-intervall=1s"], 4, "unknown flag --scan-intervall; did you mean --scan-interval?"),
        (
            ["--cloud-provider=aws", "--kubeconfig={kubeconfig}"],
            3,
            "--cloud-provider=aws is not known: externalgrpc is",
        ),
        (["--cloud-provider=externalgrpc", "--kubeconfig={missing}"], 3, "missing"),
    ],
)
def test_what_cannot_be_used_is_one_line(flags, code, message, tmp_path):
    kubeconfig = tmp_path / "kubeconfig"
    with FakeCluster(controllers="none") as cluster:
        kubeconfig.write_text(cluster.kubeconfig())
    flags = [flag.format(kubeconfig=kubeconfig, missing=tmp_path / "missing") for flag in flags]
    with autoscaler(*flags) as process:
        output = process.stdout.read()
    assert (process.returncode, output.count("\n"), message in output) == (code, 1, True), output
