"""An act that is a line of a file: a verb, the object that it is about, and options such as `pods=2`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Self

from ..base.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Which lines are acts."""

    verbs: type[StrEnum]
    options: Mapping[str, frozenset[str]]
    """The options that an act of a verb may have; a verb that is not here has none."""
    unnamed: Collection[str]
    """The verbs of acts that are about no object, or about all."""
    letters: Mapping[str, str]
    """The letters with which the object of a verb can begin."""
    usual_letters: str
    """Those of the other verbs."""


@dataclass(frozen=True, slots=True)
class OptionAct:
    """One act: its verb, the object that it is about, such as `w1`, and its options."""

    grammar: ClassVar[Grammar]
    verb: StrEnum
    name: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        options = [f"{key}={value}" for key, value in self.options]
        return " ".join(filter(None, [self.verb, self.name, *options]))

    @property
    def form(self) -> str:
        """Its verb."""
        return str(self.verb)

    def option(self, key: str, default: str = "") -> str:
        """Return the value of an option."""
        return dict(self.options).get(key, default)

    @classmethod
    def with_options(cls, verb: StrEnum, name: str = "", **options: object) -> Self:
        """Return an act; options that are empty or None are left out."""
        return cls(
            verb, name, tuple((key, str(value)) for key, value in options.items() if value not in ("", None))
        )

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the act that a line names. Raises UsageError."""
        grammar = cls.grammar
        verb, *words = text.split() or [""]
        if verb not in set(grammar.verbs):
            raise UsageError(f"{text!r} is no act", hint=f"expected one of {', '.join(grammar.verbs)}")
        is_named = verb not in grammar.unnamed
        name = words.pop(0) if is_named and words else ""
        letters = grammar.letters.get(verb, grammar.usual_letters)
        if is_named and not re.fullmatch(f"[{letters}][1-9]", name):
            raise UsageError(
                f"{text!r} is no act: {name!r} is no object of `{verb}`",
                hint=f"for example `{verb} {letters[0]}1`",
            )
        pairs = [word.partition("=") for word in words]
        allowed = grammar.options.get(verb, frozenset())
        if wrong := [key for key, is_set, _ in pairs if not is_set or key not in allowed]:
            raise UsageError(
                f"{text!r} is no act: {wrong[0]!r} is no option of `{verb}`",
                hint=f"write key=value with {', '.join(sorted(allowed)) or 'no option'}",
            )
        return cls(grammar.verbs(verb), name, tuple((key, value) for key, _, value in pairs))
