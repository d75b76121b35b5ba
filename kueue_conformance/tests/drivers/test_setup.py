"""The set-up of a subject file, and the places that each worker fills in for itself (harness §10.2)."""

import pytest
import yaml

from kueue_conformance.base.errors import UsageError
from kueue_conformance.subject.declaration import declare

CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c-${worker}", "namespace": "acme"}}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "policies.acme.io"},
    "spec": {"group": "acme.io", "names": {"kind": "Policy", "plural": "policies"}},
}
POLICY = {"apiVersion": "acme.io/v1", "kind": "Policy", "metadata": {"name": "usual"}}


@pytest.fixture
def declared(tmp_path):
    def declaration(manifests=(CONFIG,), **fields):
        (tmp_path / "config.yaml").write_text(yaml.safe_dump_all(manifests))
        file = tmp_path / "subject.yaml"
        subject = {"apiVersion": "kueue-conformance.dev/v1", "kind": "Subject", "connect": "external:"}
        file.write_text(yaml.safe_dump({**subject, "controllerName": "acme.io/budget", **fields}))
        return declare("", str(file), "")

    return declaration


def test_a_subject_may_read_what_its_setup_brings(declared):
    subject = declared([DEFINITION, POLICY], setup={"apply": ["config.yaml"]})

    assert [manifest["kind"] for manifest in subject.setup] == ["CustomResourceDefinition", "Policy"]
    rule = {"apiGroups": ["acme.io"], "resources": ["policies"], "verbs": ["get", "list", "watch"]}
    assert rule in subject.rights


@pytest.mark.parametrize(
    ("setup", "problem"),
    [
        pytest.param({"apply": "config.yaml"}, "setup.apply is 'config.yaml', expected a list", id="a text"),
        pytest.param({"apply": ["none.yaml"]}, "none.yaml' cannot be read", id="no such file"),
        pytest.param({"aply": ["config.yaml"]}, "unknown field of setup 'aply'", id="a wrong word"),
        pytest.param({}, "setup.apply is None, expected a list of paths", id="nothing"),
    ],
)
def test_a_wrong_setup_is_told_before_a_case_is_judged(declared, setup, problem):
    with pytest.raises(UsageError, match=problem.replace("[", r"\[")):
        declared(setup=setup)


def test_a_place_that_no_setup_has_is_told(declared):
    wrong = {**CONFIG, "metadata": {"name": "${workload}", "namespace": "acme"}}

    with pytest.raises(UsageError, match=r"unknown place .* 'workload'"):
        declared([wrong], setup={"apply": ["config.yaml"]})


def test_each_worker_has_a_name_and_a_port_of_its_own(declared, monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw3")

    subject = declared(
        connect="process:./controller --listen ${port}",
        start={"env": {"WORKER": "${worker}", "ADDRESS": "127.0.0.1:${port}"}},
        setup={"apply": ["config.yaml"]},
    )

    port = subject.connect.rpartition(" ")[2]
    assert port.isdigit()
    assert subject.start.env == {"WORKER": "gw3", "ADDRESS": f"127.0.0.1:{port}"}
    assert subject.setup[0]["metadata"]["name"] == "c-gw3"


def test_an_undo_has_a_timeout_of_its_own(declared):
    undo = {"run": ["true", "${workload}", "none"], "timeout": 30}
    ready = {"run": ["true", "${workload}", "ready"], "timeout": 5, "undo": undo}
    with_own = declared(drivers={"ready": ready}).drivers.by_state["ready"]

    assert (with_own.timeout, with_own.undo_timeout) == (5, 30)
    with pytest.raises(UsageError, match=r"drivers.ready.undo.timeout is 0, expected seconds above 0"):
        declared(drivers={"ready": {**ready, "undo": {**undo, "timeout": 0}}})
