"""Bounds read whole: both ends and the unit, in what was expected and in what was observed."""

import ast
import re
from math import inf
from pathlib import Path

import pytest

import kueue_conformance
from kueue_conformance.base.bounds import Bound
from kueue_conformance.base.budget import Budgets
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import RULES
from kueue_conformance.rules.check_controller import client_conventions, idle_writes

ROOT = Path(kueue_conformance.__file__).parent
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        pytest.param(Bound("bytes", 1, 1024), "1 to 1024 bytes", id="both ends"),
        pytest.param(Bound("tries", most=5), "at most 5 tries", id="upper end"),
        pytest.param(Bound("s", least=0.9), "at least 0.9 s", id="lower end"),
        pytest.param(Bound("attempts", 2, inf), "at least 2 attempts", id="no upper end"),
    ],
)
def test_a_bound_says_both_ends_and_its_unit(bound, text):
    assert str(bound) == text


def test_an_amount_has_the_unit_of_its_bound():
    bound = Bound("bytes", 1, 1024)

    assert [(bound.holds(amount), bound.describe(amount)) for amount in (0, 1, 1024, 1025)] == [
        (False, "0 bytes"),
        (True, "1 byte"),
        (True, "1024 bytes"),
        (False, "1025 bytes"),
    ]


def amounts_without_bound():
    """Yield each fact of the stage that compares an amount by itself."""
    for file in sorted((ROOT / "stage").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            if ast.unparse(node.func) not in ("Fact", "Premise", "statement"):
                continue
            comparisons = [part for part in ast.walk(node.args[0]) if isinstance(part, ast.Compare)]
            if any(isinstance(operator, ORDER) for part in comparisons for operator in part.ops):
                yield f"{file.relative_to(ROOT / 'stage')}: {ast.unparse(node.args[0])}"


EXCEPTED = {
    "workloads/job.py: expected.items() <= observed.items()",
    "integration/job.py: expected.items() <= observed.items()",
    "requests/pod_template.py: labels.items() <= observed.items()",
    "subject/faults.py: len(hits) >= times",
    "workloads/check_entries.py: int(first) <= moment(transition_time) <= last",
}
"""Comparisons of sets, and those whose texts say both ends and the unit in words of their own."""


def test_every_fact_about_an_amount_has_a_bound():
    assert {*amounts_without_bound()} == EXCEPTED


def clauses():
    """Return the text of every clause of the catalogue, and of every safety rule, by id."""
    texts = {
        f"{name}.{key}": text
        for name, scenario in inventory().items()
        for key, text in scenario.clauses.items()
    }
    return texts | {rule.id: rule.text for rule in RULES}


VAGUE = re.compile(
    r"(?<!as )\b(?:soon|promptly|quickly|shortly|immediately|long after|a while|a few)\b"
    r"|\bin time\b|\bnot (?:too )?long\b"
)
"""Words that stand for an amount which the scenario compares with a number."""
NAMED_BUDGET = re.compile(r"(\S+ s(?: on virtual time, \S+ s in real time)?) \(budget '(\w+)'\)")


def test_no_clause_has_a_bound_without_its_number():
    assert {name: text for name, text in clauses().items() if VAGUE.search(text)} == {}


def test_a_clause_with_a_budget_says_its_seconds():
    virtual, wall = Budgets(virtual=True), Budgets(virtual=False)
    named = {name: text for name, text in clauses().items() if "budget" in text}
    seconds = {
        name: {
            f"{virtual.seconds(budget):g} s"
            if virtual.seconds(budget) == wall.seconds(budget)
            else f"{virtual.seconds(budget):g} s on virtual time, {wall.seconds(budget):g} s in real time"
            for _, budget in NAMED_BUDGET.findall(text)
        }
        for name, text in named.items()
    }

    assert seconds["CHK-160.a"] == {"600 s on virtual time, 240 s in real time"}
    assert {name: {amount for amount, _ in NAMED_BUDGET.findall(text)} for name, text in named.items()} == (
        seconds
    )


def numbers_of_rules():
    """Yield the constants of rules about check controllers that are plain numbers."""
    for file in sorted((ROOT / "rules/check_controller").glob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            is_number = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            if is_number and isinstance(node.value.value, int | float):
                yield f"{file.name}: {ast.unparse(node.targets[0])}"


def test_rules_compare_with_bounds():
    # The slack grows with the machine and the clocks, and the text says how far it reached.
    assert [*numbers_of_rules()] == ["writing.py: _CLOCK_SLACK"]


@pytest.mark.parametrize(
    ("rule", "bound"),
    [
        ("CC-036", "1 to 1024 bytes"),
        ("CC-043", str(idle_writes._CHANCE)),
        ("CC-055", "at least 10 s"),
        ("CC-066", "at most 5 s"),
        ("CC-074", str(idle_writes._NO_LOOP)),
        ("CC-080", str(client_conventions._EVENTS)),
        ("F-07.2", str(client_conventions._LISTS)),
    ],
)
def test_the_wording_of_a_rule_has_its_bound(rule, bound):
    assert bound in next(row.text for row in RULES if row.id == rule)
