"""Carries the acts of a story out on a cluster, and reads what the controller's entries say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...stage import Queue, Stage
from ...stage.kueue.scripted_kueue import ScriptedKueue
from ...stage.subject.subject import Subject
from ...stage.workloads.workload import Workload
from .acts import Act, Verb
from .drawing import Story


class StoryStage:
    """Acts as users, Kueue and the outside system; Workloads are made when they are submitted."""

    def __init__(self, stage: Stage, kueue: ScriptedKueue, subject: Subject, story: Story) -> None:
        self._stage = stage
        self._kueue = kueue
        self._subject = subject
        self._check = subject.make_check()
        foreign = [stage.make_check()] if story.foreign_check else []
        self._queue: Queue = stage.make_queue([self._check, *foreign])
        self._workloads = [
            Workload(stage.context, stage.namespace, stage.names.name("workload"))
            for _ in range(story.workloads)
        ]
        self._annotations = 0
        self._acts: Mapping[Verb, Callable[[Workload, Act], object]] = {
            Verb.SUBMIT: lambda workload, _: self._submit(workload),
            Verb.DECIDE: lambda workload, act: subject.set_answer(act.state, about=workload),
            Verb.ANNOTATE: lambda workload, _: self._annotate(workload),
            Verb.UNLIST: lambda workload, _: kueue.list_checks(workload, *foreign),
            Verb.LIST: lambda workload, _: kueue.list_checks(workload, *self._queue.checks),
            Verb.OVERWRITE: lambda workload, _: kueue.overwrite_verdict(workload, self._check),
            Verb.DELETE: lambda workload, _: workload.delete(),
            Verb.RECREATE: lambda workload, _: kueue.recreate(workload, self._queue),
            Verb.EVICT: lambda workload, _: kueue.evict(workload),
            Verb.RELEASE: lambda workload, _: kueue.release(workload),
            Verb.RESERVE: lambda workload, _: kueue.reserve(workload),
            Verb.REQUEUE: lambda workload, _: kueue.requeue(workload),
            Verb.CANCEL: lambda workload, _: kueue.cancel_reservation(workload),
            Verb.ADMIT: lambda workload, _: kueue.admit(workload),
            Verb.FINISH: lambda workload, _: kueue.finish(workload),
        }

    def carry_out(self, act: Act) -> None:
        """Carry out an act that is about a Workload."""
        self._acts[act.verb](self._workloads[act.workload - 1], act)

    @property
    def states(self) -> Sequence[str]:
        """The states of the check by Workload; empty where there is no entry."""
        return [self._state_of(workload) for workload in self._workloads]

    @property
    def names(self) -> Sequence[str]:
        """The names of the Workloads."""
        return [workload.name for workload in self._workloads]

    def _state_of(self, workload: Workload) -> str:
        stored = self._stage.context.client.find("Workload", workload.name, workload.namespace) or {}
        entries = stored.get("status", {}).get("admissionChecks", [])
        return next((str(entry["state"]) for entry in entries if entry["name"] == self._check.name), "")

    def _submit(self, workload: Workload) -> None:
        self._kueue.recreate(workload, self._queue)

    def _annotate(self, workload: Workload) -> None:
        self._annotations += 1
        workload.annotate("example.com/note", f"{self._annotations}")
