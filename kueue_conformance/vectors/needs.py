"""What exchanges need of an API server that not every one has: the rows of `needs.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import yaml

from .index import folder

FILE = "needs.yaml"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _named() -> Mapping[str, tuple[str, ...]]:
    """Return what topics and single exchanges are said to need, by name; `list` is asked often."""
    found: dict[str, tuple[str, ...]] = {}
    for row in yaml.load((folder().parent / FILE).read_text("utf-8"), Loader=_LOADER):  # noqa: S506 - a safe one
        for name in row["exchanges"]:
            found[name] = (*found.get(name, ()), str(row["needs"]))
    return found


def needs_of(exchanges: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return what exchanges need, those alone that need something; a row names a topic or one exchange of it."""
    named = _named()
    found = {name: (*named.get(name.partition("/")[0], ()), *named.get(name, ())) for name in exchanges}
    return {name: needs for name, needs in found.items() if needs}
