"""The reference does what a real Kueue was seen to do: conditions, entries, events, Jobs, queues after each step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.bench import Bench
from kueue_conformance.budget import Budgets
from kueue_conformance.control_planes.reference import Reference
from kueue_conformance.dialect import known
from kueue_conformance.wire.client import Client

from .replay import differences

FOLDER = Path(__file__).parents[3] / "fixtures" / "recordings"
CASES = {file.stem: file for file in sorted((FOLDER / "kueue-v0.19.2").glob("*.yaml"))}


@pytest.fixture(scope="module")
def backend() -> Iterator[FakeBackend]:
    made = FakeBackend()
    yield made
    made.close()


@pytest.fixture
def bench(backend: FakeBackend) -> Iterator[Bench]:
    dialect, reference = known()["v0.19"], Reference()
    lease = backend.lend(dialect, lambda base: reference.install(base, dialect))
    manager = reference.start(lease, dialect)
    client = Client(lease.transport, agent="recorded/1")
    yield Bench(lease, dialect, Budgets(True, 1.0), client, "recorded", lambda: None)
    manager.stop()
    lease.close()


@pytest.mark.parametrize("name", CASES)
def test_recorded(name: str, bench: Bench) -> None:
    steps = yaml.safe_load(CASES[name].read_text(encoding="utf-8"))["steps"]
    assert list(differences(bench, steps)) == []


@pytest.mark.parametrize("name", CASES)
def test_rows_exist(name: str) -> None:
    rows = set((FOLDER.parent / "rows.txt").read_text(encoding="utf-8").split())
    assert set(yaml.safe_load(CASES[name].read_text(encoding="utf-8"))["rows"]) <= rows


@pytest.mark.parametrize("name", CASES)
def test_provenance(name: str) -> None:
    recorded = yaml.safe_load(CASES[name].read_text(encoding="utf-8"))["recorded"]
    assert recorded == {"program": "kueue", "version": "v0.19.2", "date": "2026-11-21"}
