"""Carries one perturbation out in a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from ..cluster.fake_cluster import FakeCluster
from ..faults import Answer, Drop, Effect, Hit, Hold, Repeat, Stale
from ..journal.entry import Entry
from .operators import USERS
from .perturbations import Kind, Perturbation
from .trace import is_of_operator

RULE = "perturbation"
FOR_EVER_SECONDS = 1e9
AT_WRITE: Mapping[Kind, Effect] = {
    Kind.KILL_BEFORE_WRITE: Drop(),
    Kind.KILL_AFTER_WRITE: Drop(after_commit=True),
    Kind.CONFLICT: Answer(409),
    Kind.THROTTLED: Answer(429, retry_after=1),
    Kind.FAILED: Answer(500),
    Kind.TIMED_OUT: Answer(504, after_commit=True),
    Kind.ANSWER_LOST: Drop(after_commit=True),
}
"""What the write meets."""
IN_ACT: Mapping[Kind, Effect] = {
    Kind.REPEATED: Repeat(),
    Kind.SKIPPED: Hold(FOR_EVER_SECONDS),
    Kind.LATE: Hold(FOR_EVER_SECONDS),
}
"""What the events of the act meet."""
END_CODES = {Kind.WATCHES_CUT: 0, Kind.WATCHES_EXPIRED: 410}
GONE = 410


class Killable(Protocol):
    """The operator of a run, as far as a perturbation needs it."""

    def kill(self) -> None:
        """Kill it; it is started again when it is seen to be dead."""

    def keep_down(self) -> None:
        """Kill it, and do not start it again."""

    def start_again(self) -> None:
        """Start it after it was down."""


class Disturbance:
    """The perturbation of one run; None disturbs nothing."""

    def __init__(self, perturbation: Perturbation | None, cluster: FakeCluster, operator: Killable) -> None:
        self._perturbation = perturbation
        self._cluster = cluster
        self._operator = operator
        self._revisions: dict[int, int] = {}
        """The revision before each act."""
        self._unsubscribe: list[Callable[[], None]] = [cluster.faults.subscribe(self._on_hit)]
        self.met_at: int | None = None
        """The journal's number when it happened; None before."""
        self._matching_writes = 0
        self._is_under_way = False
        """Whether it has begun: one of events has, before any event comes."""
        if perturbation is not None and perturbation.target is not None:
            self._await_write(perturbation)

    def before_act(self, number: int) -> None:
        """Begin, where it is the act's own."""
        self._revisions[number] = self._cluster.snapshot().revision
        perturbation = self._perturbation
        if perturbation is None or perturbation.target is not None or perturbation.number != number:
            return
        if perturbation.kind is Kind.DOWN:
            self._meet()
            self._operator.keep_down()
        elif perturbation.kind in END_CODES:
            self._meet()
            self._cluster.end_watches(END_CODES[perturbation.kind], actor=USERS)
        elif effect := IN_ACT.get(perturbation.kind):
            self._disturb_events(effect)

    def after_act(self, number: int) -> None:
        """Do what follows an act before the operator has come to rest."""
        if self._is_act(number, Kind.DOWN):
            self._operator.start_again()

    def after_rest(self, number: int) -> bool:
        """Do what follows an act when the operator is at rest; tell whether it has to come to rest again."""
        if self._is_act(number, Kind.RESTART):
            self._meet()
            self._operator.keep_down()
            self._operator.start_again()
            return True
        if self._is_act(number, Kind.STALE_RESTART):
            self._restart_behind_stale_cache(number)
            return True
        perturbation = self._perturbation
        if perturbation is None or not self._is_under_way:
            return False
        # Those of events go on during the next act, so that what happens there meets an old view.
        ends_after = perturbation.act if perturbation.kind is Kind.REPEATED else perturbation.act + 1
        return number >= ends_after and self.end()

    def end(self) -> bool:
        """Disturb nothing any more; tell whether anything is on its way to the operator now."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe.clear()
        perturbation = self._perturbation
        rules = [rule for rule in self._cluster.faults.rules if rule.id.startswith(RULE)]
        for rule in rules:
            self._cluster.faults.remove(rule.id)
        if perturbation is None or not any(isinstance(rule.effect, Hold) for rule in rules):
            return False
        # A watch that was held goes on from where its client is.
        code = GONE if perturbation.kind is Kind.SKIPPED else 0
        self._cluster.end_watches(code, actor=USERS)
        return True

    def _is_act(self, number: int, kind: Kind) -> bool:
        perturbation = self._perturbation
        return perturbation is not None and (perturbation.kind, perturbation.number) == (kind, number)

    def _await_write(self, perturbation: Perturbation) -> None:
        """Meet the write, from before the operator starts."""
        target, faults = perturbation.target, self._cluster.faults
        assert target is not None
        if effect := AT_WRITE.get(perturbation.kind):
            faults.add(
                effect,
                id=RULE,
                precaution=True,
                actor=USERS,
                nth=target.nth,
                verb=target.verb,
                resource=target.resource,
                namespace=target.namespace,
                name=target.name,
            )
        self._unsubscribe.append(self._cluster.journal.subscribe(self._on_entry))

    def _on_hit(self, hit: Hit) -> None:
        """Note that the write or event is met, and kill the operator before the write; called on the
        cluster's loop.
        """
        perturbation = self._perturbation
        if perturbation is None or not hit.rule.startswith(RULE) or self.met_at is not None:
            return
        self._meet()
        if perturbation.kind is Kind.KILL_BEFORE_WRITE:
            self._operator.kill()

    def _on_entry(self, entry: Entry) -> None:
        """Act when the write is stored and not yet answered; called on the cluster's loop."""
        perturbation = self._perturbation
        if perturbation is None or not self._is_target(entry):
            return
        self._matching_writes += 1
        target = perturbation.target
        if target is None or self._matching_writes != target.nth:
            return
        if perturbation.kind is Kind.KILL_AFTER_WRITE:
            self._operator.kill()
        elif perturbation.kind is Kind.LATE_AFTER_WRITE:
            self._disturb_events(Hold(FOR_EVER_SECONDS))

    def _is_target(self, entry: Entry) -> bool:
        target = self._perturbation.target if self._perturbation else None
        return (
            target is not None
            and is_of_operator(entry, USERS)
            and not entry.dry_run
            and (entry.verb, entry.target, entry.namespace)
            == (target.verb, target.resource, target.namespace)
            and target.name in ("", entry.name)
        )

    def _disturb_events(self, effect: Effect) -> None:
        assert self._perturbation is not None
        for number, resource in enumerate(sorted(self._perturbation.resources)):
            self._cluster.faults.add(
                effect, id=f"{RULE}-{number}", precaution=True, verb="watch", actor=USERS, resource=resource
            )
        self._is_under_way = True

    def _restart_behind_stale_cache(self, number: int) -> None:
        """Start the operator again; until the next act is over it reads what was before this one."""
        lag = self._cluster.snapshot().revision - self._revisions[number]
        self._operator.keep_down()
        if lag > 0:
            faults = self._cluster.faults
            faults.add(
                Stale(lag, only_from_cache=True), id=f"{RULE}-read", precaution=True, verb="*", actor=USERS
            )
            faults.add(Hold(FOR_EVER_SECONDS), id=f"{RULE}-watch", precaution=True, actor=USERS)
        self._operator.start_again()

    def _meet(self) -> None:
        self.met_at = self._cluster.journal.last
        self._is_under_way = True
