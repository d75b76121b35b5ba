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
    questions = dict.fromkeys(look.request for look in looks)
    return [_table(name, [look for look in looks if look.request == name][-columns:]) for name in questions]


def _table(question: str, looks: Sequence[ListAnswer]) -> dict[str, Any]:
    answers = [dict(look.places) for look in looks]
    workloads = dict.fromkeys(name for answer in reversed(answers) for name in answer)
    return {
        "asked": question,
        "revisions": [look.revision for look in looks],
        "refusals": [look.refusal for look in looks],
        "rows": [
            {"workload": name, "places": [answer.get(name, "") for answer in answers]} for name in workloads
        ],
    }
