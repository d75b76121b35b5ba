"""What an author does about a rule: advice by the id of a safety rule,
or the contract's own words for a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from ..base.resources import load_yaml
from .contract import contract


@cache
def advice_by_rule() -> Mapping[str, str]:
    """Return the advice for each safety rule by its id."""
    advice: Mapping[str, str] = load_yaml("advice.yaml")
    return advice


def advice_on(rows: Iterable[str]) -> Mapping[str, str]:
    """Return what to do about rows of the fact pages, those without advice left out."""
    texts = {row: advice_by_rule().get(row) or _duty(row) for row in rows}
    return {row: text for row, text in texts.items() if text}


def _duty(row: str) -> str:
    """Return what a row of the contract asks of a check controller; empty for any other row."""
    entry = contract().get(row)
    return f"See that your controller {entry.rule}." if entry else ""
