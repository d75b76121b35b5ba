"""Each scenario is played with every subset of drivers: it passes, or is unsupported by the driver that it
needs; a right controller never fails because its outside system could not be brought to a state (H-10, H-11).
"""

import os
import subprocess
import sys
from itertools import chain, combinations
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
OTHERS = ("retry", "rejected", "pending")
SUBSETS = [*chain.from_iterable(combinations(OTHERS, size) for size in range(len(OTHERS) + 1))]
IN_EACH_RUN = {(OTHERS, "ready")}
"""The others take a minute each on a busy machine."""
CASES = [
    pytest.param(
        subset,
        left_at,
        id=f"ready {' '.join(subset)}: left at {left_at}",
        marks=() if (subset, left_at) in IN_EACH_RUN else pytest.mark.exhaustive,
    )
    for subset in SUBSETS
    for left_at in ("ready", "retry", "rejected")
    # Without a driver for Pending a switch can be anywhere when a case begins.
    if left_at == "ready" or (left_at in subset and "pending" not in subset)
]


def judge(folder, drivers, controller, *scenarios):
    """Judge a controller of `switched` and return its report."""
    (folder / "switch.yaml").write_bytes((HERE / "switch.yaml").read_bytes())
    file = folder / "subject.yaml"
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "connect": f"python:kueue_conformance.tests.drivers.switched:{controller}.serve",
        "controllerName": "example.com/budget",
        "effects": {"apiVersion": "v1", "kind": "ConfigMap", "by": "owner"},
        "drivers": drivers,
    }
    file.write_text(yaml.safe_dump(subject))
    options = ["--subject-file", file, "-n0", "--seed", "3", "--report-dir", folder]
    command = [sys.executable, "-m", "kueue_conformance", "run", *scenarios, *options]
    ended = subprocess.run(
        command, cwd=HERE.parents[2], env={**os.environ}, capture_output=True, text=True, check=False
    )
    return ended, yaml.safe_load((folder / "report.yaml").read_text())


@pytest.mark.slow
@pytest.mark.parametrize(("subset", "left_at"), CASES)
def test_a_right_controller_passes_whatever_its_drivers_can_do(tmp_path, subset, left_at):
    drivers = {state: {"apply": "switch.yaml", "undo": False} for state in ("ready", *subset)}
    controller = "Switched" if "pending" in subset else f"LeftAt{left_at.capitalize()}"

    ended, report = judge(tmp_path, drivers, controller)

    outcomes = {scenario["id"]: scenario["outcome"] for scenario in report["scenarios"]}
    assert {*outcomes.values()} <= {"passed", "unsupported"}, ended.stdout
    assert (outcomes["CHK-014"], ended.returncode) == ("passed", 0)
    assert outcomes["CHK-020"] == "unsupported", "a switch passes no message on"
    assert (outcomes["CHK-019"] == "passed") == ("pending" in subset)


SERVICE = {
    "python": "kueue_conformance.tests.drivers.switched:decide",
    "undo": {"python": "kueue_conformance.tests.drivers.switched:forget"},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "subset",
    [
        pytest.param(("ready", "retry", "rejected")),
        *(
            pytest.param(subset, marks=pytest.mark.exhaustive)
            for subset in (("ready",), ("ready", "retry"), ("ready", "rejected"), ("retry",), ("rejected",))
        ),
    ],
    ids=" ".join,
)
def test_a_right_controller_passes_where_its_service_decides_at_once(tmp_path, subset):
    drivers = {**dict.fromkeys(subset, SERVICE), "pending": False}

    ended, report = judge(tmp_path, drivers, "AdmittedAtOnce")

    outcomes = {scenario["id"]: scenario["outcome"] for scenario in report["scenarios"]}
    assert {*outcomes.values()} <= {"passed", "unsupported"}, ended.stdout
    assert ended.returncode == 0
    by_driver = {"CHK-014": ["ready"], "CHK-015": ["ready", "rejected"], "CHK-034": ["ready", "retry"]}
    for scenario, needed in by_driver.items():
        assert (outcomes[scenario] == "passed") == ({*needed} <= {*subset}), scenario
    assert outcomes["CHK-019"] == "unsupported", "no Workload is undecided"


def test_a_controller_that_can_only_say_retry_is_judged_by_the_name_of_its_check(tmp_path):
    drivers = {"retry": {"apply": "switch.yaml", "undo": False}}

    ended, report = judge(tmp_path, drivers, "LeftAtRetry", "CHK-188")

    assert [scenario["outcome"] for scenario in report["scenarios"]] == ["passed"], ended.stdout
