"""What may go wrong (F-03). Each effect is a value; its `kind` names it in JSON.

Effects of requests: Answer, Drop, Delay, Truncate, Stale, Pages. Effects of watch events: Hold, Repeat,
EndWatch; of bookmarks: NoBookmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, fields

from ..base.json_types import Json
from ..base.validators import expected, is_number, is_whole


class Answer(Struct, frozen=True):
    """Answer with a failure instead: before the request is looked at,
    or `after_commit`, when what it wrote stays written.
    """

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
    """Answer a get or list from the state of so many revisions ago;
    `only_from_cache` those alone that allow it, which ask with resourceVersion=0.
    """

    revisions: int
    only_from_cache: bool = False
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
    """End the watch before the event: by an ERROR event with this code,
    or by cutting the connection when it is 0.
    """

    code: int = 0
    kind: ClassVar[str] = "endWatch"


class NoBookmarks(Struct, frozen=True):
    """Withhold a bookmark."""

    kind: ClassVar[str] = "noBookmarks"


Effect: TypeAlias = Answer | Drop | Delay | Truncate | Stale | Pages | Hold | Repeat | EndWatch | NoBookmarks
KINDS: dict[str, type[Effect]] = {
    effect_type.kind: effect_type
    for effect_type in (Answer, Drop, Delay, Truncate, Stale, Pages, Hold, Repeat, EndWatch, NoBookmarks)
}
OF_EVENTS = (Hold, Repeat, EndWatch)
OF_BOOKMARKS = (NoBookmarks,)
OF_REQUESTS = (Answer, Drop, Delay, Truncate, Stale, Pages)


VERBS: Mapping[type, tuple[str, ...]] = {
    Stale: ("get", "list"),
    Pages: ("list",),
    Hold: ("watch",),
    Repeat: ("watch",),
    EndWatch: ("watch",),
    NoBookmarks: ("watch",),
}
"""Which requests some effects are for; the others are for all."""
FAILURE_CODES = (400, 599)
CHECKS: Mapping[tuple[type, str], tuple[Callable[[Json], bool], str]] = {
    (Answer, "code"): (partial(is_whole, least=FAILURE_CODES[0], most=FAILURE_CODES[1]), "int from 400 to 599"),
    (Answer, "retry_after"): (is_whole, "seconds from 0, an int"),
    (EndWatch, "code"): (lambda code: code == 0 or is_whole(code, FAILURE_CODES[0], most=FAILURE_CODES[1]), "0, or an int from 400 to 599"),
    (Delay, "seconds"): (partial(is_number, least=0), "seconds from 0"),
    (Hold, "seconds"): (partial(is_number, least=0), "seconds from 0"),
    (Truncate, "bytes"): (is_whole, "int from 0"),
    (Stale, "revisions"): (partial(is_whole, least=1), "int from 1"),
    (Pages, "items"): (partial(is_whole, least=1), "int from 1"),
}  # fmt: skip
"""What numbers an effect takes."""


class EffectError(ValueError):
    """An invalid effect; the text says what was expected."""


def check(effect: Effect) -> None:
    """Raise EffectError for something that is no effect, or one with a value that it cannot have."""
    kind = next((kind for kind, effect_type in KINDS.items() if isinstance(effect, effect_type)), "")
    if not kind:
        names = ", ".join(effect_type.__name__ for effect_type in KINDS.values())
        raise EffectError(f"{effect!r} is no effect: expected one of {names}")
    for effect_field in fields(effect):
        value = getattr(effect, effect_field.name)
        is_valid, expected_text = CHECKS.get(
            (type(effect), effect_field.name), (_is_of(effect_field.type), effect_field.type.__name__)
        )
        if not is_valid(value):
            raise EffectError(f"{kind}.{_camel(effect_field.name)} is {value!r}: expected {expected_text}")


def to_json(effect: Effect) -> Json:
    """Return an effect as JSON."""
    return {"kind": effect.kind, **{_camel(name): value for name, value in asdict(effect).items()}}


def of_json(value: Json) -> Effect:
    """Return the effect that JSON describes. Raises EffectError."""
    kind = value.get("kind", "") if isinstance(value, dict) else value
    effect_type = KINDS.get(kind) if isinstance(kind, str) else None
    if effect_type is None or not isinstance(value, dict):
        raise EffectError(
            f"{value!r} is no effect: expected an object whose kind is {expected(kind, KINDS).removeprefix('expected ')}"
        )
    names = {_camel(effect_field.name): effect_field for effect_field in fields(effect_type)}
    for name in value:
        if name not in {"kind", *names}:
            raise EffectError(f"{kind} has no {name}: {expected(name, names)}")
    if missing := [
        name for name, effect_field in names.items() if effect_field.required and name not in value
    ]:
        raise EffectError(f"{kind} needs {', '.join(missing)}")
    effect = effect_type(**{names[name].name: part for name, part in value.items() if name != "kind"})
    check(effect)
    return effect


def _is_of(expected_type: type) -> Callable[[Json], bool]:
    """Return the test for values of a type; a flag is no number."""
    return lambda value: (
        isinstance(value, expected_type) and (expected_type is bool or not isinstance(value, bool))
    )


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)
