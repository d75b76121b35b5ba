"""An outage of an outside system that is reached through drivers: a right controller gets over it, a wrong
one is caught at must by the scenario that is named for it (CC-053, CC-082).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples/check_controllers/python"
OUTAGES = ["CHK-057", "CHK-071", "CHK-117"]
PASSED = ("passed", "")


def tell(*words):
    return {"run": ["python", str(HERE / "tell_service.py"), "${port}", *words]}


DECIDED = {
    state: {**tell("${workload}", "${state}"), "undo": tell("${workload}")}
    for state in ("ready", "retry", "rejected")
}
FOR_ALL = {"trouble": tell("outage/all", "begin"), "recovery": tell("outage/all")}
FOR_EACH = {
    "trouble": tell("outage/${workload}", "begin"),
    "recovery": {"http": {"method": "DELETE", "url": "http://127.0.0.1:${port}/outage/${workload}"}},
}
SWITCH = {
    "ready": {"apply": "true.yaml", "undo": False},
    "pending": {"apply": "false.yaml", "undo": False},
}
BROKEN = {"trouble": {"apply": "broken.yaml"}, "recovery": {"apply": "false.yaml"}}


def judge(folder, program, drivers, *scenarios):
    """Judge a controller of `troubled_controllers`; return the ended run, outcome and code by scenario."""
    for admit in ("true", "false"):
        manifest = (HERE / "admit.yaml").read_text().replace("ADMIT", admit)
        (folder / f"{admit}.yaml").write_text(manifest)
    (folder / "broken.yaml").write_text((HERE / "admit.yaml").read_text().replace("admit:", "weather:"))
    (folder / "acme-system.yaml").write_text(
        "{apiVersion: v1, kind: Namespace, metadata: {name: acme-system}}"
    )
    file = folder / "subject.yaml"
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "connect": f"process:python {HERE / 'troubled_controllers.py'} {program} ${{port}} --verdict-url none",
        "controllerName": "example.com/budget",
        "setup": {"apply": ["acme-system.yaml", "false.yaml"]},
        "drivers": drivers,
    }
    file.write_text(yaml.safe_dump(subject))
    options = ["--subject-file", file, "-n", "0", "--seed", "3", "--report-dir", folder]
    ended = subprocess.run(
        [sys.executable, "-m", "kueue_conformance", "run", *scenarios, *options],
        env={**os.environ, "PYTHONPATH": str(EXAMPLE)},
        capture_output=True,
        text=True,
        check=False,
    )
    report = yaml.safe_load((folder / "report.yaml").read_text())
    return ended, {
        scenario["id"]: (scenario["outcome"], scenario.get("code", "")) for scenario in report["scenarios"]
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "drivers", "isolated"),
    [
        pytest.param(
            "service",
            {**DECIDED, **FOR_EACH},
            PASSED,
            id="of one Workload at a service",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "service",
            {**DECIDED, **FOR_ALL},
            ("unsupported", "driver trouble with scope workload"),
            id="of a service",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "service-at-once",
            {**DECIDED, **FOR_EACH, "pending": False},
            ("unsupported", "driver pending"),
            id="of a service that decides at once",
        ),
        pytest.param(
            "configmap",
            {**SWITCH, **BROKEN},
            ("unsupported", "driver workload"),
            id="of a switch",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
def test_a_right_controller_gets_over_an_outage(tmp_path, program, drivers, isolated):
    ended, observed = judge(tmp_path, program, drivers, *OUTAGES)

    assert observed == {"CHK-057": PASSED, "CHK-071": isolated, "CHK-117": PASSED}, ended.stdout
    assert ended.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "drivers", "scenario", "observation"),
    [
        pytest.param("service-nil", {**DECIDED, **FOR_ALL}, "CHK-117", "TypeError", id="dies of one 503"),
        pytest.param(
            "service-nil", {**DECIDED, **FOR_EACH}, "CHK-071", "TypeError", id="dies of one for a Workload"
        ),
        pytest.param(
            "service-rejects", {**DECIDED, **FOR_ALL}, "CHK-057", "Rejected", id="rejects on one 503"
        ),
        pytest.param(
            "configmap-panics", {**SWITCH, **BROKEN}, "CHK-117", "KeyError", id="panics at a broken switch"
        ),
    ],
)
def test_a_wrong_one_is_caught_at_must(tmp_path, program, drivers, scenario, observation):
    ended, observed = judge(tmp_path, program, drivers, scenario)

    assert (observed[scenario][0], ended.returncode) == ("failed", 1), ended.stdout
    assert f"\n{scenario}." in ended.stdout
    assert "[must]" in ended.stdout
    assert observation in ended.stdout


@pytest.mark.slow
def test_an_outage_that_no_driver_brings_about_is_unsupported(tmp_path):
    ended, observed = judge(tmp_path, "service", DECIDED, *OUTAGES)

    assert set(observed.values()) == {
        ("unsupported", "driver trouble"),
        ("unsupported", "driver trouble with scope workload"),
    }, ended.stdout
