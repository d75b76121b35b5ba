"""The worlds in which a case judges the reference: as the release is, and without its defects (design.md §8),
as what replaces a defect decides nothing in a release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from unittest.mock import patch

import pytest

from kueue_conformance.run.parametrization import dialect_of
from kueue_conformance.scenarios.scenario import Scenario
from kueue_conformance.session.fixtures import scenario_of

from .executing import NEWEST

WITHOUT = " without defects"
"""What the id of a case ends with that judges the reference without its defects."""


def in_both(items: Mapping[str, pytest.Item]) -> dict[str, pytest.Item]:
    """Return the cases by their id, those of scenarios that show or permit a defect twice.

    The reference is imported here: what an import executes is recorded as well (`recording`).
    """
    ids = {defect.id for defect in import_module("reference_impl.kueue.defects").DEFECTS}
    corrected = {
        f"{node}{WITHOUT}": item
        for node, item in items.items()
        if dialect_of(item) == NEWEST and not ids.isdisjoint(_rows(scenario_of(item)))
    }
    return {**items, **corrected}


def _rows(scenario: Scenario) -> set[str]:
    """Return the rows that a scenario shows or permits; none of a recorded story, which has the defects."""
    return set() if scenario.profile.name == "KUEUE-RECORDED" else {*scenario.shows, *scenario.permits}


@contextmanager
def world_of(node: str) -> Iterator[None]:
    """Have control planes that start meanwhile decide as the case wants, by the current modules."""
    if not node.endswith(WITHOUT):
        yield
        return
    composition, defects = (
        import_module(f"reference_impl.kueue.{name}") for name in ("composition", "defects")
    )
    right = composition.dialect_of
    with patch.object(composition, "dialect_of", lambda config: defects.without(right(config))):
        yield
