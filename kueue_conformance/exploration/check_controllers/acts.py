"""Acts of a drawn story: what users, Kueue and the outside system do, one line of text each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from ...base.errors import UsageError
from .content import NOTHING, Content

STATES = ("Ready", "Retry", "Rejected")
"""The verdicts that an outside system can decide on."""
NO_DECISION = "Pending"
"""What an outside system that decides for all can come back to: nothing is decided."""
UNDECIDED = "Undecided"
TROUBLES = ("Error", "Nonsense", "UnknownState", UNDECIDED)
"""What an outside system can answer that is no verdict."""
DEACTIVATED = "Deactivated"
EVICTIONS = ("Preempted", "PodsReadyTimeout", "ClusterQueueStopped", "NodeFailures", DEACTIVATED)
"""The reasons of an eviction."""
UNSET, DELETED = "Unset", "Deleted"
MISTAKES_AT_CREATION = ("Missing", "Invalid", "OtherKind", "OtherGroup", UNSET)
MISTAKES = (*MISTAKES_AT_CREATION, DELETED)
"""What can be wrong with the parameters of a check; a check without any may be usable or not."""
IN_USE = "InUse"
"""The mark of a check that a ClusterQueue uses."""
_LINE = re.compile(
    r"(?P<verb>[a-z-]+)(?: w(?P<workload>[1-9]))?(?: c(?P<check>[1-9]))?(?: (?P<word>[A-Z][A-Za-z]+))?(?P<content>(?: [a-z-]+=[0-9-]+)*)"
)


class Verb(StrEnum):
    """What an act does."""

    SUBMIT = "submit"
    """A user creates the Workload; Kueue reserves quota and lists the checks."""
    CREATE = "create"
    """A user creates the Workload; Kueue has not looked at it yet."""
    DECIDE = "decide"
    """The outside system decides on the Workload, for the first time or otherwise."""
    DECIDE_ALL = "decide-all"
    """The outside system, a switch, decides on every Workload at once, also on those to come."""
    FAIL_ALL = "fail-all"
    """The outside system of every Workload is out of order until it decides again."""
    TROUBLE = "trouble"
    """The outside system answers with an error or with what is no verdict, until it decides."""
    ANNOTATE = "annotate"
    """A user changes an annotation."""
    EXTEND = "extend"
    """Kueue writes conditions and fields that a controller does not know."""
    EXPLAIN = "explain"
    """Kueue says why the Workload is not admitted, with an apply of the list of checks (KV-03, KV-16)."""
    NEIGHBOUR = "neighbour"
    """The other controllers set their entries."""
    EVICT = "evict"
    """Kueue evicts the Workload and puts its checks back to Pending; the quota is still held."""
    RELEASE = "release"
    """Kueue gives the quota of an evicted Workload back."""
    RESERVE = "reserve"
    """Kueue reserves quota, for the first time or again."""
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
    DEACTIVATE = "deactivate"
    """A user deactivates the Workload."""
    REACTIVATE = "reactivate"
    """A user activates it again."""
    UNLIST = "unlist"
    """The ClusterQueue no longer has the check: its entry goes."""
    LIST = "list"
    """The ClusterQueue has the check: its entry is new, and Pending."""
    DELETE = "delete"
    """A user deletes the Workload."""
    RECREATE = "recreate"
    """A user deletes the Workload and creates another of its name; Kueue reserves quota for it."""
    BREAK_CHECK = "break-check"
    """The parameters of the check go, or become wrong."""
    MEND_CHECK = "mend-check"
    """The check has good parameters again."""
    TOUCH_CHECK = "touch-check"
    """A user changes a label of the check."""
    MARK_CHECK = "mark-check"
    """Another client adds a label, a finalizer and a condition to the check, or Kueue its finalizer."""
    UNMARK_CHECK = "unmark-check"
    """They take their finalizers away: nothing uses the check any more."""
    DROP_CHECK = "drop-check"
    """A user deletes the check; Workloads still list it."""
    CREATE_CHECK = "create-check"
    """A user creates the check again, with good parameters or wrong ones."""
    GIVE_CHECK = "give-check"
    """A user deletes the check and creates another of its name for another controller."""
    TAKE_CHECK = "take-check"
    """A user deletes that check and creates the first again."""
    IDLE = "idle"
    """A while passes in which nothing happens; the controller writes nothing and asks little."""
    SETTLE = "settle"
    """Nothing happens until the controller has done what it has to."""


FOR_ALL = frozenset({Verb.DECIDE_ALL, Verb.FAIL_ALL})
"""Acts of an outside system that decides about every Workload at once."""


@dataclass(frozen=True, slots=True)
class Form:
    """What the line of an act names beside its verb."""

    workload: bool = True
    check: bool = False
    words: tuple[str, ...] = ("",)
    has_content: bool = False


_CHECK = Form(workload=False, check=True)
_NOTHING = Form(workload=False)
FORMS: Mapping[Verb, Form] = {
    **dict.fromkeys(Verb, Form()),
    Verb.SUBMIT: Form(words=("", "NoRequests")),
    Verb.DECIDE: Form(check=True, words=STATES, has_content=True),
    Verb.DECIDE_ALL: Form(workload=False, words=(*STATES, NO_DECISION), has_content=True),
    Verb.TROUBLE: Form(check=True, words=TROUBLES),
    Verb.ANNOTATE: Form(words=("", "Large")),
    Verb.NEIGHBOUR: Form(words=STATES),
    Verb.EVICT: Form(words=("", *EVICTIONS)),
    Verb.FINISH: Form(words=("", "Failed")),
    **dict.fromkeys((Verb.OVERWRITE, Verb.UNLIST, Verb.LIST), Form(check=True)),
    **dict.fromkeys((Verb.MEND_CHECK, Verb.TOUCH_CHECK, Verb.UNMARK_CHECK), _CHECK),
    **dict.fromkeys((Verb.DROP_CHECK, Verb.GIVE_CHECK, Verb.TAKE_CHECK), _CHECK),
    Verb.MARK_CHECK: Form(workload=False, check=True, words=("", IN_USE)),
    Verb.CREATE_CHECK: Form(workload=False, check=True, words=("", *MISTAKES_AT_CREATION)),
    Verb.BREAK_CHECK: Form(workload=False, check=True, words=MISTAKES),
    **dict.fromkeys((Verb.FAIL_ALL, Verb.IDLE, Verb.SETTLE), _NOTHING),
}
"""The forms of lines by verb."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act: its verb, the number of its Workload and of its check, where it has them, a word such as the
    state of `decide`, and what a verdict says beside its state.
    """

    verb: Verb
    workload: int = 0
    check: int = 0
    word: str = ""
    content: Content = NOTHING

    def __str__(self) -> str:
        workload = f"w{self.workload}" if self.workload else ""
        # The first check is the usual one, and needs no word.
        check = f"c{self.check}" if self.check > 1 else ""
        return " ".join(filter(None, [self.verb, workload, check, self.word, str(self.content)]))

    @property
    def form(self) -> str:
        """Its verb and its word, such as `decide Retry`."""
        return form_of(self.verb, self.word)

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the act that a line names. Raises UsageError."""
        parsed = _LINE.fullmatch(text)
        if parsed is None or parsed["verb"] not in set(Verb):
            raise UsageError(
                f"{text!r} is no act", hint=f"expected one of {', '.join(Verb)}, with a Workload such as w1"
            )
        form, verb = FORMS[Verb(parsed["verb"])], Verb(parsed["verb"])
        act = cls(
            verb,
            int(parsed["workload"] or 0),
            int(parsed["check"] or form.check),
            parsed["word"] or "",
            Content.of(parsed["content"]),
        )
        if act.word not in form.words:
            raise UsageError(
                f"{text!r} is no act: `{verb}` has {f'the word {act.word}' if act.word else 'no word'}",
                hint=f"expected {' or '.join(word or 'nothing' for word in form.words)} there",
            )
        if bool(act.workload) != form.workload or (act.check > 0) != form.check:
            raise UsageError(
                f"{text!r} is no act: it names a Workload or a check too many, or lacks one",
                hint=f"expected `{verb}{' w1' * form.workload}{' c1' * form.check}`",
            )
        if act.content != NOTHING and (not form.has_content or act.word == NO_DECISION):
            raise UsageError(f"{text!r} is no act: a verdict alone says more", hint="leave out what has `=`")
        return act


def form_of(verb: Verb, word: str) -> str:
    """Return the form of an act with this verb and word."""
    return f"{verb} {word}".rstrip()


SETTLE = Act(Verb.SETTLE)
IDLE = Act(Verb.IDLE)
