"""What may go wrong (F-03). Each effect is a value; its `kind` names it in JSON.

Effects of requests: Answer, Drop, Delay, Truncate, Stale, Pages. Effects of watch events: Hold, Repeat, EndWatch; of bookmarks: NoBookmarks.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, fields

Json = Any


class Answer(Struct, frozen=True):
    """Answer with a failure instead: before the request is looked at, or `after_commit`, when what it wrote stays written."""

    code: int
    reason: str = ""
    message: str = ""
    retry_after: int = 0
    after_commit: bool = False
    kind: ClassVar[str] = "answer"


class Drop(Struct, frozen=True):
    """Cut the connection instead of answering: before the request is looked at, or `after_commit`."""

    after_commit: bool = False
    kind: ClassVar[str] = "drop"


class Delay(Struct, frozen=True):
    """Answer this many seconds of the cluster's time later."""

    seconds: float
    kind: ClassVar[str] = "delay"


class Truncate(Struct, frozen=True):
    """Send only the first bytes of the answer's body, then cut the connection."""

    bytes: int = 0
    kind: ClassVar[str] = "truncate"


class Stale(Struct, frozen=True):
    """Answer a get or list from the state of so many revisions ago."""

    revisions: int
    kind: ClassVar[str] = "stale"


class Pages(Struct, frozen=True):
    """Give a list that asks for pages (`limit`) no more than so many objects at a time."""

    items: int
    kind: ClassVar[str] = "pages"


class Hold(Struct, frozen=True):
    """Send a watch event this many seconds of the cluster's time later; those after it wait as well."""

    seconds: float
    kind: ClassVar[str] = "hold"


class Repeat(Struct, frozen=True):
    """Send a watch event twice."""

    kind: ClassVar[str] = "repeat"


class EndWatch(Struct, frozen=True):
    """End the watch before the event: by an ERROR event with this code, or by cutting the connection when it is 0."""

    code: int = 0
    kind: ClassVar[str] = "endWatch"


class NoBookmarks(Struct, frozen=True):
    """Withhold a bookmark."""

    kind: ClassVar[str] = "noBookmarks"


Effect: TypeAlias = Answer | Drop | Delay | Truncate | Stale | Pages | Hold | Repeat | EndWatch | NoBookmarks
KINDS: dict[str, type[Effect]] = {
    one.kind: one
    for one in (Answer, Drop, Delay, Truncate, Stale, Pages, Hold, Repeat, EndWatch, NoBookmarks)
}
OF_EVENTS = (Hold, Repeat, EndWatch)
OF_BOOKMARKS = (NoBookmarks,)
OF_REQUESTS = (Answer, Drop, Delay, Truncate, Stale, Pages)


class EffectError(ValueError):
    """JSON that is no effect; the text says what was expected."""


def to_json(effect: Effect) -> Json:
    """Return an effect as JSON."""
    return {"kind": effect.kind, **{_camel(name): value for name, value in asdict(effect).items()}}


def of_json(value: Json) -> Effect:
    """Return the effect that JSON describes. Raises EffectError."""
    found = KINDS.get(value.get("kind", "")) if isinstance(value, dict) else None
    if found is None:
        raise EffectError(
            f"{value!r} is no effect: expected an object whose kind is one of {', '.join(KINDS)}"
        )
    names = {_camel(one.name): one for one in fields(found)}
    given = {name: part for name, part in value.items() if name != "kind"}
    if unknown := sorted(given.keys() - names.keys()):
        raise EffectError(
            f"{found.kind} has no {', '.join(unknown)}: expected {', '.join(names) or 'nothing more'}"
        )
    for name, one in names.items():
        _check(found.kind, name, one.type.__name__, given.get(name), needed=one.required)
    return found(**{names[name].name: part for name, part in given.items()})


_TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,)}


def _check(kind: str, name: str, type_name: str, value: Json, *, needed: bool) -> None:
    if value is None:
        if needed:
            raise EffectError(f"{kind} needs {name}: expected {type_name}")
    elif not isinstance(value, _TYPES[type_name]) or (isinstance(value, bool) and type_name != "bool"):
        raise EffectError(f"{kind}.{name} is {value!r}: expected {type_name}")


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)
