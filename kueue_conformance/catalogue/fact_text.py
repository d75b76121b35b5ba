"""A row of the fact pages as text: the fact, its corrections, and the modules that cite it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from ..base.resources import facts
from .facts import Fact, facts_by_name, places

# Rows of the fact pages without a scenario, rule or implementation, and why (docs/facts/apart.yaml).
KINDS = frozenset({"elsewhere", "not ours", "method", "history", "tests", "open"})


@cache
def reasons() -> tuple[Mapping[str, Any], ...]:
    """Return the table: page, rows or the beginning of a section's heading, kind and reason."""
    return tuple(yaml.safe_load((facts() / "apart.yaml").read_text("utf-8")))


def reason(fact: Fact) -> Mapping[str, Any] | None:
    """Return why a row is cited nowhere; None for a row that must be cited.

    An entry for the row precedes one for its section.
    """
    of_page = [entry for entry in reasons() if entry["page"] == fact.page]
    by_row = [entry for entry in of_page if fact.id in entry.get("rows", "").split()]
    by_section = [
        entry for entry in of_page if "section" in entry and fact.section.startswith(entry["section"])
    ]
    return next(iter([*by_row, *by_section]), None)


_PACKAGES = ("fakecluster", "kueue_conformance", "reference_impl")
_WIDTH = 130
_MARKS = re.compile(r"\*\*|`")


def describe(fact: Fact) -> str:
    """Return a fact as the lines of `explain`."""
    lines = [f"{fact.id}  {fact.page}.md, {fact.section}", *_cells(fact)]
    for name in fact.corrected:
        over = facts_by_name()[name]
        lines += [
            f"  corrected by {over.id} ({over.page}.md), which stands over it:",
            *(f"  {line}" for line in _cells(over)),
        ]
    where = [position for package in _PACKAGES for position in _places(fact.id, package)]
    lines += [f"  code      {position}" for position in where]
    if not where and (apart := reason(fact)):
        lines.append(f"  apart     {apart['kind']}: {apart['why']}")
    return "\n".join(lines)


def _cells(fact: Fact) -> Iterator[str]:
    for head, cell in fact.cells.items():
        plain = _MARKS.sub("", f"{head}: {cell}").replace("\\|", "|")
        yield from textwrap.wrap(plain, _WIDTH, initial_indent="  ", subsequent_indent="    ")


def _places(name: str, package: str) -> Iterator[str]:
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        yield from places(name, Path(folder))
