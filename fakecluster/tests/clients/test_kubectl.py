"""Real kubectl against a served cluster: every row of spec/apiserver §2.2 but exec, cp and port-forward.

Each test starts from a cluster of its own that holds `SCENE`.
A failure prints the command, its output and the journal.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakecluster import FakeCluster

KUBECTL = shutil.which("kubectl")
EDITOR = "sed -i 's/k: v$/k: edited/'"
SCENE = """
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: default, labels: {app: x}}
data: {k: v}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: default}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec: {containers: [{name: c, image: nginx}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: [{name: c, image: nginx}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    schema:
      openAPIV3Schema:
        type: object
        description: A thing with a size.
        properties:
          spec: {type: object, properties: {size: {type: integer, description: How big it is.}}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
"""
WIDGET = """
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {size: 3}
"""
CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: %s}
data: {k: new}
"""


@dataclass(frozen=True)
class Kubectl:
    """kubectl for one cluster, with a cache of its own."""

    cluster: FakeCluster
    folder: Path

    def __call__(self, *args: str, stdin: str = "") -> str:
        """Run a command and return what it printed; fails the test when it fails."""
        done = self.run(*args, stdin=stdin)
        assert done.returncode == 0, self.story(args, done)
        return done.stdout

    def run(self, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [str(KUBECTL), "--cache-dir", str(self.folder / "cache"), *args]
        environment = {
            "KUBECONFIG": str(self.folder / "kubeconfig"),
            "HOME": str(self.folder),
            "PATH": "/usr/bin:/bin",
            "KUBE_EDITOR": EDITOR,
        }
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, timeout=60, env=environment, check=False
        )

    def story(self, args: tuple[str, ...], done: subprocess.CompletedProcess[str]) -> str:
        journal = "\n".join(
            f"  {entry.code} {entry.verb} {entry.path} {entry.message}" for entry in self.cluster.journal
        )
        return f"$ kubectl {' '.join(args)}\n{done.stdout}{done.stderr}\njournal:\n{journal}"


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A cluster that holds the scene; every test gets a fork of it."""
    if KUBECTL is None:
        pytest.skip("kubectl is not on PATH: install it to run the tests of real kubectl")
    file = tmp_path_factory.mktemp("scene") / "scene.yaml"
    file.write_text(SCENE)
    with FakeCluster(clock="wall", controllers="namespaces") as cluster:
        cluster.apply_files([file])
        yield cluster


@pytest.fixture
def kubectl(scene, tmp_path):
    fork = scene.fork()
    fork.kubeconfig(tmp_path / "kubeconfig")
    yield Kubectl(fork, tmp_path)
    fork.stop()


READS = [
    pytest.param("version", r"Server Version: v1\.36\.3", id="version"),
    pytest.param("api-versions", r"^batch/v1$", id="api-versions"),
    pytest.param("api-resources", r"^configmaps +cm +v1 +true +ConfigMap$", id="api-resources"),
    pytest.param(
        "api-resources --api-group=example.com",
        r"^widgets +wd +example.com/v1",
        id="api-resources of a definition",
    ),
    pytest.param("get namespaces", r"^default +Active +\d+s$", id="get"),
    pytest.param("get configmap a", r"^NAME +DATA +AGE\na +1 +\d+s$", id="get one"),
    pytest.param("get cm a -o yaml", r"^kind: ConfigMap$", id="get -o yaml"),
    pytest.param("get cm a -o json", r'"kind": "ConfigMap"', id="get -o json"),
    pytest.param("get cm a -o jsonpath={.data.k}", r"^v$", id="get -o jsonpath"),
    pytest.param("get cm -l app=x --field-selector metadata.name=a", r"^a +1", id="get by selectors"),
    pytest.param("get pods -o wide", r"^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE", id="get -o wide"),
    pytest.param("get deployment d --subresource=status", r"^d +0/1", id="get --subresource"),
    pytest.param("describe cm a", r"^Data\n====\nk:", id="describe"),
    pytest.param("events", r"", id="events"),
    pytest.param("auth can-i create pods", r"^yes$", id="auth can-i"),
    pytest.param("auth can-i --list", r"^\*\.\* ", id="auth can-i --list"),
    pytest.param("auth whoami", r"Username +admin", id="auth whoami"),
    pytest.param("create token robot", r"^eyJ", id="create token"),
    pytest.param(
        "explain deployment.spec.template.spec.containers.image", r"FIELD: image <string>", id="explain"
    ),
    pytest.param("explain widget.spec.size", r"How big it is\.", id="explain a custom resource"),
    pytest.param(
        "explain pod.spec.containers --output plaintext-openapiv2",
        r"image\t<string>",
        id="explain by version 2",
    ),
    pytest.param("get --raw /readyz", r"^ok$", id="get --raw"),
    pytest.param("cluster-info", r"is running at .*https://127\.0\.0\.1:", id="cluster-info"),
]
WRITES = [
    pytest.param("create namespace n", "namespace/n created", id="create namespace"),
    pytest.param("create serviceaccount s", "serviceaccount/s created", id="create serviceaccount"),
    pytest.param("create configmap c --from-literal=a=b", "configmap/c created", id="create configmap"),
    pytest.param("create secret generic s --from-literal=a=b", "secret/s created", id="create secret"),
    pytest.param("create job j --image=busybox", "job.batch/j created", id="create job"),
    pytest.param("create deployment e --image=nginx", "deployment.apps/e created", id="create deployment"),
    pytest.param("create quota q --hard=pods=1", "resourcequota/q created", id="create quota"),
    pytest.param(
        "create priorityclass c --value=7",
        "priorityclass.scheduling.k8s.io/c created",
        id="create priorityclass",
    ),
    pytest.param(
        "create role r --verb=get --resource=pods",
        "role.rbac.authorization.k8s.io/r created",
        id="create role",
    ),
    pytest.param("run q --image=nginx", "pod/q created", id="run"),
    pytest.param("expose deployment d --port 80", "service/d exposed", id="expose"),
    pytest.param('patch cm a -p {"data":{"x":"y"}}', "configmap/a patched", id="patch"),
    pytest.param(
        'patch cm a --type=json -p [{"op":"remove","path":"/data/k"}]',
        "configmap/a patched",
        id="patch --type=json",
    ),
    pytest.param('patch cm a --type=merge -p {"data":null}', "configmap/a patched", id="patch --type=merge"),
    pytest.param("label cm a color=red", "configmap/a labeled", id="label"),
    pytest.param("annotate cm a note=1", "configmap/a annotated", id="annotate"),
    pytest.param("scale deployment d --replicas=3", "deployment.apps/d scaled", id="scale"),
    pytest.param("delete cm a", 'configmap "a" deleted', id="delete"),
    pytest.param("delete cm -l app=x", 'configmap "a" deleted', id="delete -l"),
    pytest.param("delete cm --all", 'configmap "a" deleted', id="delete --all"),
    pytest.param("delete pod p --grace-period=0 --force", 'pod "p" force deleted', id="delete --force"),
    pytest.param(
        "wait --for=jsonpath={.data.k}=v cm/a --timeout=10s", "configmap/a condition met", id="wait"
    ),
]
FILES = [
    pytest.param("create -f -", CONFIG_MAP % "new", "configmap/new created", id="create -f"),
    pytest.param("replace -f -", CONFIG_MAP % "a", "configmap/a replaced", id="replace -f"),
    pytest.param("apply -f -", CONFIG_MAP % "new", "configmap/new created", id="apply a new object"),
    pytest.param("apply -f -", WIDGET, "widget.example.com/w created", id="apply a custom resource"),
    pytest.param(
        "apply --server-side -f -",
        CONFIG_MAP % "new",
        "configmap/new serverside-applied",
        id="apply --server-side",
    ),
    pytest.param(
        "apply --server-side -f -",
        WIDGET,
        "widget.example.com/w serverside-applied",
        id="apply --server-side a custom resource",
    ),
    pytest.param(
        "apply --server-side --dry-run=server -f -",
        CONFIG_MAP % "new",
        "configmap/new serverside-applied (server dry run)",
        id="apply --dry-run=server",
    ),
    pytest.param(
        "create --dry-run=server -f -",
        CONFIG_MAP % "new",
        "configmap/new created (server dry run)",
        id="create --dry-run=server",
    ),
    pytest.param("delete -f -", CONFIG_MAP % "a", 'configmap "a" deleted', id="delete -f"),
]
REFUSALS = [
    pytest.param(
        "get nothings", "", 'the server doesn\'t have a resource type "nothings"', id="unknown resource"
    ),
    pytest.param("get cm zz", "", 'Error from server (NotFound): configmaps "zz" not found', id="not found"),
    pytest.param("create -f -", CONFIG_MAP % "a", 'configmaps "a" already exists', id="already exists"),
    pytest.param("create -f -", CONFIG_MAP % "b" + "foo: 1\n", 'unknown field "foo"', id="strict validation"),
    pytest.param("create -f -", WIDGET.replace("3", "big"), "spec.size: Invalid value", id="schema"),
]


@pytest.mark.parametrize(("command", "expected"), READS)
def test_kubectl_reads(kubectl, command, expected):
    output = kubectl(*command.split())

    assert re.search(expected, output, re.MULTILINE), output


@pytest.mark.parametrize(("command", "expected"), WRITES)
def test_kubectl_writes(kubectl, command, expected):
    assert expected in kubectl(*command.split())


@pytest.mark.parametrize(("command", "manifest", "expected"), FILES)
def test_kubectl_sends_files(kubectl, command, manifest, expected):
    assert expected in kubectl(*command.split(), stdin=manifest)


@pytest.mark.parametrize(("command", "manifest", "expected"), REFUSALS)
def test_kubectl_shows_refusals(kubectl, command, manifest, expected):
    done = kubectl.run(*command.split(), stdin=manifest)

    assert done.returncode == 1
    assert expected in done.stderr, kubectl.story((command,), done)


def test_kubectl_applies_changes_with_a_strategic_merge(kubectl):
    kubectl("apply", "-f", "-", stdin=CONFIG_MAP % "c")

    assert "configmap/c configured" in kubectl(
        "apply", "-f", "-", stdin=(CONFIG_MAP % "c").replace("new", "newer")
    )
    assert kubectl("get", "cm", "c", "-o", "jsonpath={.data.k}") == "newer"


def test_kubectl_applies_changes_of_a_custom_resource_with_a_merge(kubectl):
    kubectl("apply", "-f", "-", stdin=WIDGET)

    assert "configured" in kubectl("apply", "-f", "-", stdin=WIDGET.replace("3", "4"))
    assert re.search(r"^w +4$", kubectl("get", "widgets"), re.MULTILINE)


def test_kubectl_reports_who_owns_a_field(kubectl):
    kubectl("apply", "--server-side", "-f", "-", stdin=CONFIG_MAP % "c")

    done = kubectl.run(
        "apply",
        "--server-side",
        "--field-manager=other",
        "-f",
        "-",
        stdin=(CONFIG_MAP % "c").replace("new", "x"),
    )

    assert 'conflict with "kubectl": .data.k' in done.stderr


def test_kubectl_waits_for_the_end_of_a_namespace(kubectl):
    kubectl("create", "namespace", "n")

    assert 'namespace "n" deleted' in kubectl("delete", "namespace", "n", "--timeout=20s")


def test_kubectl_follows_a_rollout(kubectl):
    done = {
        "observedGeneration": 1,
        "replicas": 1,
        "updatedReplicas": 1,
        "readyReplicas": 1,
        "availableReplicas": 1,
    }
    path = "/apis/apps/v1/namespaces/default/deployments/d/status"
    merge = {"content-type": "application/merge-patch+json"}
    kubectl.cluster.request("PATCH", path, {"status": done}, headers=merge)

    assert 'deployment "d" successfully rolled out' in kubectl(
        "rollout", "status", "deployment", "d", "--timeout=20s"
    )


def test_kubectl_watches(kubectl):
    output = kubectl.run("get", "cm", "-w", "--request-timeout=2s").stdout

    assert re.search(r"^a +1", output, re.MULTILINE)


def test_kubectl_edits(kubectl):
    assert "configmap/a edited" in kubectl("edit", "cm", "a")
    assert kubectl("get", "cm", "a", "-o", "jsonpath={.data.k}") == "edited"


def test_kubectl_tells_what_an_apply_would_change(kubectl):
    kubectl("apply", "-f", "-", stdin=CONFIG_MAP % "c")
    done = kubectl.run("diff", "-f", "-", stdin=(CONFIG_MAP % "c").replace("new", "newer"))

    assert done.returncode == 1
    assert "-  k: new\n+  k: newer\n" in done.stdout, kubectl.story(("diff",), done)


@pytest.fixture
def printing(kubectl):
    """A pod that runs and has printed three lines."""
    annotations = {"fakecluster.dev/log": "one\ntwo\nthree", "fakecluster.dev/log.side": "aside"}
    containers = [{"name": name, "image": "i"} for name in ("main", "side")]
    metadata = {"name": "talker", "namespace": "default", "annotations": annotations}
    pod = {"metadata": metadata, "spec": {"nodeName": "n", "containers": containers}}
    pods = "/api/v1/namespaces/default/pods"
    merge = {"content-type": "application/merge-patch+json"}
    kubectl.cluster.request("POST", pods, pod)
    kubectl.cluster.request("PATCH", f"{pods}/talker/status", {"status": {"phase": "Running"}}, headers=merge)
    return kubectl


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("-c main", "one\ntwo\nthree\n"),
        ("-c main --tail=1", "three\n"),
        ("-c main --limit-bytes=5", "one\nt"),
        ("-c side", "aside\n"),
    ],
    ids=["all", "tail", "bytes", "another container"],
)
def test_kubectl_prints_logs(printing, arguments, expected):
    assert printing("logs", "talker", *arguments.split()) == expected


def test_kubectl_waits_for_a_condition(kubectl):
    ready = {"conditions": [{"type": "Ready", "status": "True"}], "phase": "Running"}
    merge = {"content-type": "application/merge-patch+json"}
    path = "/api/v1/namespaces/default/pods/p/status"
    kubectl.cluster.request("PATCH", path, {"status": ready}, headers=merge)

    assert "pod/p condition met" in kubectl("wait", "--for=condition=Ready", "pod/p", "--timeout=10s")
