"""The printed objects on an API server with RBAC: what Pods run is run on this machine, with their rights."""

import base64
import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from fakecluster import FakeCluster

from ..checkout import ROOT
from ..command_line.processes import environment, run
from ..first_hour.controllers import EXAMPLE

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]
SHARDS = 2
ACCOUNT = "system:serviceaccount:suites:judge"
GROUPS = ("system:serviceaccounts", "system:serviceaccounts:suites", "system:authenticated")
MAPS = "/api/v1/namespaces/suites/configmaps"


class Site:
    """A cluster with the objects of `manifests`, and Pods whose scripts are run by hand."""

    def __init__(self, folder, *arguments):
        self.folder = folder
        done = run(
            *("manifests", "--shards", SHARDS, "--name", "judge", "--namespace", "suites", "--workers", 1),
            *("--subject-file", EXAMPLE / "subject.yaml", "--queue-name", "team-a", "--deadline", 1),
            *arguments,
            cwd=ROOT,
        )
        assert done.code == 0, done.err
        self.objects = list(yaml.safe_load_all(done.out))
        self.cluster = FakeCluster(authorization="rbac", clock="wall")

    def __enter__(self):
        self.cluster.start()
        for document in self.objects:
            self.cluster.request("POST", self.path(document), document, query=[("fieldValidation", "Strict")])
        self.cluster.kubeconfig(self.folder / "kubeconfig", user=ACCOUNT, groups=GROUPS)
        job = "/apis/batch/v1/namespaces/suites/jobs/judge"
        assert self.cluster.request("GET", job)["spec"]["suspend"]
        self.uid = self.cluster.request("GET", job)["metadata"]["uid"]
        resumed = {"spec": {"suspend": False}}
        self.cluster.request("PATCH", job, resumed, headers={"content-type": "application/merge-patch+json"})
        return self

    def __exit__(self, *_):
        self.cluster.stop()

    @staticmethod
    def path(document):
        group = document["apiVersion"]
        start = "/api/v1" if group == "v1" else f"/apis/{group}"
        namespace = document["metadata"].get("namespace")
        within = f"/namespaces/{namespace}" if namespace else ""
        return f"{start}{within}/{document['kind'].lower()}s"

    def pods(self):
        """Return the Pods by index."""
        listed = self.cluster.wait_until(self._all_pods, 20)
        return dict(sorted(listed.items()))

    def _all_pods(self):
        items = self.cluster.request("GET", "/api/v1/namespaces/suites/pods")["items"]
        by_index = {
            int(pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"]): pod
            for pod in items
        }
        return by_index if len(by_index) == SHARDS + 1 else None

    def start(self, pod, *, subject_folder=EXAMPLE):
        """Run the command of a Pod to its end, with its environment, in a folder of its own."""
        (container,) = pod["spec"]["containers"]
        work = self.folder / pod["metadata"]["name"]
        work.mkdir(exist_ok=True)
        labels = pod["metadata"]["labels"]
        values = {}
        for variable in container["env"]:
            field = variable.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath", "")
            values[variable["name"]] = variable.get("value") or self.field(pod, labels, field)
        values |= {
            **dict.fromkeys(("WORK", "HOME", "TMPDIR"), str(work)),
            "SUBJECT_FILE": str(subject_folder / "subject.yaml"),
            "KUBECONFIG": str(self.folder / "kubeconfig"),
            "CLUSTER": str(self.folder / "kubeconfig"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        command = container["command"]
        return subprocess.run(
            command, cwd=work, env={**environment(), **values}, capture_output=True, text=True, check=False
        )

    @staticmethod
    def field(pod, labels, path):
        """Return a field of a Pod as the kubelet reads it for a variable."""
        kind, _, name = path.removeprefix("metadata.").removesuffix("']").partition("['")
        return (labels if kind == "labels" else pod["metadata"]["annotations"])[name]

    def report(self, name):
        stored = self.cluster.request("GET", f"{MAPS}/{name}")
        packed = base64.b64decode(stored["binaryData"]["report.yaml.gz"])
        return yaml.safe_load(gzip.decompress(packed)), stored


@pytest.fixture
def site(request, tmp_path):
    with Site(tmp_path, *request.param) as site:
        yield site


@pytest.mark.parametrize("site", [("--", "CHK-001", "CHK-010")], indirect=True, ids=["two scenarios"])
def test_the_last_pod_puts_the_shards_together(site):
    *shards, last = site.pods().values()

    ends = [site.start(pod) for pod in shards]
    end = site.start(last)

    assert [done.returncode for done in (*ends, end)] == [0, 0, 0], end.stderr + ends[0].stderr
    whole, stored = site.report("judge-report")
    assert (whole["complete"], {scenario["id"] for scenario in whole["scenarios"]}) == (
        True,
        {"CHK-001", "CHK-010"},
    )
    assert stored["metadata"].get("ownerReferences") is None
    refused = [entry for entry in site.cluster.journal if entry.user == ACCOUNT and entry.code == 403]
    assert refused == []


@pytest.mark.parametrize("site", [("--", "CHK-001", "CHK-014")], indirect=True, ids=["a wrong controller"])
def test_a_broken_rule_fails_the_last_pod_alone(site, tmp_path):
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    for file in EXAMPLE.iterdir():
        if file.is_file():
            (wrong / file.name).write_bytes(file.read_bytes())
    program = wrong / "controller.py"
    program.write_text(program.read_text().replace('is_true(workload, "Evicted")', "False"))
    *shards, last = site.pods().values()

    ends = [site.start(pod, subject_folder=wrong).returncode for pod in shards]
    end = site.start(last)

    assert (ends, end.returncode) == ([0, 0], 1), end.stdout + end.stderr
    assert {profile["result"] for profile in site.report("judge-report")[0]["profiles"]} == {"failure"}


@pytest.mark.parametrize("site", [("--", "CHK-001", "CHK-010")], indirect=True, ids=["a shard is missing"])
def test_a_missing_shard_is_named(site):
    first, _, last = site.pods().values()
    none_yet = site.start(last)
    site.start(first)

    end = site.start(last)

    assert (
        none_yet.returncode,
        "no report is in ConfigMaps suites/judge-shard-1 to 2" in none_yet.stderr,
    ) == (
        3,
        True,
    )
    assert (end.returncode, "shard 2/2 is missing" in end.stderr) == (1, True), end.stderr
    assert site.report("judge-report")[0]["complete"] is False


@pytest.mark.parametrize("site", [("CHK-001",)], indirect=True, ids=["an earlier Job"])
def test_a_report_of_an_earlier_job_does_not_count(site):
    first, _, last = site.pods().values()
    site.start(first)
    stored = site.cluster.request("GET", f"{MAPS}/judge-shard-1")
    assert [reference["uid"] for reference in stored["metadata"]["ownerReferences"]] == [site.uid]
    stored["metadata"]["ownerReferences"][0]["uid"] = "of-an-earlier-one"
    site.cluster.request("PUT", f"{MAPS}/judge-shard-1", stored)

    assert site.start(last).returncode == 3


@pytest.mark.parametrize(
    "site", [("--in-cluster", "--", "CHK-001", "CHK-010")], indirect=True, ids=["two scenarios"]
)
def test_pods_judge_on_their_own_cluster(site):
    ends = [site.start(pod) for pod in site.pods().values()]

    assert [done.returncode for done in ends] == [0] * (SHARDS + 1), ends[0].stdout + ends[0].stderr
    whole, _ = site.report("judge-report")
    assert (whole["complete"], whole["environment"]["backend"]) == (True, "kubeconfig")
    requests = [entry for entry in site.cluster.journal if "admissionchecks" in entry.path]
    assert {"create", "delete"} <= {entry.verb for entry in requests}
