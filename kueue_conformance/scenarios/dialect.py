"""Dialects: the versions of the documents, as ordered data (design.md §2, harness/H-48).

There are two families: Kueue's, and those of autoscalers. A profile speaks one of them, and versions compare
within a family only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from ..base.errors import UsageError, unknown
from ..base.resources import load_yaml
from .feature_gates import NO_GATES, gates_of, is_enabled
from .versions import CANDIDATE, LINE_PARTS, Order, has_since, is_until, order_of, text_of

Family = Literal["Kueue", "autoscaler"]
_TABLES: Mapping[Family, tuple[str, str]] = {
    "Kueue": ("dialects", "default"),
    "autoscaler": ("autoscalers", "default-autoscaler"),
}
"""The key of a family in the data file, and its default dialect."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A version of the documents; `facts` answers what the disagreement table leaves to the version."""

    name: str
    version: str
    order: Order
    facts: Mapping[str, Any] = field(compare=False, repr=False)
    family: Family = "Kueue"
    apart: bool = False
    """Only rules that name this dialect hold in it."""
    rare: bool = False
    """It is not part of `all`, since it differs little from a neighbour; it can be named."""
    stands_on: Order = ()
    """The release whose feature gates it has; that of `order`, where it is one."""
    gates: Mapping[str, bool] = field(default_factory=lambda: NO_GATES, compare=False, repr=False)
    """The feature gates that were set, as by Kueue's `--feature-gates`; the others have their defaults."""

    def with_gates(self, gates: Mapping[str, bool]) -> Dialect:
        """Return the dialect with these feature gates, and the facts that hang on them (KV-01)."""
        if self.family != "Kueue" or not gates:
            return self
        rows = {row["name"]: row for row in load_yaml("dialects.yaml")[_TABLES[self.family][0]]}
        facts = _facts_of(self.stands_on, gates) | rows.get(self.name, {}).get("facts", {})
        return replace(self, facts=facts, gates=gates)

    def disabled_gate(self, names: Iterable[str]) -> str:
        """Return the first of some feature gates that the release has and that is off; empty for none."""
        had = (name for name in sorted(names) if name in gates_of(self.stands_on) or name in self.gates)
        return next((name for name in had if not is_enabled(name, self.stands_on, self.gates)), "")

    def enabled_gate(self, names: Iterable[str]) -> str:
        """Return the first of some feature gates that is on; empty for none."""
        return next((name for name in sorted(names) if is_enabled(name, self.stands_on, self.gates)), "")

    @property
    def is_release(self) -> bool:
        """False for kep993, which never was one."""
        return bool(self.order)

    def is_about(self, requirements: Collection[str]) -> bool:
        """Tell whether releases differ in one of these rules; True where the data file does not say."""
        touched = self.facts.get("touched")
        return touched is None or self.apart or not set(touched).isdisjoint(requirements)

    def serves(self, version: str) -> bool:
        """Tell whether a version of Kueue's API is served; of autoscalers none is asked for (KV-31)."""
        return version in self.facts.get("served-versions", (version,))

    def fact(self, name: str) -> Any:
        """Return a row of the disagreement table, by its name in data/dialects.yaml."""
        return self.facts[name]

    def holds(self, since: str, until: str) -> bool:
        """Tell whether a rule valid in [since, until] holds here.

        Outside the order only unbounded rules hold.
        """
        if self.apart:
            return False
        if not self.is_release:
            return not since and not until
        return (not since or has_since(self.order, since)) and is_until(self.order, until)


@cache
def known_dialects(family: Family = "Kueue") -> Mapping[str, Dialect]:
    """Return every dialect of a family by its name, in the order of the data file."""
    rows = load_yaml("dialects.yaml")[_TABLES[family][0]]
    return {row["name"]: _of_row(row, family) for row in rows}


def _of_row(row: Mapping[str, Any], family: Family) -> Dialect:
    version = str(row["version"])
    facts, stands_on = _inherited(row, family), order_of(str(row.get("stands-on", version)))
    if family == "Kueue":
        facts = _facts_of(stands_on) | facts
    is_rare = bool(row.get("rare"))
    return Dialect(
        row["name"], version, order_of(version), facts, family, bool(row.get("apart")), is_rare, stands_on
    )


def _inherited(row: Mapping[str, Any], family: Family) -> dict[str, Any]:
    """Return the facts of a row after those of the row that it names."""
    rows = {other["name"]: other for other in load_yaml("dialects.yaml")[_TABLES[family][0]]}
    inherited = _inherited(rows[row["inherit"]], family) if "inherit" in row else {}
    return {**inherited, **row.get("facts", {})}


def _facts_of(order: Order, gates: Mapping[str, bool] = NO_GATES) -> dict[str, Any]:
    """Return the facts of a release of Kueue: those of the oldest, with what changed since."""
    data = load_yaml("dialects.yaml")
    changed = (row["facts"] for row in data["changes"] if _has_change(row, order, gates))
    facts: dict[str, Any] = dict(data["oldest"])
    for row in changed:
        facts |= row
    return facts


def _has_change(row: Mapping[str, Any], order: Order, gates: Mapping[str, bool]) -> bool:
    if "gate" in row:
        return is_enabled(row["gate"], order, gates)
    return has_since(order, row["since"])


@cache
def release(version: str) -> Dialect:
    """Return the dialect of a release of Kueue exact to the patch, such as `0.19.14`; raises UsageError."""
    order = order_of(version)
    newest = _newest_patch(order)
    # `0.19.x` and `0.20.0-beta` read as versions, and are none.
    is_exact = text_of(order) == version.removeprefix("v") and (
        len(order) <= len(newest or ()) or CANDIDATE in order
    )
    if newest is None or order > newest or not is_exact:
        raise _unknown_release(version, newest)
    named = (dialect for dialect in known_dialects().values() if dialect.order == order)
    return next(named, None) or Dialect(
        f"v{text_of(order)}", text_of(order), order, _facts_of(order), stands_on=order
    )


def _newest_patch(order: Order) -> Order | None:
    """Return the newest known release of a line, None for a line that is not known."""
    patches = load_yaml("dialects.yaml")["newest-patches"]
    patch = patches.get(text_of(order[:LINE_PARTS])) if len(order) >= LINE_PARTS else None
    return None if patch is None else (*order[:LINE_PARTS], int(patch))


def _unknown_release(version: str, newest: Order | None) -> UsageError:
    if newest is None:
        return _unknown(version, {})
    return UsageError(
        f"unknown dialect {version!r}",
        hint=f"the newest known release of its line is {text_of(newest)}",
    )


@cache
def every() -> Mapping[str, Dialect]:
    """Return the dialects of all families by their names."""
    return {name: dialect for family in _TABLES for name, dialect in known_dialects(family).items()}


def select(text: str, families: Sequence[Family] = ("Kueue",)) -> Sequence[Dialect]:
    """Return the dialects a user names: `all` of the families, a name, a version, an alias, or a comma list.

    Raises UsageError.
    """
    if text == "all":
        return [
            dialect for family in families for dialect in known_dialects(family).values() if not dialect.rare
        ]
    return list(dict.fromkeys(_one(word.strip()) for word in text.split(",")))


def complete_with_defaults(dialects: Sequence[Dialect], families: Sequence[Family]) -> Sequence[Dialect]:
    """Return the dialects, with the default of each family that has none among them.

    Raises UsageError for a dialect of another family.
    """
    strange = next((dialect for dialect in dialects if dialect.family not in families), None)
    if strange is not None:
        raise UsageError(
            f"dialect {strange.name} is one of {_owner(strange.family)}, and the given profiles use dialects of {_owner(families[0])}",
            hint=f"name one of {', '.join(known_dialects(families[0]))}",
        )
    named = {family: [dialect for dialect in dialects if dialect.family == family] for family in families}
    return [
        dialect
        for family, dialects_of_family in named.items()
        for dialect in dialects_of_family or [known_dialects(family)[default(family)]]
    ]


def _owner(family: Family) -> str:
    return "Kueue" if family == "Kueue" else "an autoscaler"


def default(family: Family = "Kueue") -> str:
    """Return the name of a family's default dialect."""
    return str(load_yaml("dialects.yaml")[_TABLES[family][1]])


def previous_line(dialect: Dialect) -> Dialect:
    """Return the newest known release of the line before that of a release. Raises UsageError without one."""
    lines = [*map(order_of, load_yaml("dialects.yaml")["newest-patches"])]
    earlier = max((line for line in lines if line < dialect.order[:LINE_PARTS]), default=())
    newest = _newest_patch(earlier)
    if not dialect.is_release or newest is None:
        raise UsageError(
            f"no release is known that comes before dialect {dialect.name}",
            hint="name a release of Kueue, such as --dialect 0.20.7",
        )
    return release(text_of(newest))


def nearest(version: str) -> Dialect | None:
    """Return the dialect that a release of Kueue speaks, such as `v0.17.1`: its own, exact to the patch; of a
    release that is not known the newest before it; None for what is no release.
    """
    order = order_of(version)
    newest = _newest_patch(order)
    if newest is not None and len(order) > LINE_PARTS:
        return release(text_of(min(order, newest)))
    line = order[:LINE_PARTS]
    spoken = [
        dialect
        for dialect in known_dialects().values()
        if dialect.is_release and dialect.order[:LINE_PARTS] <= line
    ]
    return max(spoken, key=lambda dialect: dialect.order, default=None) if line else None


def newest_serving(versions: Collection[str]) -> Dialect:
    """Return the newest recorded release of Kueue that serves these versions of its API; the default where
    none does.
    """
    serving = [
        dialect
        for dialect in known_dialects().values()
        if dialect.is_release and all(map(dialect.serves, versions))
    ]
    return max(serving, key=lambda dialect: dialect.order, default=known_dialects()[default()])


def _one(word: str) -> Dialect:
    data = load_yaml("dialects.yaml")
    rows = [row for table, _ in _TABLES.values() for row in data[table]]
    aliases = {alias: row["name"] for row in rows for alias in row["aliases"]}
    name = aliases.get(word, word)
    if name in every():
        return every()[name]
    if order := order_of(word):
        newest = _newest_patch(order)
        return release(text_of(newest) if newest is not None and len(order) == LINE_PARTS else word)
    raise _unknown(word, aliases)


def _unknown(word: str, aliases: Mapping[str, str]) -> UsageError:
    """Return the error for an unknown dialect, with the known ones and the nearest to a version."""
    version = order_of(word) if word.removeprefix("v")[:1].isdigit() else ()
    released = [dialect for dialect in known_dialects().values() if dialect.is_release]
    near = (
        min(released, key=lambda dialect: abs(_place(dialect.order) - _place(version))).name
        if version
        else ""
    )
    if not near:
        near = unknown("dialect", word, [*every(), *aliases]).hint.partition("'")[2].rstrip("'?")
    hint = f"known: {', '.join(_with_versions(name, aliases) for name in every())}, all, or a release such as 0.19.14"
    return UsageError(f"unknown dialect {word!r}", hint=f"did you mean {near!r}? {hint}" if near else hint)


def _with_versions(name: str, aliases: Mapping[str, str]) -> str:
    also = [alias for alias, of in aliases.items() if of == name and alias.startswith("v")]
    return f"{name} ({', '.join(also)})" if also else name


def _place(order: Order) -> float:
    """Return the sort key of a version."""
    return sum((number_part / 1000**number for number, number_part in enumerate(order)), 0.0)
