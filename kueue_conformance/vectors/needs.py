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
def _needs_by_name() -> Mapping[str, tuple[str, ...]]:
    """Return what topics and single exchanges are said to need, by name; `list` is asked often."""
    needs: dict[str, tuple[str, ...]] = {}
    text = (folder().parent / FILE).read_text("utf-8")
    for row in yaml.load(text, Loader=_LOADER):  # noqa: S506 - the loader is a safe one
        for name in row["exchanges"]:
            needs[name] = (*needs.get(name, ()), str(row["needs"]))
    return needs


def needs_of(exchanges: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return what exchanges need, those alone that need something;
    a row names a topic or one exchange of it.
    """
    named = _needs_by_name()
    needs_by_exchange = {
        name: (*named.get(name.partition("/")[0], ()), *named.get(name, ())) for name in exchanges
    }
    return {name: needs for name, needs in needs_by_exchange.items() if needs}
