"""badge.json: the shields.io badge of a report, counts and not only a word (harness/H-34)."""

from __future__ import annotations

import json
from collections import Counter

from ...base.json_types import Json
from ..results.model import Report

_COLORS = {
    "success": "brightgreen",
    "partial": "yellow",
    "incomplete": "lightgrey",
    "failure": "red",
    "undetermined": "lightgrey",
}
_WORST = ("failure", "incomplete", "undetermined", "partial", "success")
_NOT_OURS = ("unsupported", "excluded", "disabled", "notrun")


def render(report: Report) -> str:
    """Return the badge of a run."""
    return text(report.to_dict())


def text(report: Json) -> str:
    """Return the badge for a report file."""
    found: Counter[str] = Counter()
    for profile in report["profiles"]:
        found.update(profile["core"]["counts"])
    results = {profile["result"] for profile in report["profiles"]}
    worst = next((one for one in _WORST if one in results), "undetermined")
    judged = sum(amount for word, amount in found.items() if word not in _NOT_OURS)
    said = [
        f"{found['passed'] + found['xpassed']} of {judged} passed",
        *(f"{found[word]} {word}" for word in _NOT_OURS if found[word]),
    ]
    badge = {
        "schemaVersion": 1,
        "label": f"kueue {' '.join(one['name'] for one in report['profiles'])}".strip(),
        "message": " · ".join([*said, *([] if report["complete"] else ["incomplete"])]),
        "color": _COLORS[worst] if report["complete"] else "lightgrey",
    }
    return json.dumps(badge, ensure_ascii=False) + "\n"
