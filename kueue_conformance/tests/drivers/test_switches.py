"""A controller that follows a switch, also back to Pending, is judged without a false alarm:
its switch decides once, about every Workload, and nothing else is decided meanwhile (harness/H-11).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples/check_controllers/python"
SCENARIOS = {
    "its switch goes on and off": ["CHK-014", "CHK-019", "CHK-030", "CHK-039", "CHK-083"],
    "writes fail": ["CHK-100", "CHK-105", "CHK-116", "CHK-143"],
    "watches end, and nothing changes": ["CHK-106", "CHK-107", "CHK-110", "CHK-142"],
}
NAMESPACE = "{apiVersion: v1, kind: Namespace, metadata: {name: acme-system}}"
OFF, ON = "firing", "resolved"


def alert(status):
    body = [{"status": status, "labels": {"alertname": "BudgetExhausted"}}]
    return {"http": {"url": "http://127.0.0.1:${port}/api/v2/alerts", "body": body}, "undo": False}


DRIVERS = {
    "configmap": {
        "ready": {"apply": "true.yaml", "undo": False},
        "pending": {"apply": "false.yaml", "undo": False},
    },
    "alert": {"ready": alert(ON), "pending": alert(OFF)},
}


def write_subject_file(folder, program, drivers):
    """Write a subject file and its manifests for a controller of `switched_controllers`; return its path."""
    for admit in ("true", "false"):
        manifest = (HERE / "admit.yaml").read_text().replace("ADMIT", admit)
        (folder / f"{admit}.yaml").write_text(manifest)
    (folder / "acme-system.yaml").write_text(NAMESPACE)
    file = folder / "subject.yaml"
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "controllerName": "example.com/budget",
        "connect": f"process:python {HERE / 'switched_controllers.py'} {program} ${{port}} --verdict-url none",
        "setup": {"apply": ["acme-system.yaml", "false.yaml"]},
        "drivers": drivers,
    }
    file.write_text(yaml.safe_dump(subject))
    return file


def kueue_conformance(*words):
    return subprocess.run(
        [sys.executable, "-m", "kueue_conformance", *words],
        env={**os.environ, "PYTHONPATH": str(EXAMPLE)},
        capture_output=True,
        text=True,
        check=False,
    )


def judge(folder, program, drivers, *scenarios):
    """Judge a controller of `switched_controllers`; return the ended run and its outcomes."""
    file = write_subject_file(folder, program, drivers)
    options = ["--subject-file", file, "-n", "2", "--seed", "3", "--report-dir", folder]
    ended = kueue_conformance("run", *scenarios, *options)
    report = yaml.safe_load((folder / "report.yaml").read_text())
    return ended, {scenario["id"]: scenario["outcome"] for scenario in report["scenarios"]}


def runs():
    """Yield every switch with every group; what goes wrong on the way to the server is alike behind both."""
    for driver in DRIVERS:
        for what, scenarios in SCENARIOS.items():
            again = driver == "alert" and what != "its switch goes on and off"
            mark = pytest.mark.acceptance if again else pytest.mark.slow
            yield pytest.param(driver, scenarios, id=f"{what}-{driver}", marks=mark)


@pytest.mark.parametrize(("driver", "scenarios"), list(runs()))
def test_a_right_controller_behind_a_switch_passes(tmp_path, driver, scenarios):
    ended, outcomes = judge(tmp_path, driver, DRIVERS[driver], *scenarios)

    assert outcomes == dict.fromkeys(sorted(scenarios), "passed"), ended.stdout
    assert ended.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("driver", DRIVERS)
def test_one_that_looks_at_its_switch_alone_is_caught(tmp_path, driver):
    ended, outcomes = judge(tmp_path, f"{driver}-hasty", DRIVERS[driver], "CHK-014", "CHK-019")

    assert (outcomes, ended.returncode) == ({"CHK-014": "failed", "CHK-019": "failed"}, 1), ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize("driver", DRIVERS)
def test_the_smoke_test_turns_a_switch_that_the_setup_has_made(tmp_path, driver):
    file = write_subject_file(tmp_path, driver, DRIVERS[driver])

    ended = kueue_conformance("smoke", "--subject-file", file)

    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.slow
def test_a_switch_decides_once_however_many_workloads_there_are(tmp_path):
    calls = tmp_path / "calls"
    drivers = {
        state: {"run": ["python", str(HERE / "turn_switch.py"), str(calls), turn], "undo": False}
        for state, turn in (("ready", "true"), ("pending", "false"))
    }

    ended, outcomes = judge(tmp_path, "configmap", drivers, "CHK-141")

    assert outcomes == {"CHK-141": "passed"}, ended.stdout
    assert calls.read_text().split() == ["false", "true", "false"]
