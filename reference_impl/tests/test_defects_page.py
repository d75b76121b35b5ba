"""docs/upstream.md lists every defect of the release, with its fix and its report."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from reference_impl.kueue.defects import DEFECTS, Defect

PAGE: Final = Path(__file__).parents[2] / "docs/upstream.md"
HEAD: Final = "| defect | what happens | fixed in | reported |"


def row_of(defect: Defect) -> str:
    fixes = ", ".join(f"v{version}" for version in defect.fixed_in) or "open"
    reports = ", ".join(f"#{number}" for number in defect.report) or "not reported"
    return f"| {defect.id} | {defect.finding} | {fixes} | {reports} |"


def test_page_has_a_row_for_each_defect() -> None:
    _, _, table = PAGE.read_text("utf-8").partition(HEAD)
    rows = table.partition("\n\n")[0].splitlines()[2:]

    assert rows == [row_of(defect) for defect in DEFECTS]


@pytest.mark.parametrize("defect", DEFECTS, ids=[defect.id for defect in DEFECTS])
def test_what_is_fixed_is_reported(defect: Defect) -> None:
    """A release that fixed it has a change, whose number is known."""
    assert not defect.fixed_in or defect.report


def test_ids_are_unique() -> None:
    assert len({defect.id for defect in DEFECTS}) == len(DEFECTS)
