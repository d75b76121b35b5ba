"""Parametrization of scenarios for pytest: cases by dialect and dimensions, and the selected ones."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ..base import resources
from ..base.errors import unknown
from ..catalogue.inventory import inventory
from ..options import Settings
from ..scenarios.cases import Cases, case_id
from ..scenarios.dialect import Dialect
from ..scenarios.scenario import Scenario

Item = TypeVar("Item", bound=pytest.Item)
TURN, TURN_MARK = "kueue_turn", "~"
"""The dimension of a case that is run several times, and the character before its number in the id."""


def cases_of(scenario: Scenario, settings: Settings) -> tuple[list[str], list[tuple[Any, ...]], list[str]]:
    """Return names, rows and ids for a parametrization:
    every selected dialect in which the rule holds × its cases.

    With several dialects the newest has all cases; `--cases` says how many the others have.
    """
    # pytest makes an item with empty parameters when this list is empty; `choose` drops that item
    # later.
    dialects = [dialect for dialect in settings.dialects if scenario.holds_in(dialect)]
    # The selection comes before the sharing out: a case that was asked for by name must not go to
    # another dialect.
    every = scenario.match_cases(settings.select)
    newest = max(dialects, key=lambda dialect: dialect.order, default=None)
    dialects = [
        dialect for dialect in dialects if dialect is newest or dialect.is_about(scenario.requirement)
    ]
    cases = _served_by_dialect(every, dialects, settings.cases)
    names = ["kueue_dialect", *every.names]
    rows = [(dialect, *row) for dialect, dialect_cases in cases.items() for row in dialect_cases.rows]
    ids = _unique(
        [
            _id(dialect, parameters)
            for dialect, dialect_cases in cases.items()
            for parameters in dialect_cases.parameters()
        ]
    )
    # Without --repeat the ids stay as they were: reports of two runs are compared by id.
    if settings.repeat == 1:
        return names, rows, ids
    turns = range(1, settings.repeat + 1)
    return (
        [*names, TURN],
        # The turns of a case stand next to each other, so that a flake shows without a search
        # through the run.
        [(*row, turn) for row in rows for turn in turns],
        [f"{case_id}{TURN_MARK}{turn}" for case_id in ids for turn in turns],
    )


def _served_by_dialect(every: Cases, dialects: Sequence[Dialect], share: str) -> Mapping[Dialect, Cases]:
    """Return the cases of each dialect: those in an API version are shared among the dialects that serve it
    (KV-31).
    """
    by_dialect: dict[Dialect, Cases] = {}
    for version, spoken in every.by_api_version().items():
        serving = [dialect for dialect in dialects if dialect.serves(version)]
        for dialect, cases in _by_dialect(spoken, serving, share).items():
            others = by_dialect.get(dialect)
            by_dialect[dialect] = cases if others is None else others.besides(cases)
    return {dialect: by_dialect[dialect] for dialect in dialects if dialect in by_dialect}


def _by_dialect(every: Cases, dialects: Sequence[Dialect], share: str) -> Mapping[Dialect, Cases]:
    if not dialects:
        return {}
    newest = max(dialects, key=lambda dialect: dialect.order)
    older = [dialect for dialect in dialects if dialect is not newest]
    if share == "shared":
        few = every.deal(len(older))
    else:
        # An older dialect has each value of a dimension and not their product, which would
        # multiply the run by the dialects.
        few = [every if share == "all" else every.of_each_value()] * len(older)
    cases_of_older = dict(zip(older, few, strict=True))
    return {dialect: cases_of_older.get(dialect, every) for dialect in dialects}


def _id(dialect: Dialect, parameters: Any) -> str:
    return f"{dialect.name}-{case_id(parameters)}" if parameters else dialect.name


def _unique(ids: Sequence[str]) -> list[str]:
    """Number ids that stand several times, as pytest does where it is not strict: `hangs0`, `hangs1`."""
    # Here, so that a case has the same id whether the project that runs the suites is strict or not.
    repeated = {text for text, count in Counter(ids).items() if count > 1}
    numbers = {text: itertools.count() for text in repeated}
    return [
        f"{text}{'_' if text[-1].isdigit() else ''}{next(numbers[text])}" if text in repeated else text
        for text in ids
    ]


def check_is_known(scenario: Scenario, file: Path) -> None:
    """Refuse a scenario that is not in the inventory. Raises CollectError with the nearest id."""
    # A file of the suites is in the inventory by definition, which then need not be read: that
    # loads every module of the suites.
    if file.is_relative_to(resources.suites()) or scenario.id in inventory():
        return
    problem = unknown("scenario", scenario.id, inventory())
    # pytest prints the text of a CollectError without a traceback.
    raise pytest.Collector.CollectError(
        f"error: {file.name}: {problem}\n"
        "  a test of your own needs no @scenario, its fixtures are enough; a new scenario is a file in suites/ (CONTRIBUTING.md)"
    )


def choose(items: Sequence[Item], settings: Settings) -> tuple[list[Item], list[Item]]:
    """Split collected tests into selected and deselected ones."""
    selected: list[Item] = []
    left_out: list[Item] = []
    for item in items:
        marker = item.get_closest_marker("scenario")
        is_wanted = marker is None or _is_wanted(marker.args[0], settings)
        empty = marker is not None and _has_no_case(item)
        (selected if is_wanted and not empty else left_out).append(item)
    return selected, left_out


def by_dialect(items: Sequence[Item]) -> list[Item]:
    """Sort tests by dialect: clusters that a worker prepares for a dialect serve all of its cases."""
    # Dialects keep the order of their first case, and the sort is stable: within one the order of
    # collection stays.
    order = {name: at for at, name in enumerate(dict.fromkeys(map(dialect_of, items)))}
    several = len(order.keys() - {""}) > 1
    # With one dialect nothing is sorted: the order of pytest, which other plugins may have
    # changed, stays.
    return sorted(items, key=lambda item: order[dialect_of(item)]) if several else list(items)


def dialect_of(item: pytest.Item) -> str:
    """Return the name of a case's dialect, empty where it has none."""
    dialect = spoken_dialect(item)
    return dialect.name if dialect is not None else ""


def spoken_dialect(item: pytest.Item) -> Dialect | None:
    """Return a case's dialect, None where it has none."""
    # pytest gives `callspec` to parametrized functions only; a DoctestItem and a plain function
    # have none.
    case = getattr(item, "callspec", None)
    dialect = case.params.get("kueue_dialect") if case else None
    return dialect if isinstance(dialect, Dialect) else None


def _has_no_case(item: pytest.Item) -> bool:
    """Tell whether a test stands for an empty parametrization: its rule holds in none of the dialects."""
    case = getattr(item, "callspec", None)
    parameters = {} if case is None else case.params
    # pytest fills the parameters of an empty set with its own NOTSET object.
    return "kueue_dialect" in parameters and not isinstance(parameters["kueue_dialect"], Dialect)


def _is_wanted(scenario: Scenario, settings: Settings) -> bool:
    if scenario.profile.name not in settings.profiles:
        return False
    if scenario.level not in settings.levels:
        return False
    return scenario.matches(settings.select) if settings.select else not scenario.large
