"""What a scenario makes the outside system do is declared in its record, so that it is unsupported before it
runs (H-10, H-11).
"""

import ast
from functools import cache
from pathlib import Path

import pytest
import yaml

from kueue_conformance.base import resources
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.subject.declaration import API_VERSION, declare
from kueue_conformance.subject.drivers import (
    ASKS,
    DETAILS,
    TROUBLE,
    TROUBLE_OF_WORKLOAD,
    VERDICTS,
    Drivers,
    StateDriver,
)
from kueue_conformance.subject.drivers.command import CommandDriver

STATES = {"Ready": "ready", "Retry": "retry", "Rejected": "rejected", "Pending": "pending"}
TAKES_IN = {
    "precheck",
    "precheck_existing",
    "precheck_many",
    "precheck_odd",
    "recreate",
    "reserve",
    "list_checks",
}
DECIDES = ("set_answer", "set_trouble", "set_retry_answer", "fail_answers")
SAME_WHATEVER_IS_DECIDED = {"CHK-046"}
"""A Workload is taken in before anything is decided, and no verdict of it is looked at."""
ASKING = {
    "set_answers",
    "set_answer_after",
    "has_asked_nothing",
    "has_asked_about",
}
TROUBLES = {"set_trouble", "fail_answers"}
RECORDS = {
    name: scenario for name, scenario in inventory().items() if scenario.profile.name == "CHECK-CONTROLLER"
}


@cache
def functions():
    """Return the function of each scenario."""
    folder = resources.suites() / "check_controller"
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(folder.glob("test_*.py"))]
    return {
        mark.args[0].value: node
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if getattr(getattr(mark, "func", None), "id", "") == "scenario"
    }


def calls(node):
    """Return the words that a scenario says to the subject."""
    method_calls = [
        call for call in ast.walk(node) if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    ]
    return [
        call
        for call in method_calls
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "subject"
    ]


def states(argument, record):
    """Return the states that an argument can be: a word, or a dimension of the cases."""
    for node in ast.walk(argument):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if isinstance(node, ast.Name):
            # A case that needs Pending is unsupported by itself, and the others of its scenario are played.
            values = [case[node.id] for case in record.cases.parameters() if node.id in case]
            yield from (value for value in values if value != "Pending")


def due(record):
    """Return the drivers that a scenario cannot do without."""
    for call in calls(functions()[record.id]):
        word = call.func.attr
        if word in ASKING or any(keyword.arg == "check" for keyword in call.keywords if word == "set_answer"):
            yield ASKS
        if word in ("set_answer", "set_answer_with_text"):
            yield from (STATES.get(keyword, ASKS) for keyword in states(call.args[0], record))
            yield from (keyword.arg for keyword in call.keywords if keyword.arg in DETAILS)
        if word == "set_answer_with_text":
            yield "message"
        if word == "set_retry_answer":
            yield from ("retry", "requeueAfterSeconds")
        is_about = any(keyword.arg == "about" for keyword in call.keywords)
        if word in TROUBLES:
            yield TROUBLE_OF_WORKLOAD if is_about else TROUBLE
        elif is_about:
            yield "workload"
    if begins_undecided(functions()[record.id]) and record.id not in SAME_WHATEVER_IS_DECIDED:
        yield "pending"


def begins_undecided(node):
    """Tell whether a scenario takes a Workload in before it says what the outside system decides."""
    acts = [
        node_in_function
        for node_in_function in ast.walk(node)
        if isinstance(node_in_function, ast.Call)
        and isinstance(node_in_function.func, ast.Attribute)
        and (node_in_function.func.attr in TAKES_IN or node_in_function.func.attr.startswith(DECIDES))
    ]
    first = min(acts, key=lambda act: (act.lineno, act.col_offset), default=None)
    return first is not None and first.func.attr in TAKES_IN


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_every_driver_that_a_scenario_needs_is_declared(record):
    needed, declared = set(due(record)), set(record.required_drivers)

    assert ASKS in declared or needed <= declared


def test_a_capability_brings_its_driver():
    assert RECORDS["CHK-025"].required_drivers == ("retry", "ready", "pending")
    assert RECORDS["CHK-025"].to_dict()["needsDrivers"] == ["retry", "ready", "pending"]


class Mute:
    """A driver that passes nothing on."""

    tells = frozenset()

    def leaves(self, decision):
        return frozenset({"label verdict"})


LABELLED = Drivers({"ready": StateDriver(driver=Mute()), "retry": StateDriver(driver=Mute())})


@pytest.mark.parametrize(
    ("drivers", "needed_drivers", "lacking"),
    [
        pytest.param(
            Drivers({}), ["retry", "rejected", "message", ASKS], "", id="one that asks lacks nothing"
        ),
        pytest.param(LABELLED, ["ready", "retry", "pending"], "", id="what is declared"),
        pytest.param(LABELLED, ["ready", "rejected"], "rejected", id="a state"),
        pytest.param(LABELLED, ["ready", "message"], "message", id="a detail"),
        pytest.param(LABELLED, ["requeueAfterSeconds"], "requeueAfterSeconds", id="a detail of a state"),
        pytest.param(
            Drivers({"ready": StateDriver(driver=Mute())}),
            ["requeueAfterSeconds"],
            "",
            id="a detail of a state that is lacking anyway",
        ),
        pytest.param(LABELLED, [ASKS], ASKS, id="to be asked"),
        pytest.param(
            Drivers({"ready": StateDriver(driver=Mute())}, decides_at_once=True),
            ["pending"],
            "pending",
            id="one that decides at once has no state before",
        ),
        pytest.param(
            Drivers({"ready": StateDriver(driver=Mute(), stays=True)}),
            ["pending"],
            "pending",
            id="what cannot be undone",
        ),
    ],
)
def test_what_the_drivers_lack_is_named(drivers, needed_drivers, lacking):
    assert drivers.lacks(needed_drivers) == lacking


class Telling:
    """A driver that passes some words on."""

    def __init__(self, *words):
        self.tells = frozenset(words)

    def leaves(self, decision):
        return frozenset()


SWITCH, LABEL = Telling("state"), Telling("namespace", "workload")


@pytest.mark.parametrize(
    ("ways", "group"),
    [
        pytest.param({"ready": StateDriver(driver=None)}, ("team-a", "w"), id="it asks"),
        pytest.param({"ready": StateDriver(driver=LABEL)}, ("team-a", "w"), id="a label of a Workload"),
        pytest.param({"ready": StateDriver(driver=SWITCH)}, ("", ""), id="a switch"),
        pytest.param(
            {"ready": StateDriver(driver=Telling("namespace"))}, ("team-a", ""), id="a switch of a namespace"
        ),
        pytest.param(
            {"ready": StateDriver(driver=LABEL), "retry": StateDriver(driver=SWITCH)},
            ("", ""),
            id="a label, and a switch beside it",
        ),
        pytest.param(
            {"ready": StateDriver(driver=SWITCH, scope="workload")}, ("team-a", "w"), id="declared otherwise"
        ),
        pytest.param(
            {"ready": StateDriver(driver=LABEL, scope="global")}, ("", ""), id="declared to be a switch"
        ),
    ],
)
def test_what_shares_a_decision_follows_from_the_words_of_the_drivers(ways, group):
    assert Drivers(ways).group_of("team-a", "w") == group


@pytest.mark.parametrize(
    ("argv", "shared"),
    [
        pytest.param(["./decide", "${workload}"], False, id="a word"),
        pytest.param(["sh", "-c", 'rm "$KUEUE_CONFORMANCE_WORKLOAD"'], False, id="a variable in a word"),
        pytest.param(["./by-name.sh"], True, id="a script, whatever its text is"),
        pytest.param(["./switch.sh", "${state}"], True, id="neither"),
    ],
)
def test_a_command_decides_about_one_workload_where_its_words_have_it(tmp_path, argv, shared):
    (tmp_path / "by-name.sh").write_text("echo $KUEUE_CONFORMANCE_WORKLOAD")

    assert StateDriver(driver=CommandDriver(argv, tmp_path)).is_shared == shared


@pytest.mark.parametrize(
    ("driver", "is_judged"),
    [
        pytest.param({"run": ["true", "${workload}"]}, False, id="a command that ignores it"),
        pytest.param({"run": ["true", "${workload}", "${message}"]}, True, id="an argument"),
        pytest.param({"run": ["sh", "-c", "echo $KUEUE_CONFORMANCE_MESSAGE"]}, True, id="a variable"),
        pytest.param({"run": ["sh", "reads.sh"]}, True, id="a script that reads it"),
        pytest.param({"run": ["sh", "ignores.sh"]}, False, id="a script that ignores it"),
        pytest.param({"python": "decisions:give"}, True, id="a function that reads it"),
        pytest.param({"python": "decisions:forget"}, False, id="a function that ignores it"),
    ],
)
def test_a_message_that_a_driver_drops_is_not_judged(tmp_path, driver, is_judged):
    (tmp_path / "reads.sh").write_text('echo "$KUEUE_CONFORMANCE_MESSAGE" > verdict')
    (tmp_path / "ignores.sh").write_text("echo ready > verdict")
    (tmp_path / "decisions.py").write_bytes((Path(__file__).parent / "decisions.py").read_bytes())
    file = tmp_path / "subject.yaml"
    drivers = {state: {**driver, "scope": "workload", "undo": {"run": ["true"]}} for state in VERDICTS}
    subject = {"apiVersion": API_VERSION, "kind": "Subject", "connect": "process:true", "drivers": drivers}
    file.write_text(yaml.safe_dump({**subject, "controllerName": "example.com/budget"}))

    reason = declare("", str(file), "").cannot(RECORDS["CHK-020"])

    assert reason.partition(":")[0] == ("" if is_judged else "driver message")
