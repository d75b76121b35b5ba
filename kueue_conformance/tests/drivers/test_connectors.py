"""Connectors: which word starts what, and what a file says about a start (H-02, H-43)."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
import yaml

from fakecluster.cluster.fake_cluster import FakeCluster
from kueue_conformance import options
from kueue_conformance.base.errors import SubjectFileError, UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.run import Run
from kueue_conformance.subject import ConnectorContext, SubjectContext, connector
from kueue_conformance.subject.process import ProcessConnector
from kueue_conformance.subject.readiness import signs
from kueue_conformance.subject.start import StartSettings, problems
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.transport import connect

CONTEXT = SubjectContext("kubeconfig", "acme.io/budget", "http://127.0.0.1:1/verdict")
DEPLOYMENT = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: acme}
data: {controllerName: "${controllerName}"}
---
apiVersion: v1
kind: Namespace
metadata: {name: acme}
"""


@pytest.fixture
def server(tmp_path):
    with FakeCluster(clock="wall", controllers="namespaces") as fake_cluster:
        file = tmp_path / "kubeconfig"
        fake_cluster.kubeconfig(file)
        yield SimpleNamespace(mark="", transport=connect(str(file)), kubeconfig=str(file))


def test_an_unknown_word_is_told_with_the_known_ones():
    with pytest.raises(
        UsageError,
        match=r"(?s)unknown connector 'docker'.*known: external:, process:COMMAND, python:MODULE:CALLABLE, manifest:PATH, reference",
    ):
        connector("docker:image")


def test_the_reference_needs_no_word_more_and_claims_what_its_file_claims():
    settings = options.read({"subject": "reference"}, seed=1)

    assert (settings.subject.controller_name, settings.profiles) == (
        "example.com/budget",
        ("CHECK-CONTROLLER",),
    )
    assert "Retry" in settings.subject.capabilities


def past_the_front(server):
    """Return the context of pods that do not reach a front: they have the cluster's own kubeconfig."""
    return replace(CONTEXT, kubeconfig=server.kubeconfig)


def test_a_manifest_is_applied_with_the_controller_name_and_taken_away(server, tmp_path):
    (tmp_path / "deployment.yaml").write_text(DEPLOYMENT)
    client = Client(server.transport, agent="test")

    running = connector("manifest:deployment.yaml", ConnectorContext(folder=tmp_path)).start(
        past_the_front(server), server
    )
    there = client.call("GET", "/api/v1/namespaces/acme/configmaps/settings")
    running.stop(1)

    assert there["data"] == {"controllerName": "acme.io/budget"}
    assert client.call("GET", "/api/v1/namespaces/default/configmaps")["items"] == []
    assert (
        client.find("Namespace", "acme") is None
        or client.get("Namespace", "acme")["status"]["phase"] == "Terminating"
    )


def test_a_manifest_of_an_unknown_kind_is_told(server, tmp_path):
    (tmp_path / "x.yaml").write_text("apiVersion: acme.io/v1\nkind: Budget\nmetadata: {name: x}\n")

    with pytest.raises(Exception, match=r"does not serve Budget of acme\.io/v1"):
        connector("manifest:x.yaml", ConnectorContext(folder=tmp_path)).start(past_the_front(server), server)


def test_a_manifest_is_unsupported_where_no_pods_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deployment.yaml").write_text(DEPLOYMENT)
    settings = options.read(
        {"subject": "manifest:deployment.yaml", "controller-name": "acme.io/budget"}, seed=1
    )
    run = Run(settings)

    missing = run.missing(inventory()["CHK-011"])
    run.close()

    assert missing == "pods: manifest:deployment.yaml needs them, and backend fake has none"


def test_what_a_manifest_asks_for_comes_through_nobody(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deployment.yaml").write_text(DEPLOYMENT)
    text = {
        "backend": "kubeconfig:somebodys",
        "subject": "manifest:deployment.yaml",
        "controller-name": "a.io/b",
    }
    run = Run(options.read(text, seed=1))

    missing = run.missing(inventory()["CHK-100"]), run.missing(inventory()["CHK-130"])
    run.close()

    past = "manifest:deployment.yaml connects to the API server directly, so that the harness cannot see or disturb its requests"
    assert missing == (f"faults: {past}", f"journal: {past}")


def start(*argv, **settings):
    return ProcessConnector(argv, StartSettings(**settings)).start(CONTEXT, SimpleNamespace(kubeconfig=""))


def test_a_program_gets_its_environment_and_its_own_signal():
    code = (
        "import os, signal, sys, threading; stop = threading.Event()\n"
        "signal.signal(signal.SIGUSR1, lambda *_: stop.set()); print('level', os.environ['LEVEL']); stop.wait(); print('bye')"
    )
    running = start(sys.executable, "-c", code, env={"LEVEL": "high"}, signal="SIGUSR1", ready_log="level")
    (sign,) = signs(StartSettings(ready_log="level high$"), running, None)
    while not sign.is_there():
        pass

    running.stop(30)

    assert running.has_printed("bye")


def test_grace_goes_before_the_budget():
    code = "import signal, threading; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf'); threading.Event().wait()"
    running = start(sys.executable, "-c", code, grace=0.05)
    while not running.has_printed("deaf"):
        pass

    running.stop(100)

    assert "SIGKILL" in running.exit_reason()


def test_a_lease_is_a_sign_once_somebody_holds_it(server):
    client = Client(server.transport, agent="test")
    (sign,) = signs(StartSettings(ready_lease="default/acme"), None, client)
    leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

    absent = sign.is_there()
    client.call("POST", leases, {"metadata": {"name": "acme"}, "spec": {"holderIdentity": "one"}})

    assert (absent, sign.is_there()) == (False, True)


START = {
    "argv": ({"argv": "./run"}, "start.argv is './run', expected a list of words"),
    "env": ({"env": {"LEVEL": 3}}, "start.env is {'LEVEL': 3}, expected a mapping from name to text"),
    "field": ({"arvg": ["x"]}, "unknown field of start 'arvg'\n  hint: did you mean 'argv'?"),
    "ready": ({"ready": {"htpp": "x"}}, "unknown field of start.ready 'htpp'\n  hint: did you mean 'http'?"),
    "address": ({"ready": {"http": ":8080"}}, "start.ready.http is ':8080', expected an http address"),
    "pattern": ({"ready": {"log": "("}}, "start.ready.log is '(', expected a regular expression"),
    "lease": ({"ready": {"lease": "acme"}}, "start.ready.lease is 'acme', expected NAMESPACE/NAME"),
    "signal": (
        {"stop": {"signal": "TERM"}},
        "unknown signal in start.stop 'TERM'\n  hint: did you mean 'SIGTERM'?",
    ),
    "grace": ({"stop": {"grace": "5s"}}, "start.stop.grace is '5s', expected seconds"),
}


@pytest.mark.parametrize(("declaration", "text"), START.values(), ids=START)
def test_what_is_wrong_with_a_start_is_told(declaration, text):
    (problem,) = problems(declaration, None)

    assert str(problem).startswith(text)


def test_all_problems_of_a_start_are_told_at_once():
    assert len(list(problems({"argv": [], "env": 1, "stop": {"grace": -1}}, None))) == 3


def test_a_sign_that_never_comes_is_told(tmp_path):
    file = tmp_path / "subject.yaml"
    file.write_text(
        yaml.safe_dump(
            {
                "apiVersion": "kueue-conformance.dev/v1",
                "kind": "Subject",
                "connect": "process:",
                "controllerName": "acme.io/budget",
                "start": {
                    "argv": [
                        sys.executable,
                        "-c",
                        "import threading; print('hello'); threading.Event().wait()",
                    ],
                    "ready": {"log": "never"},
                },
            }
        )
    )
    settings = options.read({"subject-file": str(file), "timeout-scale": "0.01"}, seed=1)
    run = Run(settings)
    try:
        with (
            pytest.raises(
                SubjectFileError,
                match=r"(?s)subject\.yaml:\d+: the subject was not ready: a line like 'never' was not seen within .*hint: correct start\.ready\.log",
            ),
            run.case_context(settings.dialects[0], "CHK-001"),
        ):
            pass
    finally:
        run.close()
