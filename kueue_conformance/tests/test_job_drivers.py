"""The operator of a kind of jobs brings states about itself, where a driver of the subject file tells it."""

import shutil

import pytest

from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.tests.command_line.processes import run

EXAMPLE = ROOT / "examples/job_integrations/python"
OPERATOR = '''"""Tells a job of kind Training how it goes, as `pods.py STATE NAMESPACE NAME PODS`."""

import sys

from kubernetes import client, config

state, namespace, name, pods = sys.argv[1:]
config.load_kube_config()
STATUSES = {
    "running": {"phase": "Running", "active": int(pods)},
    "stopped": {"active": 0},
    "succeeded": {"phase": "Succeeded", "active": 0},
}
client.CustomObjectsApi().patch_namespaced_custom_object_status(
    "example.com", "v1", namespace, "trainings", name, {"status": STATUSES[state]}
)
'''
DRIVER = '{{run: [python, pods.py, "{state}", "${{namespace}}", "${{name}}", "${{parallelism}}"]}}'


@pytest.fixture
def judged(tmp_path):
    def judge(*scenarios, operator=OPERATOR, scale="1"):
        shutil.copytree(EXAMPLE, tmp_path / "example")
        folder = tmp_path / "example"
        (folder / "pods.py").write_text(operator, "utf-8")
        subject = folder / "subject.yaml"
        drivers = ", ".join(
            f"{state}: {DRIVER.format(state=state)}" for state in ("running", "stopped", "succeeded")
        )
        subject.write_text(f"{subject.read_text('utf-8')}  drivers: {{{drivers}}}\n", "utf-8")
        options = ("--subject-file", str(subject), "--report-dir", "", "-n", "0", "--timeout-scale", scale)
        return run("run", *scenarios, *options, cwd=folder)

    return judge


@pytest.mark.slow
def test_states_are_brought_about_by_the_operator(judged):
    done = judged("JIN-031")

    assert done.code == 0, done.out


@pytest.mark.slow
def test_an_operator_that_does_nothing_leaves_the_rules_undetermined(judged):
    done = judged("JIN-040", operator="", scale="0.3")

    assert (done.code, "the operator of Training" in done.out) == (3, True), done.out
