"""Hints of an installed wheel name no command that only a checkout has."""

import ast
import re

import pytest

from kueue_conformance.base import resources
from kueue_conformance.programs import remedies

_OURS = re.compile(r"\bmake [a-z]|fixtures/|\.sh\b|examples/check_controllers")
_NOT_SHOWN = {
    "programs/remedies.py",
    "vectors/__main__.py",
    "resources.py",
    "cli/report_command.py",
    "report/afterwards/known_differences.py",
}
"""The table itself, the program that writes fixtures, where data lies, and what writes or reads the project's
own page of differences.
"""
PACKAGE = resources.PACKAGE


def test_a_wheel_names_nothing_of_a_checkout(monkeypatch):
    monkeypatch.setattr(resources, "in_checkout", lambda: False)

    assert [of for of in remedies._REMEDIES if _OURS.search(remedies.remedy(of))] == []


@pytest.mark.parametrize("of", sorted(remedies._REMEDIES))
def test_both_say_something(of):
    assert all(remedies._REMEDIES[of])


def texts(file):
    """Return the texts of a module that are no docstrings."""
    tree = ast.parse(file.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def test_no_other_module_names_them():
    texts_by_module = {}
    for file in PACKAGE.rglob("*.py"):
        name = file.relative_to(PACKAGE).as_posix()
        if "tests/" not in name and name not in _NOT_SHOWN:
            texts_by_module[name] = [
                text
                for text in texts(file)
                if re.search(
                    r"`make [a-z]|make (oracle|kind-image|recordings)|fixtures/|start\.sh|see examples/", text
                )
            ]

    assert {name: means for name, means in texts_by_module.items() if means} == {}
