"""Which version of the documents is meant: dialects as ordered data (design.md §2, harness/H-48)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .errors import UsageError, unknown
from .numbers import whole
from .resources import load_yaml


@dataclass(frozen=True, slots=True)
class Dialect:
    """A version of the documents; `facts` answers what the disagreement table leaves to the version."""

    name: str
    version: str
    order: tuple[int, ...]
    facts: Mapping[str, Any] = field(compare=False, repr=False)

    @property
    def is_release(self) -> bool:
        """False for kep993, which never was one."""
        return bool(self.order)

    def fact(self, name: str) -> Any:
        """Return a row of the disagreement table, by its name in data/dialects.yaml."""
        return self.facts[name]

    def holds(self, since: str, until: str) -> bool:
        """Tell whether a rule valid in [since, until] holds here. Outside the order only unbounded rules hold."""
        if not self.is_release:
            return not since and not until
        return (not since or _order(since) <= self.order) and (not until or self.order <= _order(until))


@cache
def known() -> Mapping[str, Dialect]:
    """Return every dialect by its name, in the order of the data file."""
    facts: dict[str, Mapping[str, Any]] = {}
    found: dict[str, Dialect] = {}
    for row in load_yaml("dialects.yaml")["dialects"]:
        facts[row["name"]] = {**facts.get(row.get("inherit", ""), {}), **row["facts"]}
        version = str(row["version"])
        found[row["name"]] = Dialect(row["name"], version, _order(version), facts[row["name"]])
    return found


def select(text: str) -> Sequence[Dialect]:
    """Return the dialects a user names: `all`, a name, a version, an alias, or a comma list. Raises UsageError."""
    if text == "all":
        return list(known().values())
    return list(dict.fromkeys(_one(word.strip()) for word in text.split(",")))


def default() -> str:
    """Return the name of the dialect that is meant when none is named."""
    return str(load_yaml("dialects.yaml")["default"])


def nearest(version: str) -> Dialect | None:
    """Return the dialect that a release of Kueue speaks, such as `v0.17.1`: the newest that is not of a later minor version; None for what is no release."""
    minor = _order(version)[:2]
    spoken = [one for one in known().values() if one.is_release and one.order[:2] <= minor]
    return max(spoken, key=lambda one: one.order, default=None) if minor else None


def _one(word: str) -> Dialect:
    aliases = {
        alias: row["name"] for row in load_yaml("dialects.yaml")["dialects"] for alias in row["aliases"]
    }
    name = aliases.get(word, word)
    if name not in known():
        raise _unknown(word, aliases)
    return known()[name]


def _unknown(word: str, aliases: Mapping[str, str]) -> UsageError:
    """Return the error for a word that names no dialect: which there are, and for a version which one is nearest."""
    version = _order(word) if word.removeprefix("v")[:1].isdigit() else ()
    released = [one for one in known().values() if one.is_release]
    near = min(released, key=lambda one: abs(_place(one.order) - _place(version))).name if version else ""
    if not near:
        near = unknown("dialect", word, [*known(), *aliases]).hint.partition("'")[2].rstrip("'?")
    hint = f"known: {', '.join(_with_versions(name, aliases) for name in known())}, all"
    return UsageError(f"unknown dialect {word!r}", hint=f"did you mean {near!r}? {hint}" if near else hint)


def _with_versions(name: str, aliases: Mapping[str, str]) -> str:
    also = [one for one, of in aliases.items() if of == name and one.startswith("v")]
    return f"{name} ({', '.join(also)})" if also else name


def _place(order: tuple[int, ...]) -> float:
    """Return where a version stands among the others, the greater part first."""
    return sum((part / 1000**number for number, part in enumerate(order)), 0.0)


def _order(version: str) -> tuple[int, ...]:
    text = version.removeprefix("v")
    parts = [whole(part) for part in text.partition("-")[0].split(".")]
    return tuple(part or 0 for part in parts) if parts[0] is not None else ()
