"""One run of ADMISSION under coverage.py, with a context for each case; kept beside the session."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from coverage import Coverage, CoverageData

from kueue_conformance.collected import dialect_of
from kueue_conformance.public_fixtures import scenario_of

from .executing import Case
from .mutants import REFERENCE
from .planting import WARM
from .running import Session, collected


def record(folder: Path, processes: int, dialect: str) -> None:
    """Run every case with coverage.py and keep what it says. Raises RuntimeError when a case does not pass: nothing could be told from it."""
    folder.mkdir(parents=True, exist_ok=True)
    with get_context("spawn").Pool(processes) as pool:
        parts = pool.starmap(
            _record, [(folder, number, processes, dialect) for number in range(processes)], chunksize=1
        )
    whole = CoverageData(str(folder / "coverage"))
    whole.erase()
    for number in range(processes):
        part = CoverageData(str(folder / f"coverage.{number}"))
        part.read()
        whole.update(part)
        part.erase()
    whole.write()
    lines: dict[str, int] = {}
    for file in whole.measured_files():
        for nodes in whole.contexts_by_lineno(file).values():
            for node in nodes:
                lines[node] = lines.get(node, 0) + 1
    ran = [{**one, "lines": lines.get(one["node"], 0)} for part in parts for one in part]
    (folder / "cases.json").write_text(json.dumps(ran))


def _record(folder: Path, number: int, of: int, dialect: str) -> list[dict[str, Any]]:
    data = folder / f"coverage.{number}"
    data.unlink(missing_ok=True)
    cov = Coverage(data_file=str(data), source=[str(REFERENCE)], config_file=False, messages=False)
    ran, failed = [], []

    def loop(session: Session, items: dict[str, Any]) -> None:
        for place, item in enumerate(items.values()):
            if place % of != number:
                continue
            cov.switch_context(item.nodeid)
            if session.run(item):
                failed.append(item.nodeid)
            ran.append(asdict(_case(item, session.seconds)))
        cov.switch_context("")

    with _Silence(folder / f"recording.{number}.log"):
        cov.start()
        for name in WARM:  # what is executed by an import alone belongs to no case
            import_module(name)
        try:
            collected(loop, dialect)
        finally:
            cov.stop()
            cov.save()
    if failed:
        raise RuntimeError(f"the reference fails {', '.join(failed)}")
    return ran


def _case(item: Any, seconds: float) -> Case:
    scenario = scenario_of(item)
    return Case(
        node=item.nodeid,
        scenario=scenario.id,
        level=str(scenario.level),
        dialect=dialect_of(item),
        seconds=round(seconds, 3),
        lines=0,
    )


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
