"""Whom a fault hits: a pattern of requests, which of them, when, and how likely (F-03)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import partial

from msgspec import Struct
from msgspec.structs import asdict

from ..base.json_types import Json
from ..base.validators import expected, is_number, is_whole
from . import effects
from .effects import Effect
from .subject import Subject

VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
"""What requests for resources ask for, and what a pattern of a rule has to fit one of."""
METHODS = {"put": "update", "post": "create"}
"""Words of HTTP whose verb has another name."""


class RuleError(ValueError):
    """A rule that cannot be used; the text says what was expected."""


class Match(Struct, frozen=True, kw_only=True):
    """Patterns may have wildcards as file names do; an empty one fits everything.

    `nth` counts the requests that fit the patterns, from 1, and the first `skip` of them are spared. `after`
    and `before` are seconds of the cluster's time.
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
        for name, (is_valid, expected_text) in CHECKS.items():
            if not is_valid(value := getattr(self, name)):
                raise RuleError(f"match.{name} is {value!r}: expected {expected_text}")
        if self.verb and not self.verbs:
            word = METHODS.get(self.verb.lower(), self.verb)
            raise RuleError(f"match.verb is {self.verb!r}: {expected(word, VERBS)}")
        # Such a rule would never hit, and its test would prove nothing.
        if self.before and self.before <= self.after:
            raise RuleError(f"match.before is {self.before!r}: expected a time behind after, {self.after!r}")
        if self.nth and self.skip >= max(self.nth):
            raise RuleError(
                f"match.skip is {self.skip!r}: expected less than the last of nth, {max(self.nth)}"
            )

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs that the pattern fits."""
        return tuple(verb for verb in VERBS if _fits(self.verb, (verb,)))

    def fits(self, subject: Subject) -> bool:
        """Tell whether a subject has these patterns."""
        return (
            # The cheapest patterns first: this runs for every request while there are rules.
            _fits(self.verb, (subject.verb,))
            and _fits(self.resource, subject.resources)
            and _fits(self.actor, subject.actors)
            and _fits(self.namespace, (subject.namespace,))
            and _fits(self.name, (subject.name,))
        )

    def is_in_force(self, current_time: float) -> bool:
        """Tell whether the rule's time has come and is not over."""
        return current_time >= self.after and (not self.before or current_time < self.before)


class Rule(Struct, frozen=True, kw_only=True):
    """A fault: whom it hits and what happens to them."""

    id: str
    match: Match
    effect: Effect

    def to_json(self) -> Json:
        """Return the rule as JSON without fields that have their default."""
        plain = asdict(self.match)
        members = {name: list(value) if name == "nth" else value for name, value in plain.items()}
        default = Match()
        return {
            "id": self.id,
            "match": {
                name: value for name, value in members.items() if plain[name] != getattr(default, name)
            },
            "effect": effects.to_json(self.effect),
        }


def match_of(values: Mapping[str, Json]) -> Match:
    """Return the match with these fields. Raises RuleError."""
    members = Match.__struct_fields__
    for name in values:
        if name not in members:
            raise RuleError(f"a match has no {name!r}: {expected(name, members)}")
    nth = values.get("nth", ())
    return Match(**{**values, "nth": tuple(nth) if isinstance(nth, list | tuple) else (nth,)})


def match_of_json(value: Json) -> Match:
    """Return the match that JSON describes. Raises RuleError."""
    if not isinstance(value, dict):
        raise RuleError(
            f"match is {value!r}: expected an object with some of {', '.join(Match.__struct_fields__)}"
        )
    return match_of(value)


def _fits(pattern: str, values: Iterable[str]) -> bool:
    return not pattern or any(fnmatchcase(value, pattern) for value in values)


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _are_numbers(value: Json) -> bool:
    return all(is_whole(number, 1) for number in value)


CHECKS: Mapping[str, tuple[Callable[[Json], bool], str]] = {
    **dict.fromkeys(("verb", "resource", "actor", "namespace", "name"), (_is_text, "str")),
    **dict.fromkeys(("skip", "times"), (is_whole, "a whole number from 0")),
    **dict.fromkeys(("after", "before"), (partial(is_number, least=0), "seconds from 0")),
    "nth": (_are_numbers, "whole numbers from 1"),
    "probability": (partial(is_number, least=0, most=1), "a number from 0 to 1"),
}
