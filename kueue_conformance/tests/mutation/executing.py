"""Which cases and unit tests execute a line of the reference:
what coverage.py says of one run of them (`recording`).
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from coverage import CoverageData

from .mutants import REFERENCE, ROOT, Mutant, path_of
from .planting import imports

NEWEST = "v0.19"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case: its node id, what it belongs to,
    how long it took and how many lines of the reference it executed.

    A unit test is one as well: its level is `unit`, and its file is what it belongs to.
    """

    node: str
    scenario: str
    level: str
    dialect: str
    seconds: float
    lines: int


class Executed:
    """What is known of a run, of `cases` or of `units`:
    its cases by node id, and which of them execute a line.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._file = folder / f"coverage.{name}"
        self._contexts: dict[str, dict[int, list[str]]] = {}
        self._ways: dict[str, dict[str, frozenset[int]]] = {}
        known_names = json.loads((folder / f"{name}.json").read_text())
        self.cases = {case["node"]: Case(**case) for case in known_names}

    @cached_property
    def _data(self) -> CoverageData:
        data = CoverageData(str(self._file))
        data.read()
        return data

    def _lines(self, module: str) -> dict[int, list[str]]:
        """Return the node ids of the cases that execute each line of a module."""
        if module not in self._contexts:
            self._contexts[module] = self._data.contexts_by_lineno(str(path_of(module)))
        return self._contexts[module]

    def executing(self, mutant: Mutant) -> list[Case]:
        """Return the cases that execute a mutant's statement, in the order in which they are tried.

        What is executed at import only, such as a constant, is used by the
        cases that execute the lines that name it: the body of its function
        where it is a default, all of its module where nothing else is known.
        """
        lines, position = self._lines(mutant.module), Place.of(mutant)
        nodes = _of(lines, position.statement) or _of(lines, position.function)
        if not nodes and (not position.function or self.at_import(mutant)):
            named = self._naming(position.name) if position.name and not position.function else set()
            nodes = named or _of(lines, lines) or self._importing(mutant.module)
        return in_turn(
            (self.cases[node] for node in nodes if node in self.cases), self._ways_through(mutant.module)
        )

    def _ways_through(self, module: str) -> dict[str, frozenset[int]]:
        """Return which lines of a module each case executes."""
        if module not in self._ways:
            result = defaultdict[str, set[int]](set)
            for number, nodes in self._lines(module).items():
                for node in nodes:
                    result[node].add(number)
            self._ways[module] = defaultdict(
                frozenset, {node: frozenset(lines) for node, lines in result.items()}
            )
        return self._ways[module]

    def testing(self, mutant: Mutant) -> list[Case]:
        """Return the unit tests of a mutant: those in files that import its module or bear its name first,
        then those of its package, then others that execute it; of each the quick ones first.

        What an import makes of a module, such as a table, is looked at by tests that execute nothing of it.
        """
        package = f"reference_impl/tests/{mutant.module.split('.')[2]}/"
        naming = _naming_files(mutant.module)
        executing = self.executing(mutant)
        nodes = {case.node for case in executing}
        if self.at_import(mutant):
            executing += [
                case for case in self.cases.values() if case.scenario in naming and case.node not in nodes
            ]
        return sorted(
            executing,
            key=lambda item: (
                item.scenario not in naming,
                not item.scenario.startswith(package),
                item.seconds,
            ),
        )

    def at_import(self, mutant: Mutant) -> bool:
        """Tell whether a mutant's statement is executed
        outside of all cases as well, such as by an import.
        """
        lines = self._lines(mutant.module)
        return any("" in lines.get(number, ()) for number in Place.of(mutant).statement)

    def _importing(self, module: str) -> set[str]:
        """Return the node ids of the cases that execute a module which imports this one: tables have no line
        of their own that a case executes.
        """
        needing = [name for name, needs in imports().items() if module in needs]
        return {node for item in needing for node in _of(self._lines(item), self._lines(item))}

    def _naming(self, name: str) -> set[str]:
        word, nodes = re.compile(rf"\b{name}\b"), set[str]()
        for module, text in _texts().items():
            if not word.search(text):
                continue
            naming = [number for number, line in enumerate(text.splitlines(), 1) if word.search(line)]
            nodes |= _of(self._lines(module), naming)
        return nodes


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mutant is: the lines of its statement, those of the function around it (none outside of one),
    the name that is assigned.
    """

    statement: range
    function: range
    name: str

    @classmethod
    def of(cls, mutant: Mutant) -> Place:
        """Read the right source."""
        line = mutant.start[0]
        statement, function, name = range(line, mutant.end[0] + 1), range(0), ""
        for node in _statements(mutant.module):
            if line in _lines_of(node):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    function = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
                if line in (head := _head(node)):
                    statement = head
                targets = getattr(node, "targets", [getattr(node, "target", None)])
                name = targets[0].id if isinstance(targets[0], ast.Name) else name
        return cls(statement, function, name)


@cache
def _statements(module: str) -> tuple[ast.stmt, ...]:
    tree = ast.parse(path_of(module).read_text("utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.stmt))


@cache
def _naming_files(module: str) -> frozenset[str]:
    """Return the files of unit tests that import a module, and the one that bears its name."""
    package, _, last = module.rpartition(".")
    importing = re.compile(rf"{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{last}\b")
    tests = ROOT / "reference_impl/tests"
    named = tests.joinpath(*package.split(".")[2:], f"test_{last}.py")
    return frozenset(
        str(path.relative_to(ROOT))
        for path in tests.rglob("test_*.py")
        if path == named or importing.search(path.read_text("utf-8"))
    )


@cache
def _texts() -> dict[str, str]:
    """Return the sources of the reference by module."""
    files = [
        path for path in sorted(REFERENCE.rglob("*.py")) if "tests" not in path.relative_to(REFERENCE).parts
    ]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts): file.read_text("utf-8") for file in files}


def _lines_of(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _head(node: ast.stmt) -> range:
    """Return the lines of a statement without its body."""
    body = getattr(node, "body", None)
    return range(node.lineno, max(body[0].lineno, node.lineno + 1)) if body else _lines_of(node)


def in_turn(cases: Iterable[Case], ways: Mapping[str, frozenset[int]]) -> list[Case]:
    """Return one case of each way through the module, and one of each file in each dialect, then one more of
    each, and so on.

    What goes through other lines may see what none of those before it does. First of a turn are those that
    execute most of the module (`ways`, its lines by node id): what asks for more of a decision sees more of
    it. What executes it by the way, as every case that makes a queue does, comes last.
    """
    turn, ranked = Counter[object](), []
    for case in sorted(
        cases, key=lambda item: (item.dialect != NEWEST, -len(ways[item.node]), item.lines, item.node)
    ):
        file, _, _ = case.node.partition("::")
        places = (file, case.dialect), ways[case.node]
        ranked.append(
            (min(turn[position] for position in places), -len(ways[case.node]), case.lines, case.node, case)
        )
        turn.update(places)
    return [item for *_, item in sorted(ranked, key=lambda item: item[:4])]


def _of(lines: dict[int, list[str]], numbers: Iterable[int]) -> set[str]:
    return {node for number in numbers for node in lines.get(number, ()) if node}
