"""All scenarios of the suites, read from the test modules without running them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from ..base import resources
from ..scenarios.capability import FAMILIES
from ..scenarios.scenario import Scenario


class Inventory(Mapping[str, Scenario]):
    """The scenarios by id, in order of their ids; a family is read when one of it is asked for first."""

    def __getitem__(self, name: str) -> Scenario:
        return _family(name.partition("-")[0])[name][0]

    def __iter__(self) -> Iterator[str]:
        return (name for family in sorted(FAMILIES) for name in _family(family))

    def __len__(self) -> int:
        return sum(len(_family(family)) for family in FAMILIES)


_INVENTORY = Inventory()


def inventory() -> Mapping[str, Scenario]:
    """Return the scenarios by id, in order of their ids.

    Reading it raises ValueError when an id is used twice, or is of another family than its folder.
    """
    return _INVENTORY


def family(name: str) -> Mapping[str, Scenario]:
    """Return the scenarios of a family such as `ADM` by id, none of an unknown one."""
    return {scenario_id: record for scenario_id, (record, _) in _family(name).items()}


def module_of(scenario: Scenario) -> Path:
    """Return the test module that a scenario is in."""
    return _family(scenario.id.partition("-")[0])[scenario.id][1]


@cache
def _family(name: str) -> Mapping[str, tuple[Scenario, Path]]:
    return _read_family(name) if name in FAMILIES else {}


def _read_family(name: str) -> Mapping[str, tuple[Scenario, Path]]:
    """Return every scenario of a family with the module that it is in, by id."""
    by_id: dict[str, tuple[Scenario, Path]] = {}
    for file in sorted((resources.suites() / FAMILIES[name].folder).rglob("test_*.py")):
        for record in _records(_load(file)):
            if record.id in by_id:
                raise ValueError(f"scenario id {record.id} is used twice, the second time in {file.name}")
            if record.id.partition("-")[0] != name:
                raise ValueError(f"scenario {record.id} is in {file.name}, in the folder of {name}")
            by_id[record.id] = record, file
    return dict(sorted(by_id.items()))


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
