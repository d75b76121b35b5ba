"""What may stand in jobs and Workloads at a rest, by docs/facts/integrations.md (pure).

It shares no code with the reference, and judges one moment: what was written on the way is judged by the
safety rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...base.job_fields import FAILED, QUEUE_LABEL, SUCCEEDED, JobFields
from ...base.json_types import Json
from ...rules.job_integration.pods import describe_difference, describe_wrong_pods
from ...rules.job_integration.writes import fits, is_deleted, lets_run
from ...rules.workload import conditions, is_true, owner
from ...rules.writes import World

PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
_ENDS: Mapping[str, str] = {SUCCEEDED: "Succeeded", FAILED: "Failed"}


@dataclass(frozen=True, slots=True)
class JobWish:
    """What the user of a job wants: its pod templates, and whether Kueue manages it."""

    templates: Sequence[Json]
    is_managed: bool
    was_resumed: bool = False
    """Whether its user has let it run. One that is resumed at the moment of its admission runs as it is:
    Kueue v0.19.2 starts suspended jobs alone.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A statement that does not hold: the object, what is expected of it, what is observed."""

    statement: str
    name: str
    expected: str
    observed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The objects at a rest."""

    fields: JobFields
    jobs: Mapping[str, Json]
    """The jobs that are there, by their short names."""
    wishes: Mapping[str, JobWish]
    workloads: Sequence[Json]
    world: World
    """The flavors, by kind, namespace and name."""
    tells_readiness: bool = False
    """Whether the integration tells whether pods are ready."""


def contradictions(state: State) -> Iterator[Contradiction]:
    """Yield each statement of the documents that does not hold."""
    for name, document in sorted(state.jobs.items()):
        job = _Job(state, name, document)
        if not is_deleted(document):
            yield from _of_unmanaged(job) if not state.wishes[name].is_managed else _of_job(job)
    yield from _leftovers(state)


@dataclass(frozen=True, slots=True)
class _Job:
    """A job with its Workloads."""

    state: State
    name: str
    document: Json

    @property
    def workloads(self) -> list[Json]:
        uid = self.document["metadata"]["uid"]
        return [workload for workload in self.state.workloads if owner(workload).get("uid") == uid]

    @property
    def open_workloads(self) -> list[Json]:
        return [
            workload
            for workload in self.workloads
            if not is_deleted(workload) and not is_true(workload, "Finished")
        ]

    @property
    def is_suspended(self) -> bool:
        return self.state.fields.is_suspended(self.document)

    @property
    def has_pods(self) -> bool:
        return self.state.fields.has_pods(self.document)

    @property
    def labels(self) -> Mapping[str, str]:
        labels: Mapping[str, str] = self.document["metadata"].get("labels") or {}
        return labels

    def wrong(self, statement: str, expected: str, observed: str) -> Contradiction:
        return Contradiction(statement=statement, name=self.name, expected=expected, observed=observed)


def _of_unmanaged(job: _Job) -> Iterator[Contradiction]:
    """A job that names no queue is left alone (JI-009)."""
    if job.workloads:
        yield job.wrong("unmanaged", "no Workload: it names no queue", f"{len(job.workloads)} Workload(s)")


def _of_job(job: _Job) -> Iterator[Contradiction]:
    if job.state.fields.has_ended(job.document):
        yield from _finished(job)
        return
    if ends := [workload for workload in job.workloads if is_true(workload, "Finished")]:
        reason = conditions(ends[0])["Finished"].get("reason")
        yield job.wrong(
            "finished", "no Finished Workload: it has not ended", f"Finished with reason {reason}"
        )
    # Pods that are left keep the next Workload from being made, and templates from being restored.
    is_stopping = job.has_pods and job.is_suspended
    if len(job.open_workloads) != 1:
        if not (is_stopping and not job.open_workloads):
            count = len(job.open_workloads)
            yield job.wrong("one-workload", "one Workload that is not Finished", f"{count} Workload(s)")
        return
    workload = job.open_workloads[0]
    statements = _OF_STOPPING if is_stopping else _OF_ALL
    for statement in statements:
        yield from statement(job, workload)


def _finished(job: _Job) -> Iterator[Contradiction]:
    """The Workload of a job that has ended is Finished, and says how (JI-040, JI-041, JI-045)."""
    end = next(end for end in _ENDS if job.state.fields.has_ended(job.document, end))
    # Of one that is deleted nothing can be told any more.
    for workload in job.workloads:
        reason = (
            conditions(workload).get("Finished", {}).get("reason") if is_true(workload, "Finished") else ""
        )
        if not is_deleted(workload) and reason != _ENDS[end]:
            yield job.wrong(
                "finished",
                f"its Workload is Finished with reason {_ENDS[end]}",
                f"Finished: {reason or 'no'}",
            )


def _runs(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """It runs while its Workload is Admitted, and only then (JI-010 to JI-014, JI-030)."""
    may_run = lets_run(workload)
    if may_run and job.is_suspended and not job.has_pods:
        yield job.wrong("start", "it runs: its Workload is Admitted", "it is suspended")
    if not may_run and not job.is_suspended:
        held = "Evicted" if is_true(workload, "Evicted") else "not Admitted"
        yield job.wrong("stop", f"it is suspended: its Workload is {held}", "it is not suspended")


def _has_right_pods(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """Its pods have what flavors and checks add while it runs, and nothing of it else (JI-020, JI-031)."""
    templates, wish = job.state.fields.templates(job.document), job.state.wishes[job.name]
    if not job.is_suspended and lets_run(workload):
        if wish.was_resumed:
            return
        if text := describe_wrong_pods(templates, job.state.world, workload):
            yield job.wrong("pods", "pods as its Workload, flavors and checks say", text)
        return
    if job.is_suspended and (text := describe_difference(templates, wish.templates)):
        yield job.wrong("restored", "the pod templates of its user", text)


def _releases(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """The quota of an evicted Workload is given back when no pod is left (JI-032, JI-034)."""
    if is_true(workload, "Evicted") and is_true(workload, "QuotaReserved") and not job.has_pods:
        yield job.wrong("release", "no quota: its Workload is Evicted, and no pod is left", "QuotaReserved")


def _is_described(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """The Workload says what the job needs (JI-006, JI-051, JI-052, JI-055, JI-056)."""
    if not fits(job.state.fields, workload, job.document):
        counts = [pod_set.get("count", 1) for pod_set in workload["spec"].get("podSets") or ()]
        expected = f"a Workload with its {job.state.fields.counts(job.document)} pods and their requests"
        yield job.wrong("pod-sets", expected, f"pod sets of {counts} pods, or other requests")


def _is_in_its_queue(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """A job that waits has its Workload in the queue that it names (JI-005, JI-050)."""
    # The queue of a Workload that holds quota stays, and an evicted one follows later (JI-055).
    if not job.is_suspended or is_true(workload, "QuotaReserved") or is_true(workload, "Evicted"):
        return
    expected, observed = job.labels.get(QUEUE_LABEL, ""), workload["spec"].get("queueName", "")
    if expected != observed:
        yield job.wrong("queue", f"a Workload in queue {expected}", f"queue {observed}")


def _has_its_priority(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """The Workload has the WorkloadPriorityClass that the job names (JI-008, JI-018, JI-053)."""
    expected = job.labels.get(PRIORITY_LABEL, "")
    observed = (workload["spec"].get("priorityClassRef") or {}).get("name", "")
    # Whether a Workload that has none gets a class while it holds quota is open (JI-053: "while it may").
    is_open = not observed and is_true(workload, "QuotaReserved")
    if expected != observed and not is_open:
        yield job.wrong("priority", f"WorkloadPriorityClass {expected or 'none'}", observed or "none")


def _tells_readiness(job: _Job, workload: Json) -> Iterator[Contradiction]:
    """PodsReady says whether all pods are ready while the Workload is Admitted (JI-092)."""
    if not job.state.tells_readiness or not lets_run(workload) or job.is_suspended:
        return
    # Without pods it is False or not there yet.
    observed = conditions(workload).get("PodsReady", {}).get("status", "none")
    if job.has_pods and observed != "True":
        yield job.wrong("pods-ready", "PodsReady True: all pods are", f"PodsReady {observed}")


_Statement = Callable[[_Job, Json], Iterator[Contradiction]]
_OF_STOPPING: Sequence[_Statement] = (_runs,)
_OF_ALL: Sequence[_Statement] = (
    _runs,
    _has_right_pods,
    _releases,
    _is_described,
    _is_in_its_queue,
    _has_its_priority,
    _tells_readiness,
)


def _leftovers(state: State) -> Iterator[Contradiction]:
    """The Workload of a job that is gone is deleted (JI-060, JI-063)."""
    uids = {job["metadata"]["uid"] for job in state.jobs.values()}
    for workload in state.workloads:
        reference = owner(workload)
        if reference.get("uid") not in uids:
            name = workload["metadata"]["name"]
            yield Contradiction(
                statement="leftovers",
                name=name,
                expected="it is gone: it belongs to no job",
                observed=f"it is there, of {reference.get('name', 'nobody')}",
            )
