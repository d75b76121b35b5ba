"""What interrupts a program in a story: a kind, and the act at which it begins (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Self

from ..base.errors import UsageError

_LINE = re.compile(r"(?P<kind>[a-z0-9-]+) at (?P<act>[1-9][0-9]*)(?:, request (?P<request>[1-9][0-9]*))?")


@dataclass(frozen=True, slots=True)
class PerturbationKind:
    """A kind of perturbation: its name, what happened in words, and what a program that is right does."""

    name: str
    meaning: str
    advice: str
    meets_request: bool = False
    """It waits for a request of the program, and shows nothing where none comes."""
    restarts: bool = False
    """It ends the program and starts it again."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A kind, the number of the act, from 1, at which it begins, and the number of the request behind the act
    that it meets.
    """

    kind: PerturbationKind
    act: int
    request: int = 1

    def __str__(self) -> str:
        later = f", request {self.request}" if self.request > 1 else ""
        return f"{self.kind} at {self.act}{later}"

    @classmethod
    def of(cls, text: str, kinds: Collection[PerturbationKind]) -> Self:
        """Return the perturbation that a line names. Raises UsageError."""
        named: Mapping[str, PerturbationKind] = {kind.name: kind for kind in kinds}
        parsed = _LINE.fullmatch(text)
        if parsed is None or parsed["kind"] not in named:
            raise UsageError(
                f"{text!r} is no perturbation", hint=f"expected `KIND at ACT` with one of {', '.join(named)}"
            )
        return cls(named[parsed["kind"]], int(parsed["act"]), int(parsed["request"] or 1))
