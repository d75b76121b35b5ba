"""What interrupts a controller in a story, and which of it is worth trying (pure).

A perturbation begins at an act. Those of a write meet the next write of a verdict; so they are planned only
at acts behind which the controller wrote one in the story without perturbations.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from ..perturbation import Perturbation, PerturbationKind
from .acts import Act, Verb

KILLED_BEFORE_WRITE = PerturbationKind(
    "killed-before-its-write",
    "the program was killed when it sent its next verdict, which was not stored",
    "reads its state anew after a start, and relies on nothing that it remembers",
    meets_request=True,
    restarts=True,
)
KILLED_AFTER_WRITE = PerturbationKind(
    "killed-after-its-write",
    "the program was killed when its next verdict had been stored",
    "can read its own verdict after a start without giving it again",
    meets_request=True,
    restarts=True,
)
CONFLICT = PerturbationKind(
    "write-refused-409",
    "the next verdict was refused with 409",
    "decides again from the newest state after a conflict",
    meets_request=True,
)
THROTTLED = PerturbationKind(
    "write-refused-429",
    "the next verdict was refused with 429",
    "sends a verdict again that was refused",
    meets_request=True,
)
FAILED = PerturbationKind(
    "write-refused-500",
    "the next verdict was refused with 500",
    "sends a verdict again that was refused",
    meets_request=True,
)
FAILED_AFTER_WRITE = PerturbationKind(
    "write-stored-and-answered-500",
    "the next verdict was stored, and answered with 500",
    "reads before it repeats a write whose outcome it does not know",
    meets_request=True,
)
ANSWER_LOST = PerturbationKind(
    "write-stored-and-connection-cut",
    "the next verdict was stored, and the connection cut before the answer",
    "reads before it repeats a write whose outcome it does not know",
    meets_request=True,
)
DOWN = PerturbationKind(
    "down-meanwhile",
    "the program was down while this happened",
    "lists Workloads at its start, also those that changed while it was down",
    restarts=True,
)
WATCH_CUT = PerturbationKind(
    "watches-cut",
    "its watches were cut before this",
    "lists again, or continues from its last revision, when a watch ends",
)
WATCH_EXPIRED = PerturbationKind(
    "watches-expired-410",
    "its watches ended with 410 before this",
    "lists again after 410",
)
EVENT_LOST = PerturbationKind(
    "event-lost-by-410",
    "it did not get the event of this: its watch ended with 410",
    "compares what it lists after 410 with what it knew, deletions included",
)
FROZEN = PerturbationKind(
    "watches-frozen-meanwhile",
    "its watches were silent during this and the next act",
    "decides from the object that it reads before it writes, and not from an older copy",
)
REPEATED = PerturbationKind(
    "events-twice",
    "from here on it got every event twice",
    "gives a verdict once for an event that comes twice",
)
KINDS = (
    KILLED_BEFORE_WRITE,
    KILLED_AFTER_WRITE,
    CONFLICT,
    THROTTLED,
    FAILED,
    FAILED_AFTER_WRITE,
    ANSWER_LOST,
    DOWN,
    WATCH_CUT,
    WATCH_EXPIRED,
    EVENT_LOST,
    FROZEN,
    REPEATED,
)


def plan(
    acts: Sequence[Act],
    writes: Sequence[int],
    seed: int,
    number: int,
    kinds: Collection[PerturbationKind] = KINDS,
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
            yield from (Perturbation(kind, number) for kind in KINDS if kind.meets_request)
        yield from (Perturbation(kind, number) for kind in KINDS if not kind.meets_request)


def _verdicts_behind(number: int, acts: Sequence[Act], writes: Sequence[int]) -> int:
    """Return how many verdicts came behind an act, those of the waits that follow it included."""
    waits = takewhile(
        lambda later: later[0].verb is Verb.SETTLE, zip(acts[number:], writes[number:], strict=True)
    )
    return writes[number - 1] + sum(written for _, written in waits)
