"""What interrupts an operator, and what each kind shows (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from .trace import Target


class Kind(StrEnum):
    """What happens. Those of a write meet the operator's nth write; those of an act begin with it."""

    KILL_BEFORE_WRITE = "kill-before-write"
    KILL_AFTER_WRITE = "kill-after-write"
    CONFLICT = "conflict-at-write"
    THROTTLED = "too-many-requests-at-write"
    FAILED = "error-at-write"
    TIMED_OUT = "timeout-after-write"
    ANSWER_LOST = "answer-lost-after-write"
    LATE_AFTER_WRITE = "late-events-after-write"
    RESTART = "restart-after-act"
    DOWN = "down-in-act"
    WATCHES_CUT = "watches-cut-before-act"
    WATCHES_EXPIRED = "watches-expired-before-act"
    REPEATED = "events-twice-in-act"
    SKIPPED = "events-skipped-in-act"
    LATE = "late-events-in-act"
    STALE_RESTART = "stale-restart-after-act"


class Meaning(Struct, frozen=True):
    """What a kind does, and what an operator does that it does not harm."""

    text: str
    advice: str


MEANINGS: Mapping[Kind, Meaning] = {
    Kind.KILL_BEFORE_WRITE: Meaning(
        "the operator was killed when it sent this write, which was not stored, and started again",
        "work from what is stored, not from what the process remembers",
    ),
    Kind.KILL_AFTER_WRITE: Meaning(
        "the operator was killed when this write had been stored, and started again",
        "find out after a start what was written before it: names that can be computed, owner references",
    ),
    Kind.CONFLICT: Meaning(
        "this write was refused with 409 Conflict", "read the object again and decide again, then write"
    ),
    Kind.THROTTLED: Meaning("this write was refused with 429", "send it again after Retry-After"),
    Kind.FAILED: Meaning("this write was refused with 500", "try again later"),
    Kind.TIMED_OUT: Meaning(
        "this write was stored, and answered with 504",
        "read before a write is repeated whose outcome is not known",
    ),
    Kind.ANSWER_LOST: Meaning(
        "this write was stored, and the connection was cut before the answer",
        "read before a write is repeated whose outcome is not known",
    ),
    Kind.LATE_AFTER_WRITE: Meaning(
        "the event of this write came late: after the next act, and after those of other kinds",
        "do not act on a cache that is older than the own last write: use names that can be computed, "
        "expectations, or a read from the server",
    ),
    Kind.RESTART: Meaning(
        "the operator was killed when it was at rest behind the act, and started again",
        "wait at the start until every cache is filled; take what is there already as it is",
    ),
    Kind.DOWN: Meaning(
        "the operator was down during the act, and was started after it",
        "at the start, list everything, also what changed or went meanwhile",
    ),
    Kind.WATCHES_CUT: Meaning(
        "the operator's watches were cut before the act", "watch again from the last revision, or list again"
    ),
    Kind.WATCHES_EXPIRED: Meaning(
        "the operator's watches ended with 410 before the act", "after 410, list again and go on from there"
    ),
    Kind.REPEATED: Meaning(
        "every event of the act came twice", "do nothing for an event that changes nothing"
    ),
    Kind.SKIPPED: Meaning(
        "no event of the act came: the watch ended with 410, and a list shows only what is there now",
        "compare what is listed with what was known, deletions and recreations included",
    ),
    Kind.LATE: Meaning(
        "the events of the act came after the next act",
        "decide from the newest state, not from the event that woke the operator",
    ),
    Kind.STALE_RESTART: Meaning(
        "the operator was started again behind a cache of the API server that lags: its reads with "
        "resourceVersion=0 showed the state before the act",
        "do not delete or create for what a cached list does not show: read from the server first",
    ),
}
OF_WRITES = frozenset(
    {
        Kind.KILL_BEFORE_WRITE,
        Kind.KILL_AFTER_WRITE,
        Kind.CONFLICT,
        Kind.THROTTLED,
        Kind.FAILED,
        Kind.TIMED_OUT,
        Kind.ANSWER_LOST,
        Kind.LATE_AFTER_WRITE,
    }
)


class Perturbation(Struct, frozen=True, kw_only=True):
    """A kind, the number of the write or act, and what the number stands for."""

    kind: Kind
    number: int
    act: int
    """In or after which act it happens, from 1; 0 before the first."""
    target: Target | None = None
    """The write that is met."""
    resources: frozenset[str] = frozenset()
    """The resources whose events are late, repeated or skipped."""

    @property
    def name(self) -> str:
        """How `only=` names it."""
        return f"{self.kind}-{self.number}"
