"""helm, unmodified: the chart that `helm create` makes, with a hook of every kind and a definition, from
installation to its end.
"""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from fakecluster import FakeCluster

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(1500)]
HOOKS = (
    "pre-install",
    "post-install",
    "pre-upgrade",
    "post-upgrade",
    "pre-rollback",
    "post-rollback",
    "pre-delete",
    "post-delete",
)
HOOK = """
apiVersion: batch/v1
kind: Job
metadata:
  name: {{{{ .Release.Name }}}}-{hook}
  annotations: {{helm.sh/hook: {hook}, helm.sh/hook-delete-policy: before-hook-creation}}
spec:
  template:
    spec: {{restartPolicy: Never, containers: [{{name: hook, image: "hook:1"}}]}}
"""
DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
"""
APPS = "/apis/apps/v1/namespaces/apps/deployments"
JOBS = "/apis/batch/v1/namespaces/apps/jobs"


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(clock="wall") as fake_cluster:
        yield fake_cluster


@pytest.fixture(scope="module")
def run(helm, cluster, tmp_path_factory):
    """Runs helm in a folder of its own; returns its end, or fails with what it said."""
    folder = tmp_path_factory.mktemp("charts")
    cluster.kubeconfig(folder / "kubeconfig")
    homes = {f"HELM_{kind}_HOME": str(folder / kind) for kind in ("CACHE", "CONFIG", "DATA")}
    environment = {**os.environ, **homes, "KUBECONFIG": str(folder / "kubeconfig")}

    def helm_command(*arguments, code=0):
        ended = subprocess.run(
            [helm, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert ended.returncode == code, ended.stdout + ended.stderr
        return ended

    helm_command("create", "web")
    (folder / "web/crds").mkdir()
    (folder / "web/crds/widgets.yaml").write_text(DEFINITION)
    hooks = "---".join(HOOK.format(hook=hook) for hook in HOOKS)
    (folder / "web/templates/hooks.yaml").write_text(hooks)
    return helm_command


def names(cluster, path):
    return {item["metadata"]["name"] for item in cluster.request("GET", path)["items"]}


def test_a_release_lives_from_its_installation_to_its_end(run, cluster):
    release = ("web", "./web", "-n", "apps", "--wait", "--timeout", "60s")
    run("install", *release, "--create-namespace")
    assert cluster.request("GET", f"{APPS}/web")["status"]["readyReplicas"] == 1
    assert names(cluster, JOBS) == {"web-pre-install", "web-post-install"}
    assert cluster.request("GET", "/apis/example.com/v1/widgets")["items"] == []
    run("test", "web", "-n", "apps", "--timeout", "60s")

    run("upgrade", *release, "--set", "replicaCount=3")
    assert cluster.request("GET", f"{APPS}/web")["status"]["readyReplicas"] == 3

    refused = run("upgrade", *release, "--set", "replicaCount=-1", code=1)
    assert "spec.replicas: Invalid value: -1" in refused.stderr
    run("rollback", "web", "1", "-n", "apps", "--wait", "--timeout", "60s")
    assert cluster.request("GET", f"{APPS}/web")["status"]["readyReplicas"] == 1

    history = json.loads(run("history", "web", "-n", "apps", "-o", "json").stdout)
    assert [entry["status"] for entry in history] == ["superseded", "superseded", "failed", "deployed"]

    run("uninstall", "web", "-n", "apps", "--wait", "--timeout", "60s")
    assert names(cluster, APPS) == set()
    assert names(cluster, "/api/v1/namespaces/apps/secrets") == set()
    assert names(cluster, JOBS) == {f"web-{hook}" for hook in HOOKS}


def test_what_is_only_tried_changes_nothing(run, cluster):
    run("install", "tried", "./web", "-n", "default", "--dry-run=server")

    assert names(cluster, "/apis/apps/v1/namespaces/default/deployments") == set()
