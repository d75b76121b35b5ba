"""One run of the scenarios and of the unit tests under coverage.py,
with a context for each case; kept beside the session.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator
from dataclasses import asdict
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage, CoverageData

from kueue_conformance.run.parametrization import dialect_of
from kueue_conformance.session.fixtures import scenario_of

from .executing import Case
from .mutants import REFERENCE
from .planting import WARM
from .running import UNIT_OPTIONS, Session, collect
from .worlds import in_both, world_of

CASES, UNITS = "cases", "units"
Run = Callable[[Coverage, int, int, str], tuple[list[Case], list[str]]]


def record(folder: Path, processes: int, dialect: str) -> None:
    """Run every case with coverage.py and keep what it says. Raises RuntimeError when a case does not pass:
    nothing could be told from it.
    """
    _record(folder, CASES, processes, _run_cases, dialect)
    _record(folder, UNITS, processes, _run_units, "")


def _record(folder: Path, name: str, processes: int, run: Run, dialect: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with get_context("spawn").Pool(processes) as pool:
        shares = [(folder, name, number, processes, run, dialect) for number in range(processes)]
        starmap = pool.starmap(_share, shares, chunksize=1)
    coverage_data = CoverageData(str(folder / f"coverage.{name}"))
    coverage_data.erase()
    for number in range(processes):
        process_data = CoverageData(str(folder / f"coverage.{name}.{number}"))
        process_data.read()
        coverage_data.update(process_data)
        process_data.erase()
    coverage_data.write()
    lines: dict[str, int] = {}
    for file in coverage_data.measured_files():
        for nodes in coverage_data.contexts_by_lineno(file).values():
            for node in nodes:
                lines[node] = lines.get(node, 0) + 1
    ran = [{**item, "lines": lines.get(item["node"], 0)} for piece in starmap for item in piece]
    (folder / f"{name}.json").write_text(json.dumps(ran))


def _share(folder: Path, name: str, number: int, of: int, run: Run, dialect: str) -> list[dict[str, Any]]:
    data = folder / f"coverage.{name}.{number}"
    data.unlink(missing_ok=True)
    cov = Coverage(data_file=str(data), source=[str(REFERENCE)], config_file=False, messages=False)
    with _Silence(folder / f"recording.{name}.{number}.log"):
        cov.start()
        for module in WARM:  # what is executed by an import alone belongs to no case
            import_module(module)
        try:
            ran, failed = run(cov, number, of, dialect)
        finally:
            cov.stop()
            cov.save()
    if failed:
        raise RuntimeError(f"the reference fails {', '.join(failed)}")
    return [asdict(item) for item in ran]


def _run_cases(cov: Coverage, number: int, of: int, dialect: str) -> tuple[list[Case], list[str]]:
    ran, failed = [], []

    def loop(session: Session, items: dict[str, Any]) -> None:
        for index, (node, item) in enumerate(in_both(items).items()):
            if index % of != number:
                continue
            cov.switch_context(node)
            with world_of(node):
                fails = bool(session.run(item))
            if not fails:
                ran.append(_case(node, item, session.seconds))
            elif node in items:  # without its defects the reference may do what a scenario does not permit
                failed.append(node)
        cov.switch_context("")

    collect(loop, dialect)
    return ran, failed


def _case(node: str, item: Any, seconds: float) -> Case:
    scenario = scenario_of(item)
    return Case(
        node=node,
        scenario=scenario.id,
        level=str(scenario.level),
        dialect=dialect_of(item),
        seconds=round(seconds, 3),
        lines=0,
    )


def _run_units(cov: Coverage, number: int, of: int, dialect: str) -> tuple[list[Case], list[str]]:
    del dialect
    files = sorted((REFERENCE / "tests").rglob("test_*.py"))[number::of]
    units = _Units(cov)
    pytest.main([*UNIT_OPTIONS, *map(str, files)], plugins=[units])
    return list(units.ran.values()), units.failed


class _Units:
    """A plugin: gives each unit test a context of its own."""

    def __init__(self, cov: Coverage) -> None:
        self._cov = cov
        self.ran: dict[str, Case] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._cov.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._cov.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file, _, _ = report.nodeid.partition("::")
        before = self.ran[report.nodeid].seconds if report.nodeid in self.ran else 0.0
        seconds = round(before + report.duration, 3)
        self.ran[report.nodeid] = Case(
            node=report.nodeid, scenario=file, level="unit", dialect="", seconds=seconds, lines=0
        )
        if report.failed:
            self.failed.append(report.nodeid)


class _Silence:
    """Sends what a process prints to a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> None:
        self._opened = self._file.open("w")
        self._kept = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = self._opened

    def __exit__(self, *_: object) -> None:
        sys.stdout, sys.stderr = self._kept
        self._opened.close()
