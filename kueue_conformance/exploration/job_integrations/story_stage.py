"""Carries the acts of a story of jobs out on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ...base.errors import UnmetPremise
from ...base.job_fields import value_at
from ...base.json_types import Json
from ...case.context import CaseContext
from ...stage import Queue, Stage
from ...stage.integration.integration import Integration
from ...stage.integration.job import IntegratedJob
from ...stage.workloads.workload import Workload
from ...subject.job_kind import JobKind
from ...wire.client import ApiError
from .acts import Act, Verb
from .model import JobWish
from .story import Story

_CREATION_CPU, _QUOTA = "1", "4"
_CLASSES: Mapping[str, int] = {"p1": 1, "p2": 1000}
_NOTE = "example.com/note"
_OWN_LABEL = {"example.com/own": "mine"}
"""What the user of each job writes into its pod templates."""
_TOLERATION = {"key": "spot", "operator": "Exists", "effect": "NoSchedule"}


class StoryStage:
    """Acts as users, administrators, the check controller, and the operator of the kind.

    What the API server refuses, or cannot be done now, is left undone: `outcomes` has a word for each act.
    """

    def __init__(self, stage: Stage, integration: Integration, kind: JobKind, story: Story) -> None:
        self._stage = stage
        self._context: CaseContext = stage.context
        self.integration = integration
        self.kind = kind
        self.queues = _queues(stage, story)
        self._classes = {name: stage.make_priority_class(value) for name, value in _CLASSES.items()}
        self._names = {name: integration.new_name() for name in story.jobs}
        self.jobs: dict[str, IntegratedJob] = {}
        self.wishes: dict[str, JobWish] = {}
        """What the user of each job wants, by the job's short name."""
        self.outcomes: list[str] = []
        self._acts = self._acts_by_verb()

    def carry_out(self, act: Act) -> None:
        """Carry an act out, where that is possible now."""
        try:
            self._acts[act.verb](act)
        except _Undone:
            self.outcomes.append("nothing to do")
        # A user is refused as well: a Job that runs keeps its pod template.
        except ApiError as refusal:
            self.outcomes.append(f"HTTP {refusal.code}")
        else:
            self.outcomes.append("done")

    def _acts_by_verb(self) -> Mapping[str, Callable[[Act], object]]:
        return {
            Verb.SUBMIT: self._submit,
            Verb.RECREATE: self._recreate,
            Verb.DELETE: lambda act: self._job(act).delete(),
            Verb.SUSPEND: lambda act: self._job(act).suspend(),
            Verb.RESUME: self._resume,
            Verb.MOVE: self._move,
            Verb.COUNT: self._count,
            Verb.REQUEST: self._request,
            Verb.PRIORITIZE: self._prioritize,
            Verb.LABEL: self._label,
            Verb.BEGIN: self._begin,
            Verb.END: self._end,
            Verb.SUCCEED: lambda act: self._open_job(act).succeed(),
            Verb.FAIL: lambda act: self._open_job(act).fail(),
            Verb.ANSWER: self._answer,
            Verb.DEACTIVATE: lambda act: self._workload(act).deactivate(),
            Verb.ACTIVATE: lambda act: self._workload(act).reactivate(),
            Verb.DROP: lambda act: self._workload(act).delete_workload(),
            Verb.QUOTA: self._set_quota,
            Verb.STOP: lambda act: self.queues[act.name].set_stop_policy(
                "cluster-queue", act.option("policy")
            ),
        }

    def end_pods(self) -> bool:
        """Let the pods of each job end that is suspended; return whether there were any."""
        fields, was_active = self.kind.fields, False
        for job in self.jobs.values():
            document = job.object
            if document and fields.is_suspended(document) and fields.has_pods(document):
                job.end_pods()
                was_active = True
        return was_active

    def _job(self, act: Act) -> IntegratedJob:
        job = self.jobs.get(act.name)
        if job is None or not job.object:
            raise _Undone
        return job

    def _open_job(self, act: Act) -> IntegratedJob:
        job = self._job(act)
        if self.kind.fields.has_ended(job.object):
            raise _Undone
        return job

    def _workload(self, act: Act) -> Workload:
        workload = self._job(act).workload
        if not workload.exists():
            raise _Undone
        return workload

    def _submit(self, act: Act) -> None:
        if act.name in self.jobs and self.jobs[act.name].object:
            raise _Undone
        self._create(act)

    def _recreate(self, act: Act) -> None:
        job = self._job(act)
        job.delete()
        context = self._context
        # The name is free when finalizers are gone, which the garbage collector may have to wait for.
        if not context.cluster.wait(
            lambda: bool(job.is_gone()), context.budgets.seconds("cleanup"), context.react
        ):
            raise UnmetPremise("undetermined: a job that was deleted is still there", hint="explore again")
        self._create(act)

    def _create(self, act: Act) -> None:
        queue = None if act.option("to") == "none" else self.queues[act.option("to", "q1")]
        chosen = self._classes[act.option("class")] if act.option("class") else ""
        pods = int(act.option("pods", "1"))
        job = self.integration.submit(
            queue,
            name=self._names[act.name],
            parallelism=pods,
            cpu=act.option("cpu", _CREATION_CPU),
            suspended=not act.option("runs"),
            priority_class=chosen,
            template={"labels": _OWN_LABEL, "annotations": _OWN_LABEL},
        )
        self.jobs[act.name] = job
        # Of what was created, and not of the job: that may run already.
        templates = self.kind.templates(self.kind.new_job(parallelism=pods))
        metadata = {"labels": _OWN_LABEL, "annotations": _OWN_LABEL}
        self.wishes[act.name] = JobWish(
            templates=[{**template, "metadata": metadata} for template in templates],
            is_managed=queue is not None,
            was_resumed=bool(act.option("runs")),
        )

    def _resume(self, act: Act) -> None:
        self._job(act).resume()
        self.wishes[act.name] = replace(self.wishes[act.name], was_resumed=True)

    def _move(self, act: Act) -> None:
        job = self._job(act)
        if not self.wishes[act.name].is_managed:
            raise _Undone
        job.set_queue(self.queues[act.option("to")])

    def _count(self, act: Act) -> None:
        job, main = self._open_job(act), self.kind.main
        pods = int(act.option("pods"))
        # Fewer alone: a batch/v1 Job never runs more pods than it has completions, which stay.
        if not main.count or pods >= int(value_at(job.object, main.count) or 0):
            raise _Undone
        job.set_parallelism(pods)

    def _request(self, act: Act) -> None:
        job = self._open_job(act)
        # Kubernetes takes another pod template only while a Job is suspended and has no pods.
        if not self.kind.fields.is_suspended(job.object) or self.kind.fields.has_pods(job.object):
            raise _Undone
        job.set_cpu(act.option("cpu"))

    def _prioritize(self, act: Act) -> None:
        self._open_job(act).set_priority_class(self._classes[act.option("class")])

    def _label(self, act: Act) -> None:
        job = self._job(act)
        job.set_label(_NOTE, "mine")
        if job.workload.exists():
            job.workload.annotate(_NOTE, "mine")

    def _begin(self, act: Act) -> None:
        job = self._open_job(act)
        # The operator of the kind makes no pods for a job that is held back.
        if self.kind.fields.is_suspended(job.object) or self.kind.fields.has_pods(job.object):
            raise _Undone
        job.begin_pods()

    def _end(self, act: Act) -> None:
        job = self._open_job(act)
        if not self.kind.fields.has_pods(job.object):
            raise _Undone
        job.end_pods()

    def _answer(self, act: Act) -> None:
        job, workload, checks = self._job(act), self._workload(act), self.queues["q1"].checks
        index = 1 if act.option("check") else 0
        listed: Json = workload.object.get("status", {}).get("admissionChecks", [])
        states = {entry["name"]: entry["state"] for entry in listed}
        state = states.get(checks[index].name) if index < len(checks) else None
        # A second Ready could ask for other pods, which a job that runs does not get any more.
        if state is None or (act.option("state") == "Ready" and state != "Pending"):
            raise _Undone
        fields: dict[str, Any] = {}
        if act.option("state") == "Ready":
            section = act.option("update")
            fields["updates"] = self._stage.pod_updates(section, pods=job.main_pod_set) if section else []
        checks[index].answer(workload, act.option("state"), **fields)

    def _set_quota(self, act: Act) -> None:
        queue = self.queues[act.name]
        queue.set_quotas(*[act.option("cpu")] * len(queue.flavors))


class _Undone(Exception):
    """An act that cannot be done now."""


def _queues(stage: Stage, story: Story) -> Mapping[str, Queue]:
    """Return the queues of a story by their names in it; `missing` is not there."""
    # One flavor has nodes that need a toleration, so that a wrong restoration shows in each section.
    flavors = [stage.make_flavor(tolerations=[_TOLERATION]), stage.make_flavor()][: story.flavors]
    # Quota is small: stories of three jobs wait, and preempt one another.
    preemption: Mapping[str, Any] = {"preemption": {"withinClusterQueue": "LowerPriority"}}
    first = stage.make_queue(story.checks, flavors=flavors, cpu=_QUOTA, **preemption)
    return {
        "q1": first,
        "q2": stage.make_queue(cpu=_QUOTA, **preemption),
        "missing": stage.missing_queue(),
    }
