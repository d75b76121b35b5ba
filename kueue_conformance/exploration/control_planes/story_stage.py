"""Carries the acts of a story out on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...stage import Stage
from ...stage.clock import Clock
from ...wire.client import ApiError
from .acting.act_outcome import NOTHING_TO_DO, CarryOut
from .acting.administrator_acts import AdministratorActs
from .acting.boundary_acts import BoundaryActs
from .acting.check_acts import CheckActs
from .acting.job_acts import JobActs
from .acting.submitted_workloads import SubmittedWorkloads
from .acting.workload_acts import WorkloadActs
from .acts import Act, Verb
from .object_names import ObjectNames
from .pending_lists import PendingLists, read_lists

_PASSED_ON = frozenset(
    {
        Verb.ANSWER,
        Verb.PROVISION,
        Verb.DROP_REQUEST,
        Verb.FINISH,
        Verb.RECLAIM,
        Verb.PODS,
        Verb.MOVE,
        Verb.CHANGE_JOB,
        Verb.SUSPEND,
        Verb.FAIL,
        Verb.DROP_WORKLOAD,
        Verb.ACTIVATE,
        Verb.DEACTIVATE,
        Verb.SET_PRIORITY,
    }
)
"""Acts on any Workload on which they can be done."""


class StoryStage:
    """Acts as users, administrators and check controllers.

    What cannot be done on a Workload now is done on the next one on which it can. An act that the API server
    refuses, or that can be done on none, is left undone: `outcomes` has a word for each act.
    """

    def __init__(self, stage: Stage, *, has_webhooks: bool = False) -> None:
        self._context = stage.context
        self.namespace = stage.namespace
        """That of the story's Workloads."""
        self._names = ObjectNames(stage)
        where = self._context, self.namespace, self._names
        workloads = SubmittedWorkloads(*where)
        jobs = JobActs(*where)
        boundaries = BoundaryActs(self._context, self.namespace, has_webhooks=has_webhooks)
        self.contradictions = boundaries.contradictions
        """What was answered otherwise than the API defines it."""
        self.outcomes: list[str] = []
        self.done: Act | None = None
        """The newest act as it was done; None where it was left undone."""
        self.end_pods = jobs.end_pods
        self._acts: CarryOut = {
            Verb.CONFIGURE: lambda _: None,
            Verb.NAMES: lambda _: None,
            Verb.RESTART: lambda _: self._context.restart(),
            Verb.WAIT: lambda act: Clock(self._context).advance(float(act.option("seconds"))),
            **AdministratorActs(*where).acts,
            **CheckActs(*where, workloads).acts,
            **jobs.acts,
            **boundaries.acts,
            **WorkloadActs(*where, workloads, jobs).acts,
        }

    def carry_out(self, act: Act) -> None:
        """Carry out an act."""
        self.done = None
        try:
            self.done = next((other for other in self._possible(act) if self._act(other)), None)
            self.outcomes.append(f"done {self.done.name}".rstrip() if self.done else "nothing to do")
        except ApiError as refusal:
            self.outcomes.append(f"HTTP {refusal.code}")

    def _act(self, act: Act) -> bool:
        """Carry out an act; return False where there is nothing to do."""
        return self._acts[Verb(act.verb)](act) is not NOTHING_TO_DO

    def _possible(self, act: Act) -> Iterator[Act]:
        """Yield an act, and the same act on each other Workload, from its own on."""
        yield act
        if act.verb in _PASSED_ON:
            names = sorted(self._names.forms)
            later = [name for name in names if name > act.name]
            for name in [*later, *(name for name in names if name < act.name)]:
                yield replace(act, name=name)

    @property
    def short_names(self) -> Mapping[str, str]:
        """The short form of each name."""
        return self._names.short_forms

    def read_lists(self) -> PendingLists:
        """Return the lists of pending Workloads of the queues that were created."""
        names = {kind: self._names.of_kind(kind) for kind in ("ClusterQueue", "LocalQueue")}
        return read_lists(self._context, self.namespace, names)
