"""What a scenario makes the outside system do is declared in its record, so that it is unsupported before it
runs (H-10, H-11).
"""

import ast
from functools import cache

import pytest

from kueue_conformance.base import resources
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.subject.drivers import ASKS, DETAILS, Drivers, StateDriver

STATES = {"Ready": "ready", "Retry": "retry", "Rejected": "rejected", "Pending": "ready"}
ASKING = {
    "set_answers",
    "set_answer_after",
    "set_trouble",
    "fail_answers",
    "has_asked_nothing",
    "has_asked_about",
}
RECORDS = {name: one for name, one in inventory().items() if one.profile.name == "CHECK-CONTROLLER"}


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
    found = [
        one for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
    ]
    return [one for one in found if isinstance(one.func.value, ast.Name) and one.func.value.id == "subject"]


def states(argument, record):
    """Return the states that an argument can be: a word, or a dimension of the cases."""
    for one in ast.walk(argument):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
        if isinstance(one, ast.Name):
            yield from (case[one.id] for case in record.cases.parameters() if one.id in case)


def due(record):
    """Return the drivers that a scenario cannot do without."""
    for call in calls(functions()[record.id]):
        word = call.func.attr
        if word in ASKING or any(one.arg == "check" for one in call.keywords if word == "set_answer"):
            yield ASKS
        if word in ("set_answer", "set_answer_with_text"):
            yield from (STATES.get(one, ASKS) for one in states(call.args[0], record))
            yield from (one.arg for one in call.keywords if one.arg in DETAILS)
        if word == "set_answer_with_text":
            yield "message"
        if word == "set_retry_answer":
            yield from ("retry", "requeueAfterSeconds")


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_every_driver_that_a_scenario_needs_is_declared(record):
    needed, declared = set(due(record)) - {"ready"}, set(record.required_drivers)

    assert ASKS in declared or needed <= declared


def test_a_capability_brings_its_driver():
    assert RECORDS["CHK-025"].required_drivers == ("retry",)
    assert RECORDS["CHK-025"].to_dict()["needsDrivers"] == ["retry"]


class Mute:
    """A driver that passes nothing on."""

    tells = frozenset()

    def leaves(self, decision):
        return frozenset({"label verdict"})


LABELLED = Drivers({"ready": StateDriver(driver=Mute()), "retry": StateDriver(driver=Mute())})


@pytest.mark.parametrize(
    ("drivers", "wanted", "lacking"),
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
            Drivers({"ready": StateDriver(driver=Mute(), stays=True)}),
            ["pending"],
            "pending",
            id="what cannot be undone",
        ),
    ],
)
def test_what_the_drivers_lack_is_named(drivers, wanted, lacking):
    assert drivers.lacks(wanted) == lacking
