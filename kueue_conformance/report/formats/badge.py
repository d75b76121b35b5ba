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
    counts: Counter[str] = Counter()
    for profile in report["profiles"]:
        counts.update(profile["core"]["counts"])
    results = {profile["result"] for profile in report["profiles"]}
    worst = next((word for word in _WORST if word in results), "undetermined")
    judged = sum(amount for word, amount in counts.items() if word not in _NOT_OURS)
    phrases = [
        f"{counts['passed'] + counts['xpassed']} of {judged} passed",
        *(f"{counts[word]} {word}" for word in _NOT_OURS if counts[word]),
    ]
    badge = {
        "schemaVersion": 1,
        "label": f"kueue {' '.join(profile['name'] for profile in report['profiles'])}".strip(),
        "message": " · ".join([*phrases, *([] if report["complete"] else ["incomplete"])]),
        "color": _COLORS[worst] if report["complete"] else "lightgrey",
    }
    return json.dumps(badge, ensure_ascii=False) + "\n"
