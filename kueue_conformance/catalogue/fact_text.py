"""A row of the fact pages as text: the fact, its corrections, and the modules that cite it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from .facts import Fact, known, places
from .uncited import reason

_PACKAGES = ("fakecluster", "kueue_conformance", "reference_impl")
_WIDTH = 130
_MARKS = re.compile(r"\*\*|`")


def told(fact: Fact) -> str:
    """Return a fact as the lines of `explain`."""
    lines = [f"{fact.id}  {fact.page}.md, {fact.section}", *_cells(fact)]
    for name in fact.corrected:
        over = known()[name]
        lines += [
            f"  corrected by {over.id} ({over.page}.md), which stands over it:",
            *(f"  {line}" for line in _cells(over)),
        ]
    where = [place for package in _PACKAGES for place in _places(fact.id, package)]
    lines += [f"  code      {place}" for place in where]
    if not where and (apart := reason(fact)):
        lines.append(f"  apart     {apart['kind']}: {apart['why']}")
    return "\n".join(lines)


def _cells(fact: Fact) -> Iterator[str]:
    for head, cell in fact.cells.items():
        plain = _MARKS.sub("", f"{head}: {cell}").replace("\\|", "|")
        yield from textwrap.wrap(plain, _WIDTH, initial_indent="  ", subsequent_indent="    ")


def _places(name: str, package: str) -> Iterator[str]:
    found = find_spec(package)
    for folder in (found.submodule_search_locations or ()) if found else ():
        yield from places(name, Path(folder))
