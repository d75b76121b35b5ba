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
from .model import World, after, new_world

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
CONFLICTS = PerturbationKind(
    "writes-refused-409",
    "the next five verdicts were refused with 409",
    "comes back to a Workload, however often its verdict met a conflict",
    meets_request=True,
)
THROTTLINGS = PerturbationKind(
    "writes-refused-429",
    "the next five verdicts were refused with 429, to be tried again after a second",
    "sends a verdict again, however often it was refused, and takes no refusal for a verdict",
    meets_request=True,
)
FAILURES = PerturbationKind(
    "writes-refused-500",
    "the next five verdicts were refused with 500",
    "sends a verdict again, however often it was refused, and takes no refusal for a verdict",
    meets_request=True,
)
LATE_WRITE = PerturbationKind(
    "write-stored-late",
    "the next verdict reached the server only after the next act",
    "writes a verdict on condition that the Workload has not changed since it was read",
    meets_request=True,
)
LATE_DECISION = PerturbationKind(
    "decided-on-an-older-state",
    "this happened between its question to the outside system and the answer",
    "writes an answer for the state about which it asked, and asks again otherwise",
    meets_request=True,
)
VERDICTS_REFUSED = PerturbationKind(
    "verdicts-refused-for-a-while",
    "every verdict was refused with 500 for a while from here on",
    "tries again less and less often, and serves other Workloads meanwhile",
)
SERVER_FAILS = PerturbationKind(
    "everything-refused-for-a-while",
    "every request was refused with 500 for a while from here on",
    "tries again less and less often, and takes no failure for a verdict",
)
SERVER_GONE = PerturbationKind(
    "server-gone-for-a-while",
    "its watches were cut here, and every connection for a while",
    "connects again, and lists what it has missed",
)
SLOW = PerturbationKind(
    "answers-late-for-a-while",
    "every answer of the API server came late for a while from here on",
    "sends nothing a second time because the answer takes long",
)
SHORT_PAGES = PerturbationKind(
    "pages-short",
    "its watches ended with 410 here, and lists came in pages of one object",
    "follows `continue` until a list ends",
)
WATCH_REFUSED = PerturbationKind(
    "watch-refused-500",
    "its watches were cut here, and three times refused with 500",
    "opens a watch again until that succeeds",
)
WATCH_TOO_OLD = PerturbationKind(
    "watch-refused-410",
    "its watches were cut here, and refused with 410: their revision was too old",
    "lists again when a watch cannot be opened at its last revision",
)
STALE = PerturbationKind(
    "stale-reads-after-a-start",
    "it was killed before this and started after it, and read Workloads as they were before",
    "relies on the precondition of its writes, and on the watch that follows its list",
    restarts=True,
)
ONE_REFUSED = PerturbationKind(
    "verdicts-on-one-refused-for-a-while",
    "from here on every verdict on this Workload was refused with 500, until all others were answered",
    "serves other Workloads while it comes back to one whose verdict cannot be written",
)
SERVER_RESTARTED = PerturbationKind(
    "server-restarted",
    "the API server was restarted before this",
    "opens its watches again, and lists what it has missed",
)
CHECKS_LATE = PerturbationKind(
    "checks-late",
    "its watches of AdmissionChecks were silent during this and the next act",
    "looks at Workloads again that list a check when it learns of the check",
)
ACTIVE_CONFLICT = PerturbationKind(
    "active-refused-409",
    "the next three writes of a check's status were refused with 409",
    "reads the check again after a conflict, and writes what it is like then",
    meets_request=True,
)
ACTIVE_FAILED = PerturbationKind(
    "active-refused-500",
    "the next three writes of a check's status were refused with 500",
    "writes the status of a check again, however often that was refused",
    meets_request=True,
)
ACTIVE_LOST = PerturbationKind(
    "active-stored-and-connection-cut",
    "the next write of a check's status was stored, and the connection cut before the answer",
    "reads a check before it repeats a write whose outcome it does not know",
    meets_request=True,
)
WORK_REFUSED = PerturbationKind(
    "work-refused-500",
    "the next three requests to begin outside work were refused with 500",
    "begins outside work again, however often that was refused",
    meets_request=True,
)
WORK_LOST = PerturbationKind(
    "work-stored-and-connection-cut",
    "the next request to begin outside work took effect, and the connection was cut before the answer",
    "finds work that it has begun, and begins none twice",
    meets_request=True,
)
KILLED_AFTER_WORK = PerturbationKind(
    "killed-after-it-began-work",
    "the program was killed when it had begun outside work",
    "finds work that it has begun after a start, and begins none twice",
    meets_request=True,
    restarts=True,
)
END_OF_WORK_REFUSED = PerturbationKind(
    "end-of-work-refused-500",
    "the next three requests to end outside work were refused with 500",
    "ends outside work in the end, however often that was refused",
    meets_request=True,
)
LEADER_KILLED = PerturbationKind(
    "leader-killed",
    "a second replica was started before this, and the first, which had the lease, was killed",
    "takes over when a lease is not renewed, and reads then what it has to do",
    restarts=True,
)
STALE_SUCCESSOR = PerturbationKind(
    "led-by-an-older-replica",
    "before this the leader was killed, and a second replica took over, whose watches were silent"
    " during this and the next act",
    "relies on the precondition of its writes when it takes over, and not on what it has read before",
    restarts=True,
)
OF_LEADERS = (LEADER_KILLED, STALE_SUCCESSOR)
"""Those that need leader election."""
OF_CHECKS = (ACTIVE_CONFLICT, ACTIVE_FAILED, ACTIVE_LOST, CHECKS_LATE)
"""Those that meet what the controller does with AdmissionChecks."""
OF_WORK = (WORK_REFUSED, WORK_LOST, KILLED_AFTER_WORK, END_OF_WORK_REFUSED)
"""Those that meet its outside work, where that is objects of the cluster."""
OF_A_WHILE = frozenset({VERDICTS_REFUSED, SERVER_FAILS, SERVER_GONE, SLOW})
"""Those that end when a while has passed behind their act."""
DELAYING = OF_A_WHILE | {
    *(CONFLICTS, THROTTLINGS, FAILURES, LATE_WRITE, ONE_REFUSED),
    *(ACTIVE_CONFLICT, ACTIVE_FAILED, WORK_REFUSED, END_OF_WORK_REFUSED, *OF_LEADERS),
}
"""Those behind which a controller that is right may need the time of its pauses."""
KINDS = (
    KILLED_BEFORE_WRITE,
    KILLED_AFTER_WRITE,
    CONFLICT,
    CONFLICTS,
    THROTTLED,
    THROTTLINGS,
    FAILED,
    FAILURES,
    FAILED_AFTER_WRITE,
    ANSWER_LOST,
    LATE_WRITE,
    LATE_DECISION,
    DOWN,
    STALE,
    VERDICTS_REFUSED,
    SERVER_FAILS,
    SERVER_GONE,
    SLOW,
    WATCH_CUT,
    WATCH_REFUSED,
    WATCH_EXPIRED,
    WATCH_TOO_OLD,
    EVENT_LOST,
    FROZEN,
    REPEATED,
    SHORT_PAGES,
    ONE_REFUSED,
    SERVER_RESTARTED,
    CHECKS_LATE,
    ACTIVE_CONFLICT,
    ACTIVE_FAILED,
    ACTIVE_LOST,
    WORK_REFUSED,
    WORK_LOST,
    KILLED_AFTER_WORK,
    END_OF_WORK_REFUSED,
    *OF_LEADERS,
)


PERTURBATIONS = 2
"""The most perturbations of a story: most faults need the right acts, and no interruption."""
_WAITS = (Verb.SETTLE, Verb.IDLE)
_SETTING_ACTIVE = (Verb.BREAK_CHECK, Verb.MEND_CHECK, Verb.CREATE_CHECK, Verb.TAKE_CHECK)
_BEGINNING_WORK = (Verb.SUBMIT, Verb.RECREATE, Verb.RESERVE, Verb.REQUEUE, Verb.LIST)
_ENDING_WORK = (Verb.RELEASE, Verb.FINISH, Verb.DEACTIVATE, Verb.UNLIST, Verb.REQUEUE)
"""Acts behind which the controller may set Active, begin outside work, and end it."""


def plan(
    acts: Sequence[Act],
    writes: Sequence[int],
    seed: int,
    number: int,
    kinds: Collection[PerturbationKind] = KINDS,
) -> Sequence[Perturbation]:
    """Return at most so many perturbations, of different kinds, drawn from those that can show something.

    `writes` has the number of verdicts that the controller wrote between each act and the next one.
    """
    by_kind: dict[PerturbationKind, list[Perturbation]] = {}
    for candidate in _candidates(acts, writes):
        if candidate.kind in kinds:
            by_kind.setdefault(candidate.kind, []).append(candidate)
    draw = random.Random(f"perturbations {seed}")  # noqa: S311 - a choice, no secret
    chosen = [perturbation for row in by_kind.values() for perturbation in draw.sample(row, 1)]
    return draw.sample(chosen, min(number, len(chosen)))


def _candidates(acts: Sequence[Act], writes: Sequence[int]) -> Iterator[Perturbation]:
    world = new_world(
        max((act.workload for act in acts), default=1), max((act.check for act in acts), default=1)
    )
    for number, act in enumerate(acts, 1):
        before, world = world, after(world, act)
        if act.verb in _WAITS:
            continue
        yield from (Perturbation(kind, number) for kind in _kinds_at(act))
        if _has_answer_on_its_way(before, act):
            yield Perturbation(LATE_DECISION, number)
        if _verdicts_behind(number, acts, writes):
            yield from (Perturbation(kind, number) for kind in _OF_VERDICTS)


_OF_VERDICTS = [
    kind
    for kind in KINDS
    if kind.meets_request and kind is not LATE_DECISION and kind not in (*OF_CHECKS, *OF_WORK)
]
_ANYWHERE = [
    kind for kind in KINDS if not kind.meets_request and kind not in OF_CHECKS and kind is not ONE_REFUSED
]


def _kinds_at(act: Act) -> Iterator[PerturbationKind]:
    """Yield the kinds that can show something at an act, whatever the controller has written behind it."""
    yield from _ANYWHERE
    if act.workload:
        yield ONE_REFUSED
    elif act.verb in _SETTING_ACTIVE:
        yield from OF_CHECKS
    if act.verb in _BEGINNING_WORK:
        yield from (WORK_REFUSED, WORK_LOST, KILLED_AFTER_WORK)
    if act.verb in _ENDING_WORK:
        yield END_OF_WORK_REFUSED


def _has_answer_on_its_way(world: World, act: Act) -> bool:
    """Tell whether the controller may have asked about the Workload of an act that changes it."""
    if not act.workload or act.verb in (Verb.DECIDE, Verb.TROUBLE):
        return False
    workload = world.workloads[act.workload - 1]
    return workload.is_open and any(entry.decision and entry.is_listed for entry in workload.entries)


def _verdicts_behind(number: int, acts: Sequence[Act], writes: Sequence[int]) -> int:
    """Return how many verdicts came behind an act, those of the waits that follow it included."""
    waits = takewhile(lambda later: later[0].verb in _WAITS, zip(acts[number:], writes[number:], strict=True))
    return writes[number - 1] + sum(written for _, written in waits)
