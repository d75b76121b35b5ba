"""Rows of the fact pages without a scenario, rule or implementation, and why (docs/facts/apart.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from ..base.resources import facts
from .facts import Fact

KINDS = frozenset({"elsewhere", "not ours", "method", "history", "tests", "open"})


@cache
def reasons() -> tuple[Mapping[str, Any], ...]:
    """Return the table: page, rows or the beginning of a section's heading, kind and reason."""
    return tuple(yaml.safe_load((facts() / "apart.yaml").read_text("utf-8")))


def reason(fact: Fact) -> Mapping[str, Any] | None:
    """Return why a row is cited nowhere; None for a row that must be cited.

    An entry for the row precedes one for its section.
    """
    of_page = [one for one in reasons() if one["page"] == fact.page]
    by_row = [one for one in of_page if fact.id in one.get("rows", "").split()]
    by_section = [one for one in of_page if "section" in one and fact.section.startswith(one["section"])]
    return next(iter([*by_row, *by_section]), None)
