"""A controller that answers for one AdmissionCheck by name is judged under that name: one scenario tells that
it is bound, what needs other checks is unsupported, and the rest is judged (TP-04, TP-12).
"""

from pathlib import Path

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.scenarios.forms import CHECK_NAMES

from .bound import NAME
from .judged_subject import judge_subject

HERE = Path(__file__).parent
IN_PROCESS = "python:kueue_conformance.tests.drivers.bound:{}.serve"
PROCESS = f"process:python {HERE / 'bound_controllers.py'} {{}}"
OTHER_NAMES = {scenario.id for scenario in inventory().values() if CHECK_NAMES in scenario.needs}
WITH_A_CANARY = ["CHK-002", "CHK-008", "CHK-009", "CHK-014", "CHK-016", "CHK-098", "CHK-120"]
"""Their waits for quiet need a canary, or end where the one check cannot be used."""


def judge(folder, connect, *scenarios, command="run", **fields):
    """Run a command with a subject file; return the ended run, and its outcomes by scenario."""
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "connect": connect,
        "controllerName": "example.com/budget",
        "effects": {"apiVersion": "v1", "kind": "ConfigMap", "by": "owner"},
        **fields,
    }
    return judge_subject(folder, subject, *scenarios, command=command)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.exhaustive  # a whole run; each of the others judges one scenario
def test_of_a_right_one_the_name_alone_is_a_failure(tmp_path):
    ended, outcomes = judge(tmp_path, IN_PROCESS.format("Bound"), checkName=NAME)

    failed = {name for name, outcome in outcomes.items() if outcome not in ("passed", "unsupported")}
    assert (failed, ended.returncode) == ({"CHK-188"}, 1), ended.stdout
    assert {name for name in OTHER_NAMES if outcomes[name] == "unsupported"} == OTHER_NAMES
    assert f"unsupported: checkName: the scenario makes other checks than '{NAME}'" in ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("controller", "scenario"),
    [("OfAnyController", "CHK-008"), ("Hasty", "CHK-014"), ("AnswersForOneName", "CHK-188")],
)
def test_a_wrong_one_is_caught_under_its_name(tmp_path, controller, scenario):
    ended, outcomes = judge(tmp_path, IN_PROCESS.format(controller), scenario, "CHK-001", checkName=NAME)

    assert outcomes == {"CHK-001": "passed", scenario: "failed"}, ended.stdout


@pytest.mark.slow
def test_canaries_list_the_one_check_while_it_can_be_used(tmp_path):
    ended, outcomes = judge(tmp_path, PROCESS.format("right"), *WITH_A_CANARY, checkName=NAME)

    assert outcomes == dict.fromkeys(sorted(WITH_A_CANARY), "passed"), ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize("controller", ["any-controller", "hasty"])
def test_a_wrong_program_is_caught_under_its_name(tmp_path, controller):
    scenario = {"any-controller": "CHK-008", "hasty": "CHK-014"}[controller]

    ended, outcomes = judge(tmp_path, PROCESS.format(controller), scenario, checkName=NAME)

    assert outcomes == {scenario: "failed"}, ended.stdout


@pytest.mark.exhaustive
def test_one_that_marks_no_check_active_is_judged_where_the_file_says_so(tmp_path):
    start = {"ready": {"active": False}}

    ended, outcomes = judge(
        tmp_path, PROCESS.format("script"), "CHK-001", "CHK-014", "CHK-022", checkName=NAME, start=start
    )

    assert outcomes == {"CHK-001": "failed", "CHK-014": "passed", "CHK-022": "passed"}, ended.stdout


@pytest.mark.parametrize("controller", ["Bound", "AnswersForOneName"])
def test_without_its_name_the_run_asks_for_it(tmp_path, controller):
    ended, outcomes = judge(tmp_path, IN_PROCESS.format(controller), "CHK-001", "CHK-010", "CHK-014")

    assert "needs `checkName: NAME` in its subject file" in ended.stdout
    assert set(outcomes.values()) <= {"failed", "error", "passed"}
    assert ended.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("controller", [pytest.param("right", marks=pytest.mark.exhaustive), "marks-all"])
def test_without_its_name_smoke_asks_for_it(tmp_path, controller):
    ended, _ = judge(tmp_path, PROCESS.format(controller), command="smoke")

    assert ended.returncode == 7
    assert ended.stderr.count("needs `checkName: NAME` in its subject file") == 1, ended.stderr


@pytest.mark.parametrize("name", ["", "Fabric", "fabric_ready", "-fabric", "a..b", "a" * 254])
def test_a_name_that_no_object_has_is_told(tmp_path, name):
    ended, _ = judge(tmp_path, PROCESS.format("right"), checkName=name)

    assert ended.returncode == 4
    assert f"{tmp_path / 'subject.yaml'}:2: checkName is {name!r}" in ended.stderr, ended.stderr
