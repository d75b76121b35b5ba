"""Whom a fault hits: a pattern of requests, which of them, when, and how likely (F-03)."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from . import effects
from .effects import Effect
from .subject import Subject

Json = Any


class RuleError(ValueError):
    """A rule that cannot be used; the text says what was expected."""


class Match(Struct, frozen=True, kw_only=True):
    """Patterns may have wildcards as file names do; an empty one fits everything.

    `nth` counts the requests that fit the patterns, from 1, and the first `skip` of them are spared. `after` and `before` are seconds of the cluster's time.
    """

    verb: str = ""
    resource: str = ""
    actor: str = ""
    namespace: str = ""
    name: str = ""
    nth: tuple[int, ...] = ()
    skip: int = 0
    times: int = 0
    """How often the rule may hit, 0 for ever."""
    after: float = 0.0
    before: float = 0.0
    probability: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.probability <= 1.0:
            raise RuleError(f"probability {self.probability!r}: expected a number from 0 to 1")
        if any(not isinstance(one, int) or one < 1 for one in self.nth):
            raise RuleError(f"nth {self.nth!r}: expected whole numbers from 1")

    def fits(self, subject: Subject) -> bool:
        """Tell whether a subject has these patterns."""
        return (
            _fits(self.verb, (subject.verb,))
            and _fits(self.resource, subject.resources)
            and _fits(self.actor, subject.actors)
            and _fits(self.namespace, (subject.namespace,))
            and _fits(self.name, (subject.name,))
        )

    def holds(self, now: float) -> bool:
        """Tell whether the rule's time has come and is not over."""
        return now >= self.after and (not self.before or now < self.before)


class Rule(Struct, frozen=True, kw_only=True):
    """A fault: whom it hits and what happens to them."""

    id: str
    match: Match
    effect: Effect

    def to_json(self) -> Json:
        """Return the rule as JSON; what is left at its default is left out."""
        plain = asdict(self.match)
        told = {name: list(value) if name == "nth" else value for name, value in plain.items()}
        default = Match()
        return {
            "id": self.id,
            "match": {name: value for name, value in told.items() if plain[name] != getattr(default, name)},
            "effect": effects.to_json(self.effect),
        }


def match_of_json(value: Json) -> Match:
    """Return the match that JSON describes. Raises RuleError."""
    known = Match.__struct_fields__
    if not isinstance(value, dict) or (unknown := sorted(value.keys() - set(known))):
        what = repr(value) if not isinstance(value, dict) else ", ".join(unknown)
        raise RuleError(f"match {what}: expected an object with some of {', '.join(known)}")
    default = Match()
    for name, given in value.items():
        _check(name, given, getattr(default, name))
    nth = value.get("nth", ())
    return Match(**{**value, "nth": (nth,) if isinstance(nth, int) else tuple(nth)})


def _check(name: str, given: Json, default: Json) -> None:
    expected = (
        (int, list) if name == "nth" else (int, float) if isinstance(default, float) else (type(default),)
    )
    if isinstance(given, bool) or not isinstance(given, expected):
        raise RuleError(
            f"match.{name} is {given!r}: expected {' or '.join(one.__name__ for one in expected)}"
        )


def _fits(pattern: str, values: Iterable[str]) -> bool:
    return not pattern or any(fnmatchcase(value, pattern) for value in values)
