"""Acts of a drawn story: what users, Kueue and the outside system do to a Workload, one line of text each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from ...base.errors import UsageError

STATES = ("Ready", "Retry", "Rejected")
"""The verdicts that an outside system can decide on."""
_LINE = re.compile(r"(?P<verb>[a-z-]+)(?: w(?P<workload>[1-9]))?(?: (?P<state>[A-Z][a-z]+))?")


class Verb(StrEnum):
    """What an act does."""

    SUBMIT = "submit"
    """A user creates the Workload; Kueue reserves quota and lists the check."""
    DECIDE = "decide"
    """The outside system decides on the Workload."""
    ANNOTATE = "annotate"
    """A user changes an annotation."""
    EVICT = "evict"
    """Kueue evicts the Workload and puts its checks back to Pending; the quota is still held."""
    RELEASE = "release"
    """Kueue gives the quota of an evicted Workload back."""
    RESERVE = "reserve"
    """Kueue reserves quota again."""
    REQUEUE = "requeue"
    """Kueue evicts, releases and reserves again in three writes without a pause."""
    OVERWRITE = "overwrite"
    """Kueue puts the verdict back to Pending, as an apply made from an older copy does (AC-372)."""
    CANCEL = "cancel"
    """Kueue cancels the reservation without an eviction; the verdict stays."""
    ADMIT = "admit"
    """Kueue admits a Workload that is Ready."""
    FINISH = "finish"
    """The Workload finishes."""
    UNLIST = "unlist"
    """The ClusterQueue no longer has the check: its entry goes."""
    LIST = "list"
    """The ClusterQueue has the check again: its entry is new, and Pending."""
    DELETE = "delete"
    """A user deletes the Workload."""
    RECREATE = "recreate"
    """A user deletes the Workload and creates another of its name; Kueue reserves quota for it."""
    SETTLE = "settle"
    """Nothing happens until the controller has done what it has to."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act: its verb, the number of its Workload (0 for `settle`), and the state of `decide`."""

    verb: Verb
    workload: int = 0
    state: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, [self.verb, f"w{self.workload}" if self.workload else "", self.state]))

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the act that a line names. Raises UsageError."""
        parsed = _LINE.fullmatch(text)
        if parsed is None or parsed["verb"] not in set(Verb):
            raise UsageError(
                f"{text!r} is no act", hint=f"expected one of {', '.join(Verb)}, with a Workload such as w1"
            )
        act = cls(Verb(parsed["verb"]), int(parsed["workload"] or 0), parsed["state"] or "")
        if act.state not in (STATES if act.verb is Verb.DECIDE else ("",)):
            raise UsageError(
                f"{text!r} is no act: `decide` alone names a state, one of {', '.join(STATES)}",
                hint="for example `decide w1 Ready`",
            )
        return act


SETTLE = Act(Verb.SETTLE)
