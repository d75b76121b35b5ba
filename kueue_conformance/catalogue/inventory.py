"""All scenarios of the suites, read from the test modules without running them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from ..base import resources
from ..scenarios.scenario import Scenario


@cache
def find_scenarios() -> Mapping[str, tuple[Scenario, Path]]:
    """Return every scenario with the module that it is in, by id.

    Raises ValueError when an id is used twice.
    """
    by_id: dict[str, tuple[Scenario, Path]] = {}
    for file in sorted(resources.suites().rglob("test_*.py")):
        for record in _records(_load(file)):
            if record.id in by_id:
                raise ValueError(f"scenario id {record.id} is used twice, the second time in {file.name}")
            by_id[record.id] = record, file
    return dict(sorted(by_id.items()))


@cache
def inventory() -> Mapping[str, Scenario]:
    """Return the scenarios by id, in order of their ids."""
    return {name: record for name, (record, _) in find_scenarios().items()}


def module_of(scenario: Scenario) -> Path:
    """Return the test module that a scenario is in."""
    return find_scenarios()[scenario.id][1]


def _load(file: Path) -> ModuleType:
    name = "kueue_conformance_inventory." + ".".join(
        file.relative_to(resources.suites()).with_suffix("").parts
    )
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _records(module: ModuleType) -> list[Scenario]:
    marks = [
        mark
        for member in vars(module).values()
        for mark in getattr(member, "pytestmark", ())
        if mark.name == "scenario"
    ]
    return [mark.args[0] for mark in marks]
