"""What `manifests` prints, and what it refuses."""

import os
import signal
import subprocess
from dataclasses import replace

import pytest
import yaml
from click.testing import CliRunner
from kubernetes.client import CoreV1Api
from kubernetes.config import new_client_from_config

from fakecluster import FakeCluster
from kueue_conformance.base.errors import EnvironmentProblem, UsageError
from kueue_conformance.cli import cli
from kueue_conformance.sharded_job.manifests import ShardedJob
from kueue_conformance.sharded_job.report_maps import Owner, ReportMaps

JOB = ShardedJob(name="judge", namespace="suites", image="image:1", shards=3)


def of_kind(kind, job=JOB):
    return next(document for document in job.objects() if document["kind"] == kind)


def container(job=JOB):
    return of_kind("Job", job)["spec"]["template"]["spec"]["containers"][0]


def test_there_is_an_index_for_each_shard_and_one_for_the_whole():
    spec = of_kind("Job")["spec"]

    assert (spec["completions"], spec["parallelism"], spec["completionMode"]) == (4, 4, "Indexed")
    assert spec["backoffLimitPerIndex"] == 3


def test_rights_are_those_over_the_config_maps_of_the_job():
    create, named = of_kind("Role")["rules"]

    assert create["verbs"] == ["create"]
    assert named["verbs"] == ["get", "update"]
    assert named["resourceNames"] == ["judge-shard-1", "judge-shard-2", "judge-shard-3", "judge-report"]


def test_the_container_is_restricted():
    pod = of_kind("Job")["spec"]["template"]["spec"]

    assert pod["securityContext"]["runAsNonRoot"]
    assert container()["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_without_a_queue_the_job_starts_by_itself():
    job = of_kind("Job")
    queued = of_kind(
        "Job", ShardedJob(name="judge", namespace="suites", image="i", shards=1, queue_name="team")
    )

    assert ("suspend" in job["spec"], "labels" in job["metadata"]) == (False, False)
    assert queued["spec"]["suspend"]
    assert queued["metadata"]["labels"] == {"kueue.x-k8s.io/queue-name": "team"}


def test_without_a_subject_file_nothing_is_mounted_for_it():
    assert [document["kind"] for document in JOB.objects()].count("ConfigMap") == 0
    assert [mount["name"] for mount in container()["volumeMounts"]] == ["work"]


def test_in_their_own_cluster_pods_judge_one_after_another_as_an_administrator():
    job = replace(JOB, in_cluster=True)

    assert of_kind("Job", job)["spec"]["parallelism"] == 1
    assert 'run --backend "kubeconfig:$CLUSTER" -n 2' in job.script()
    binding = of_kind("ClusterRoleBinding", job)
    assert (binding["roleRef"]["name"], binding["subjects"]) == (
        "cluster-admin",
        [{"kind": "ServiceAccount", "name": "judge", "namespace": "suites"}],
    )
    assert {"name": "CLUSTER", "value": "/subject/kubeconfig"} in container(job)["env"]
    assert [document for document in JOB.objects() if document["kind"] == "ClusterRoleBinding"] == []


def test_the_kubeconfig_of_pods_holds_no_secret():
    config = yaml.safe_load(of_kind("ConfigMap", replace(JOB, in_cluster=True))["data"]["kubeconfig"])

    assert config["users"][0]["user"] == {"tokenFile": "/var/run/secrets/kubernetes.io/serviceaccount/token"}
    assert config["clusters"][0]["cluster"]["server"] == "https://kubernetes.default.svc"


def test_yaml_has_the_same_objects():
    job = ShardedJob(name="j", namespace="n", image="i", shards=1, subject_file="a: 1\nb: 'x'\n")

    assert tuple(yaml.safe_load_all(job.text())) == job.objects()
    assert "  subject.yaml: |\n    a: 1\n" in job.text()


def test_words_of_run_are_quoted():
    job = ShardedJob(name="j", namespace="n", image="i", shards=1, arguments=("--select", "ADM-2*"))

    assert "run --select 'ADM-2*' -n 2" in job.script()


def test_an_evicted_pod_ends_at_once_and_lets_its_run_clean_up(tmp_path):
    stub = tmp_path / "kueue-conformance"
    stub.write_text(
        """#!/bin/sh
trap 'echo cleaned > "$WORK/end"; exit 0' TERM
echo "$1" > "$WORK/start"
while :; do sleep 1 & wait $!; done
"""
    )
    stub.chmod(0o755)
    os.mkfifo(tmp_path / "start")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    values = {"PATH": path, "WORK": str(tmp_path), "JOB_COMPLETION_INDEX": "0"}

    with subprocess.Popen(["sh", "-c", JOB.script()], env=values) as shell:
        assert (tmp_path / "start").read_text() == "run\n"  # blocks until the run is there
        shell.send_signal(signal.SIGTERM)
        assert shell.wait(20) == 143

    assert (tmp_path / "end").read_text() == "cleaned\n"


REFUSED = {
    "an option that run does not have": (("--", "--dialekt", "x"), "No such option"),
    "the shard": (("--", "--shard", "1/2"), "'--shard' behind -- is set by the Job itself"),
    "the backend of Pods in their own cluster": (
        ("--in-cluster", "--", "--backend", "fake"),
        "'--backend' behind -- is set by the Job itself",
    ),
    "workers": (("--", "-n3"), "'-n3' behind -- is set by the Job itself"),
    "a name": (("--name", "Judge"), "'Judge': expected at most 47 lowercase letters"),
    "a subject file": (("--subject-file", "none.yaml"), "none.yaml"),
}


@pytest.mark.parametrize(("words", "text"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_run_is_refused(words, text):
    done = CliRunner().invoke(cli, ["manifests", "--shards", "2", *words], standalone_mode=False)

    assert text in f"{done.output}{done.exception}{getattr(done.exception, 'message', '')}"


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster() as cluster:
        yield cluster


@pytest.fixture
def maps(cluster, tmp_path):
    cluster.kubeconfig(tmp_path / "kubeconfig")
    with new_client_from_config(str(tmp_path / "kubeconfig")) as client:
        yield ReportMaps(CoreV1Api(client), "default")


def test_a_server_takes_every_object_with_strict_validation(cluster):
    job = ShardedJob(
        name="j",
        namespace="judged",
        image="i",
        shards=2,
        subject_file="a: 1\n",
        queue_name="q",
        in_cluster=True,
    )

    for document in job.objects():
        api = "/api/v1" if document["apiVersion"] == "v1" else f"/apis/{document['apiVersion']}"
        folder = f"/namespaces/{job.namespace}" if "namespace" in document["metadata"] else ""
        path = f"{api}{folder}/{document['kind'].lower()}s"
        made = cluster.request("POST", path, document, query=[("fieldValidation", "Strict")])
        assert made["metadata"]["name"] in {"j", "judged", "judged-j"}


def test_a_report_is_read_as_it_was_written(maps):
    owner = Owner("j", "of-this-job")

    maps.publish("again", "first", owner)
    maps.publish("again", "second\n", owner)

    assert maps.read("again", owner) == "second\n"
    assert (maps.read("again", Owner("j", "of-another")), maps.read("none", owner)) == (None, None)
    assert maps.wait(("again", "none"), owner, 0) == {"again": "second\n"}


def test_a_config_map_without_a_report_is_named(maps, cluster):
    cluster.request(
        "POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "other"}, "data": {"a": "b"}}
    )

    with pytest.raises(EnvironmentProblem, match="ConfigMap default/other holds no report"):
        maps.read("other", None)


def test_a_report_that_does_not_fit_is_refused(maps, monkeypatch):
    monkeypatch.setattr("kueue_conformance.sharded_job.report_maps._MOST_BYTES", 10)

    with pytest.raises(UsageError, match="expected at most 10"):
        maps.publish("large", "x" * 1000, None)


@pytest.mark.parametrize("text", ["judge", "judge/", "/uid"])
def test_an_owner_has_a_name_and_a_uid(text):
    with pytest.raises(UsageError, match="expected NAME/UID of a Job"):
        Owner.of(text)
