"""Runs on an existing cluster: what is refused, what is labelled,
and that nothing of ours stays (harness/H-40, H-41).
"""

import os
import signal
import subprocess
import sys

import pytest

from kueue_conformance.backends.leftovers import cleanup_command, leftovers, remove, staying
from kueue_conformance.base.errors import ConformanceError, EnvironmentProblem
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.run.shared_cluster import SharedClusterGuard
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire import kinds
from kueue_conformance.wire.client import RUN_LABEL, Client
from kueue_conformance.wire.resource import Resource
from kueue_conformance.wire.transport import connect

from ..command_line.processes import COMMAND, environment, run

RUN = "aaaaa"
CLEANUP = "kueue-conformance cleanup --kubeconfig a.yaml"


@pytest.fixture
def kubeconfig(tmp_path):
    """The kubeconfig of an API server in another process, in real time."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fakecluster",
            "serve",
            "--controllers",
            "namespaces",
            "--kubeconfig",
            str(tmp_path / "config"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().startswith("ready ")
    yield str(tmp_path / "config")
    process.terminate()
    process.wait(timeout=30)
    process.stdout.close()


@pytest.fixture
def client(kubeconfig):
    """A client whose objects bear the label of a run."""
    return Client(connect(kubeconfig), agent="test", run=RUN)


@pytest.fixture
def stranger(kubeconfig):
    """Another user of the same cluster."""
    return Client(connect(kubeconfig), agent="stranger")


@pytest.fixture
def with_kueue(kubeconfig, client):
    """A cluster with Kueue's kinds that no run has installed."""
    from kueue_conformance.backends.kubeconfig import KubeconfigBackend

    backend = KubeconfigBackend(kubeconfig)
    ReferenceControlPlane().install(backend.lend(known_dialects()["v0.19"]), known_dialects()["v0.19"])
    backend.close()
    return client


def guard(client, control_plane="reference", **options):
    return SharedClusterGuard(client, RUN, control_plane, **{"allowed": False, "cleanup": CLEANUP, **options})


def check(name="theirs"):
    return {"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": {"controllerName": "example.com/x"}}


def test_what_another_run_has_left_is_said_with_the_command_that_removes_it(client, kubeconfig):
    another = Client(connect(kubeconfig), agent="kueue-conformance", run="bbbbb")
    another.create({"kind": "Namespace", "metadata": {"name": "theirs"}})
    lines = []

    guard(client).arrive(lines.append)

    (line,) = lines
    assert line == (
        "1 objects of other runs (bbbbb) are there, such as Namespace theirs; where those runs are over,"
        f" `{CLEANUP}` removes them"
    )


@pytest.mark.parametrize(
    ("backend", "reused", "words"),
    [
        ("kubeconfig:a.yaml", "", "--kubeconfig a.yaml"),
        ("kubeconfig:my cluster.yaml@here", "", "--kubeconfig 'my cluster.yaml' --context here"),
        ("kind", "ours", "--kind-reuse ours"),
    ],
    ids=["a file", "a context", "a kind cluster"],
)
def test_the_command_that_removes_what_is_left_names_the_cluster(backend, reused, words):
    assert cleanup_command(backend, reused) == f"kueue-conformance cleanup {words}"


@pytest.mark.slow
@pytest.mark.parametrize("control_plane", ["reference", "scripted"])
def test_a_cluster_with_a_kueue_is_refused(with_kueue, control_plane):
    with pytest.raises(ConformanceError, match=r"has a Kueue already \(of unknown version\)") as refusal:
        guard(with_kueue, control_plane).arrive(print)

    assert refusal.value.exit_code == 4
    assert "--allow-neighbours" in refusal.value.hint


@pytest.mark.slow
def test_what_an_earlier_run_has_installed_is_not_in_the_way_of_a_cluster_that_is_used_again(with_kueue):
    assert guard(with_kueue, reused=True).arrive(print) is None


def test_the_kueue_that_is_judged_is_not_in_the_way(with_kueue):
    guard(with_kueue, "upstream").arrive(print)


@pytest.mark.slow
def test_checks_of_others_are_refused_unless_told_otherwise(with_kueue, stranger):
    stranger.create(check())

    with pytest.raises(
        ConformanceError, match="queues or checks of others: AdmissionCheck theirs"
    ) as refusal:
        guard(with_kueue, "upstream").arrive(print)
    assert refusal.value.exit_code == 4
    guard(with_kueue, "upstream", allowed=True).arrive(print)


@pytest.mark.slow
def test_only_what_bears_the_label_goes(with_kueue, stranger):
    stranger.create(check())
    stranger.create({"kind": "Namespace", "metadata": {"name": "theirs"}})
    with_kueue.create(check("ours"))
    with_kueue.create({"kind": "Namespace", "metadata": {"name": "ours"}})

    guard(with_kueue, "upstream", allowed=True).leave()

    assert [manifest["metadata"]["name"] for manifest in stranger.list("AdmissionCheck")] == ["theirs"]
    assert "theirs" in {manifest["metadata"]["name"] for manifest in stranger.list("Namespace")}
    assert leftovers(with_kueue) == []


@pytest.mark.slow
def test_what_nobody_lets_go_is_let_go(with_kueue, stranger):
    with_kueue.create(
        {**check("held"), "metadata": {"name": "held", "finalizers": ["kueue.x-k8s.io/resource-in-use"]}}
    )

    remove(with_kueue, leftovers(with_kueue), seconds=0.0)

    assert stranger.list("AdmissionCheck") == []


@pytest.mark.slow
def test_what_is_on_its_way_out_is_waited_for(client, stranger):
    metadata = {"name": "held", "namespace": "going", "finalizers": ["example.com/slow"]}
    client.create({"kind": "Namespace", "metadata": {"name": "going"}})
    client.create({"kind": "ConfigMap", "metadata": metadata}, Resource("", "v1", "ConfigMap", "configmaps"))
    stranger.call("DELETE", "/api/v1/namespaces/going")
    assert [(str(leftover), leftover.ending) for leftover in staying(client, 0.0)] == [
        ("ConfigMap held in going", True)
    ]

    stranger.call(
        "PATCH",
        "/api/v1/namespaces/going/configmaps/held",
        {"metadata": {"finalizers": None}},
        media="application/merge-patch+json",
    )

    assert staying(client) == []


@pytest.mark.slow
def test_one_run_s_objects_are_told_from_another_s(client, kubeconfig):
    other = Client(connect(kubeconfig), agent="test", run="bbbbb")
    for creator, name in ((client, "a"), (other, "b")):
        creator.create({"kind": "Namespace", "metadata": {"name": name}})

    assert [(leftover.name, leftover.run) for leftover in leftovers(client, "bbbbb")] == [("b", "bbbbb")]
    assert {leftover.run for leftover in leftovers(client)} == {RUN, "bbbbb"}


@pytest.mark.slow
def test_what_is_there_and_not_ours_is_neither_changed_nor_deleted(client, stranger):
    budget = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "budget", "namespace": "default"}}
    kinds.apply(stranger, [budget], manager="them")

    with pytest.raises(
        EnvironmentProblem, match="ConfigMap budget exists already, and was not made by this run"
    ):
        kinds.apply(client, [budget], manager="us")
    kinds.remove(client, [budget])

    metadata = stranger.call("GET", "/api/v1/namespaces/default/configmaps/budget")["metadata"]
    assert RUN_LABEL not in metadata.get("labels", {})


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_run_takes_away_all_that_it_brought(tmp_path, kubeconfig, client):
    words = (
        "--backend",
        f"kubeconfig:{kubeconfig}",
        "--control-plane",
        "reference",
        "--report-dir",
        "report",
    )
    done = run("run", "ADM-200", *words, "-n0", cwd=tmp_path, timeout=280)

    bound = client.call("GET", "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/rolebindings")

    assert done.code == 0, done.out
    assert leftovers(client) == []
    assert [binding for binding in bound["items"] if "kueue" in binding["metadata"]["name"]] == []
    assert client.find("CustomResourceDefinition", "workloads.kueue.x-k8s.io") is None


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_what_a_killed_run_has_left_is_removed(tmp_path, kubeconfig, client):
    command = [
        *COMMAND,
        "run",
        "--backend",
        f"kubeconfig:{kubeconfig}",
        "--control-plane",
        "reference",
        "-n0",
        "--pytest-arg=-v",
    ]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(),
        text=True,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        next(line for line in process.stdout if "PASSED" in line)
        os.killpg(process.pid, signal.SIGKILL)
        process.stdout.read()
    remaining_objects = leftovers(client)

    done = run("cleanup", "--kubeconfig", kubeconfig, cwd=tmp_path, timeout=120)

    assert remaining_objects, "the run was killed before it had made anything"
    assert (done.code, leftovers(client)) == (0, [])
    assert client.find("CustomResourceDefinition", "workloads.kueue.x-k8s.io") is None


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_command_line_refuses_with_its_code(tmp_path, with_kueue, kubeconfig):
    done = run(
        "run",
        "ADM-200",
        "--backend",
        f"kubeconfig:{kubeconfig}",
        "--control-plane",
        "reference",
        "-n0",
        cwd=tmp_path,
        timeout=100,
    )

    assert (done.code, done.out.strip()) == (4, "")
    assert done.err.startswith("error: the cluster has a Kueue already")
