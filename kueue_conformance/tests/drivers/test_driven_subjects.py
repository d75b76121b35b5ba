"""A subject of every way is judged: what its drivers can bring about is,
the rest is unsupported with the reason (H-11).
"""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples/check_controllers/python"
STATES = ("Ready", "Retry", "Rejected")
SHOWN = ["CHK-011", "CHK-013", "CHK-020", "CHK-022", "CHK-025"]


def every(driver):
    """Return drivers that bring about each state in one way."""
    return {state.lower(): driver for state in STATES}


LABELS = {state.lower(): {"workloadLabels": {"example.com/verdict": state.lower()}} for state in STATES}
TELL = [
    "sh",
    "-c",
    'printf %s:%s "$1" "$2" > "$FOLDER/$3.new" && mv "$FOLDER/$3.new" "$FOLDER/$3"',
    "tell",
    "${state}",
    "${message}",
    "${workload}",
]
FORGET = {"run": ["sh", "-c", 'rm -f "$FOLDER/$KUEUE_CONFORMANCE_WORKLOAD"']}
URL = "http://127.0.0.1:PORT/decisions/${workload}"
HTTP = {
    "http": {"method": "PUT", "url": URL, "body": {"state": "${state}", "message": "${message}"}},
    "undo": {"http": {"method": "DELETE", "url": URL}},
}
WAYS = {
    "apply": every({"apply": "verdict.yaml"}),
    "run": every({"run": TELL, "undo": FORGET, "timeout": 5}),
    "python": every({"python": "decisions:give", "undo": {"python": "decisions:forget"}}),
    "http": every(HTTP),
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def judge(folder, controller_name, drivers, *scenarios):
    """Run scenarios against a subject and return its exit code, and outcome with code for each of them."""
    port = free_port()
    file = folder / "subject.yaml"
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "controllerName": "example.com/budget",
        "connect": f"process:python {HERE / 'controllers.py'} {controller_name} --verdict-url none --poll-seconds 0.05",
        "drivers": drivers,
    }
    file.write_text(yaml.safe_dump(subject).replace("PORT", port))
    [(folder / item).write_bytes((HERE / item).read_bytes()) for item in ("verdict.yaml", "decisions.py")]
    (folder / "told").mkdir()
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        *scenarios,
        "--subject-file",
        file,
        "-n0",
        "--seed",
        "3",
        "--report-dir",
        folder,
    ]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLE), "FOLDER": str(folder / "told"), "PORT": port}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    report = yaml.safe_load((folder / "report.yaml").read_text())
    return ended, {
        scenario["id"]: (scenario["outcome"], scenario.get("code", "")) for scenario in report["scenarios"]
    }


@pytest.mark.slow
@pytest.mark.parametrize(("controller_name", "drivers"), WAYS.items(), ids=WAYS)
def test_a_driven_subject_shows_what_its_drivers_can_bring_about(tmp_path, controller_name, drivers):
    ended, observed = judge(tmp_path, controller_name, drivers, *SHOWN)

    assert observed == dict.fromkeys(SHOWN, ("passed", "")), ended.stdout
    assert [*(tmp_path / "told").iterdir()] == []


@pytest.mark.slow
def test_a_subject_by_labels_cannot_tell_a_message_nor_be_asked(tmp_path):
    ended, observed = judge(
        tmp_path, "labels", {**LABELS, "retry": LABELS["retry"]}, "CHK-010", "CHK-011", "CHK-020", "CHK-025"
    )

    assert observed == {
        "CHK-010": ("unsupported", "driver asks"),
        "CHK-011": ("passed", ""),
        "CHK-020": ("unsupported", "driver message"),
        "CHK-025": ("passed", ""),
    }, ended.stdout


@pytest.mark.slow
def test_a_service_that_decides_at_once_says_so(tmp_path):
    """Nothing is ever undecided: what needs that cannot be judged, and is no broken rule."""
    drivers = {**every(HTTP), "pending": False}

    ended, observed = judge(tmp_path, "decides", drivers, "CHK-014", "CHK-026", "CHK-039")

    unsupported = ("unsupported", "driver pending")
    assert observed == {"CHK-014": ("passed", ""), "CHK-026": unsupported, "CHK-039": unsupported}, (
        ended.stdout
    )


@pytest.mark.slow
def test_a_state_without_a_driver_is_unsupported(tmp_path):
    _, observed = judge(tmp_path, "labels", {"ready": LABELS["ready"]}, "CHK-025")

    assert observed == {"CHK-025": ("unsupported", "driver retry")}


@pytest.mark.slow
def test_a_driver_that_fails_is_an_error_with_its_words(tmp_path):
    drivers = every({"run": ["sh", "-c", "echo the budget service is closed; exit 2"]})

    ended, observed = judge(tmp_path, "run", drivers, "CHK-014")

    assert (ended.returncode, observed) == (3, {"CHK-014": ("error", "DriverFailed")})
    assert (
        "ended with exit code 2: the budget service is closed\n  hint: run it by hand to see why"
        in ended.stdout
    )


@pytest.mark.slow
def test_a_driven_coroutine_is_judged_in_virtual_time(tmp_path):
    file = tmp_path / "subject.yaml"
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "controllerName": "example.com/budget",
        "drivers": LABELS,
        "connect": "python:kueue_conformance.tests.drivers.labelled:Labelled.serve",
        "effects": {"apiVersion": "v1", "kind": "ConfigMap"},
    }
    file.write_text(yaml.safe_dump(subject))
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        "CHK-01*",
        "CHK-03*",
        "--subject-file",
        file,
        "-n0",
        "--report-dir",
        tmp_path,
    ]

    ended = subprocess.run(command, cwd=HERE.parents[2], capture_output=True, text=True, check=False)

    report = yaml.safe_load((tmp_path / "report.yaml").read_text())
    observed = {
        scenario["id"]: scenario.get("code", scenario["outcome"])
        for scenario in report["scenarios"]
        if scenario["outcome"] != "passed"
    }
    assert ended.returncode == 0, ended.stdout
    assert {code for code in observed.values() if code.startswith("driver")} == {"driver asks"}
    assert report["profiles"][0]["result"] == "success"
