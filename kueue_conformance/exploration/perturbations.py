"""What interrupts a controller in a story, and which of it is worth trying (pure).

A perturbation begins at an act. Those of a write meet the next write of a verdict; so they are planned only
at acts behind which the controller wrote one in the story without perturbations.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Self

from ..base.errors import UsageError
from .acts import Act, Verb

_LINE = re.compile(r"(?P<kind>[a-z0-9-]+) at (?P<act>[1-9][0-9]*)")


class Kind(StrEnum):
    """What happens to the controller."""

    KILLED_BEFORE_WRITE = "killed-before-its-write"
    """Its next write has no effect; it is killed there, and started again."""
    KILLED_AFTER_WRITE = "killed-after-its-write"
    """Its next write has its effect; it is killed before it has the answer, and started again."""
    CONFLICT = "write-refused-409"
    THROTTLED = "write-refused-429"
    FAILED = "write-refused-500"
    FAILED_AFTER_WRITE = "write-stored-and-answered-500"
    ANSWER_LOST = "write-stored-and-connection-cut"
    DOWN = "down-meanwhile"
    """It is killed before the act, and started again after it."""
    WATCH_CUT = "watches-cut"
    WATCH_EXPIRED = "watches-expired-410"
    EVENT_LOST = "event-lost-by-410"
    """The event of the act does not come: the watch ends with 410 in place of it."""
    FROZEN = "watches-frozen-meanwhile"
    """No event comes until the next act has happened; then the watches end."""
    REPEATED = "events-twice"
    """Every event comes twice until the end."""


MEANINGS: Mapping[Kind, str] = {
    Kind.KILLED_BEFORE_WRITE: "the program was killed when it sent its next verdict, which was not stored",
    Kind.KILLED_AFTER_WRITE: "the program was killed when its next verdict had been stored",
    Kind.CONFLICT: "the next verdict was refused with 409",
    Kind.THROTTLED: "the next verdict was refused with 429",
    Kind.FAILED: "the next verdict was refused with 500",
    Kind.FAILED_AFTER_WRITE: "the next verdict was stored, and answered with 500",
    Kind.ANSWER_LOST: "the next verdict was stored, and the connection cut before the answer",
    Kind.DOWN: "the program was down while this happened",
    Kind.WATCH_CUT: "its watches were cut before this",
    Kind.WATCH_EXPIRED: "its watches ended with 410 before this",
    Kind.EVENT_LOST: "it did not get the event of this: its watch ended with 410",
    Kind.FROZEN: "its watches were silent during this and the next act",
    Kind.REPEATED: "from here on it got every event twice",
}
OF_A_WRITE: Mapping[Kind, str] = {
    Kind.KILLED_BEFORE_WRITE: "reads its state anew after a start, and relies on nothing that it remembers",
    Kind.KILLED_AFTER_WRITE: "can read its own verdict after a start without giving it again",
    Kind.CONFLICT: "decides again from the newest state after a conflict",
    Kind.THROTTLED: "sends a verdict again that was refused",
    Kind.FAILED: "sends a verdict again that was refused",
    Kind.FAILED_AFTER_WRITE: "reads before it repeats a write whose outcome it does not know",
    Kind.ANSWER_LOST: "reads before it repeats a write whose outcome it does not know",
}
"""Those that meet the next write of a verdict, and what to look for in the controller's code."""
OF_A_MOMENT: Mapping[Kind, str] = {
    Kind.DOWN: "lists Workloads at its start, also those that changed while it was down",
    Kind.WATCH_CUT: "lists again, or continues from its last revision, when a watch ends",
    Kind.WATCH_EXPIRED: "lists again after 410",
    Kind.EVENT_LOST: "compares what it lists after 410 with what it knew, deletions included",
    Kind.FROZEN: "decides from the object that it reads before it writes, and not from an older copy",
    Kind.REPEATED: "gives a verdict once for an event that comes twice",
}
"""Those that begin at an act, and what to look for."""
ADVICE = {**OF_A_WRITE, **OF_A_MOMENT}


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A kind, and the number of the act, from 1, at which it begins."""

    kind: Kind
    act: int

    def __str__(self) -> str:
        return f"{self.kind} at {self.act}"

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the perturbation that a line names. Raises UsageError."""
        parsed = _LINE.fullmatch(text)
        if parsed is None or parsed["kind"] not in set(Kind):
            raise UsageError(
                f"{text!r} is no perturbation", hint=f"expected `KIND at ACT` with one of {', '.join(Kind)}"
            )
        return cls(Kind(parsed["kind"]), int(parsed["act"]))


RESTARTS = frozenset({Kind.KILLED_BEFORE_WRITE, Kind.KILLED_AFTER_WRITE, Kind.DOWN})
"""Those that kill the program and start it again."""


def plan(
    acts: Sequence[Act],
    writes: Sequence[int],
    seed: int,
    number: int,
    kinds: Collection[Kind] = frozenset(Kind),
) -> Sequence[Perturbation]:
    """Return at most so many perturbations of these kinds, drawn from those that can show something.

    `writes` has the number of verdicts that the controller wrote between each act and the next one.
    """
    candidates = [candidate for candidate in _candidates(acts, writes) if candidate.kind in kinds]
    draw = random.Random(f"perturbations {seed}")  # noqa: S311 - a choice, no secret
    return draw.sample(candidates, min(number, len(candidates)))


def _candidates(acts: Sequence[Act], writes: Sequence[int]) -> Iterator[Perturbation]:
    for number, act in enumerate(acts, 1):
        if act.verb is Verb.SETTLE:
            continue
        if _verdicts_behind(number, acts, writes):
            yield from (Perturbation(kind, number) for kind in OF_A_WRITE)
        yield from (Perturbation(kind, number) for kind in OF_A_MOMENT)


def _verdicts_behind(number: int, acts: Sequence[Act], writes: Sequence[int]) -> int:
    """Return how many verdicts came behind an act, those of the waits that follow it included."""
    waits = takewhile(
        lambda later: later[0].verb is Verb.SETTLE, zip(acts[number:], writes[number:], strict=True)
    )
    return writes[number - 1] + sum(written for _, written in waits)
