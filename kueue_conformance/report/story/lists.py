"""The lists of pending Workloads that a case read, as tables:
the position of each Workload at which revision (KEP-168-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...history.pending_lists import ListAnswer

_COLUMNS = 8


def tables(looks: Sequence[ListAnswer], columns: int = _COLUMNS) -> list[dict[str, Any]]:
    """Return for each question a table as plain data:
    a row for each Workload, a column for each of the newest answers.
    """
    asked = dict.fromkeys(one.asked for one in looks)
    return [_table(name, [one for one in looks if one.asked == name][-columns:]) for name in asked]


def _table(asked: str, looks: Sequence[ListAnswer]) -> dict[str, Any]:
    answers = [dict(one.places) for one in looks]
    workloads = dict.fromkeys(name for one in reversed(answers) for name in one)
    return {
        "asked": asked,
        "revisions": [one.revision for one in looks],
        "refusals": [one.refusal for one in looks],
        "rows": [{"workload": name, "places": [one.get(name, "") for one in answers]} for name in workloads],
    }
