"""What the rest asks of a CEL engine: compile a rule, evaluate it on values (C1…C9 of spec/stack.md §3.4).

Another engine fits in behind these protocols without a change elsewhere.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from ...base.json_types import Json
from .limits.turns import Turns

Bindings = Any


class CelError(Struct, frozen=True):
    """An evaluation that failed, worded as Kubernetes words it."""

    text: str


class CompileError(Exception):
    """A rule that does not compile; the text shows where."""


class Program(Protocol):
    """A compiled rule."""

    @property
    def turns(self) -> Turns:
        """The comprehensions of the rule."""

    def eval(self, bindings: Bindings) -> bool | str | CelError | Json:
        """Return the value of the rule, or why there is none."""


class CelEngine(Protocol):
    """Compiles rules and prepares values for them."""

    def compile(self, rule: str, *, optional_old: bool = False) -> Program:
        """Return the program of a rule. Raises CompileError."""

    def bind(self, value: Json, old: Json, *, optional_old: bool = False) -> Bindings:
        """Prepare the values of `self` and `oldSelf`; all rules of a node share them."""
