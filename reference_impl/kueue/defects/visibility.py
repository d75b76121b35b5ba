"""Defects of the visibility server."""

from __future__ import annotations

from typing import Final

from ..visibility.rules import LEVEL, MISSING_LEVEL
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "VIS-612",
        "the FlowSchema for visibility names a priority level that is not shipped, and is without effect",
        fixed_in=(),
        report=(),
        member="visibility.priority_level",
        observed=MISSING_LEVEL,
        corrected=LEVEL,
    ),
)
