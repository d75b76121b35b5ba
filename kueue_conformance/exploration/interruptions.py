"""What interrupts a program between any two of its writes, and which of it is worth trying (pure).

A perturbation begins before an act. One that meets a write of the program is planned at acts behind which
there were some in the story without perturbations, and says which of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from .perturbation import Perturbation, PerturbationKind
from .story import StoryAct

KILLED = PerturbationKind(
    "killed-before-request",
    "it was killed before this request; what it had written before is stored",
    "reads its state anew after a start, and goes on between any two of its writes",
    meets_request=True,
    restarts=True,
)
CONFLICT = PerturbationKind(
    "request-refused-409",
    "the request was refused with 409",
    "decides again from the newest state after a conflict",
    meets_request=True,
)
THROTTLED = PerturbationKind(
    "request-refused-429",
    "the request was refused with 429",
    "sends a request again that was refused",
    meets_request=True,
)
FAILED = PerturbationKind(
    "request-refused-500",
    "the request was refused with 500",
    "sends a request again that was refused",
    meets_request=True,
)
FAILED_AFTER_WRITE = PerturbationKind(
    "request-stored-and-answered-500",
    "the request was carried out, and answered with 500",
    "reads before it repeats a write whose outcome it does not know",
    meets_request=True,
)
ANSWER_LOST = PerturbationKind(
    "request-stored-and-connection-cut",
    "the request was carried out, and the connection cut before the answer",
    "reads before it repeats a write whose outcome it does not know",
    meets_request=True,
)
RESTARTED = PerturbationKind(
    "restarted-before",
    "it was restarted before this",
    "remembers nothing that is not stored",
    restarts=True,
)
DOWN = PerturbationKind(
    "down-meanwhile",
    "it was down while this happened",
    "lists everything at its start, also what changed while it was down",
    restarts=True,
)
WATCHES_CUT = PerturbationKind(
    "watches-cut",
    "its watches were cut before this",
    "lists again, or continues from its last revision, when a watch ends",
)
WATCHES_EXPIRED = PerturbationKind(
    "watches-expired-410",
    "its watches ended with 410 before this",
    "lists again after 410",
)
EVENT_LOST = PerturbationKind(
    "event-lost-by-410",
    "it did not get the first event of this: its watch ended with 410",
    "compares what it lists after 410 with what it knew, deletions included",
)
FROZEN = PerturbationKind(
    "watches-frozen-meanwhile",
    "its watches were silent until this had happened",
    "decides from the newest object, and not from an older copy",
)
REPEATED = PerturbationKind(
    "events-twice",
    "from here on it got every event twice",
    "does once what an event that comes twice asks for",
)
KINDS = (
    KILLED,
    CONFLICT,
    THROTTLED,
    FAILED,
    FAILED_AFTER_WRITE,
    ANSWER_LOST,
    RESTARTED,
    DOWN,
    WATCHES_CUT,
    WATCHES_EXPIRED,
    EVENT_LOST,
    FROZEN,
    REPEATED,
)
_SETTLE = "settle"
STILL = frozenset({_SETTLE, "idle", "restart"})
"""Verbs of acts at which nothing begins: waits, and an interruption by itself."""
_MOST_REQUESTS = 8
"""How many requests behind an act can be met: later ones of a control plane come from gathered statuses."""


def plan(
    acts: Sequence[StoryAct],
    writes: Sequence[int],
    seed: int,
    number: int,
    is_excluded: Callable[[Perturbation], bool] = lambda _: False,
) -> Sequence[Perturbation]:
    """Return at most so many perturbations, drawn from those that can show something.

    `writes` has the number of requests that the program sent between each act and the next one.
    """
    draw = random.Random(f"perturbations {seed}")  # noqa: S311 - a choice, no secret
    candidates = [candidate for candidate in _candidates(acts, writes) if not is_excluded(candidate)]
    # By kind first: those that meet a request are many more than the others.
    kinds = [kind for kind in KINDS if any(candidate.kind is kind for candidate in candidates)]
    chosen = draw.sample(kinds, min(number, len(kinds)))
    return [draw.choice([candidate for candidate in candidates if candidate.kind is kind]) for kind in chosen]


def _candidates(acts: Sequence[StoryAct], writes: Sequence[int]) -> Iterator[Perturbation]:
    for number, act in enumerate(acts, 1):
        if act.verb in STILL:
            continue
        # The requests behind an act come during the wait that follows it.
        waits = number < len(acts) and acts[number].verb == _SETTLE
        requests = writes[number - 1] + (writes[number] if waits else 0)
        for request in range(1, min(requests, _MOST_REQUESTS) + 1):
            yield from (Perturbation(kind, number, request) for kind in KINDS if kind.meets_request)
        yield from (Perturbation(kind, number) for kind in KINDS if not kind.meets_request)
