"""Writes of a job integration, and the jobs and Workloads that it may have read before.

It is the subject, or a part of the control plane: Kueue integrates batch/v1 Jobs itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from ...base.job_fields import BATCH_JOBS, JobFields
from ...base.json_types import Json
from ...history.story import SUBJECT, Change
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..workload import becomes_true, conditions, is_true, owner
from ..writes import World, WriterCache, is_kueues

FINALIZER = "kueue.x-k8s.io/resource-in-use"


@dataclass(frozen=True)
class Writes:
    """The writes of the integration in a story; its fields say how a job is read."""

    story: Story
    fields: JobFields
    by_control_plane: bool = False
    """Whether the control plane integrates the jobs, and no subject does."""

    @classmethod
    def of(cls, story: Story) -> Self:
        """Return those of the integration that a story is about: the subject where it is one, else Kueue's
        own of batch/v1 Jobs.
        """
        if story.job_fields is not None:
            return cls(story, story.job_fields)
        return cls(story, BATCH_JOBS, by_control_plane=True)

    @cached_property
    def _cache(self) -> WriterCache:
        return WriterCache(self.story, self.fields.kind, "Workload", "ResourceFlavor")

    def is_own(self, change: Change, kind: str = "") -> bool:
        """Tell whether a change, of a kind where one is named, is the integration's: any write of a control
        plane that integrates the jobs.
        """
        if kind and change.kind != kind:
            return False
        return is_kueues(change) if self.by_control_plane else change.actor == SUBJECT

    def of_jobs(self) -> Iterator[Change]:
        """Yield its changes of jobs that exist before and after."""
        return self._changes(self.fields.kind)

    def of_workloads(self) -> Iterator[Change]:
        """Yield its changes of Workloads that exist before and after."""
        return self._changes("Workload")

    def created_workloads(self) -> Iterator[Change]:
        """Yield its creations of Workloads."""
        return (
            change
            for change in self.story.changes
            if self.is_own(change, "Workload") and not change.before and change.after
        )

    def has_created(self, workload: Json) -> bool:
        """Tell whether a Workload is one that the integration has created."""
        uid = workload["metadata"].get("uid")
        return any(
            change.after["metadata"].get("uid") == uid for change in self.created_workloads() if change.after
        )

    def has_finished(self, creation: Change) -> bool:
        """Tell whether the integration has said before a creation that the job of that Workload has ended."""
        uid = owner(creation.after or {"metadata": {}}).get("uid")
        return any(
            becomes_true(change, "Finished")
            and conditions(change.after)["Finished"].get("reason") in ("Succeeded", "Failed")
            and owner(change.after or {}).get("uid") == uid
            for change in self.of_workloads()
            if change.revision < creation.revision
        )

    def deleted_workloads(self) -> Iterator[Change]:
        """Yield its deletions of Workloads: those that last until finalizers are gone as well."""
        for change in self.story.changes:
            if self.is_own(change, "Workload") and change.verb == "delete" and change.before:
                yield change

    def finalizer_removals(self) -> Iterator[Change]:
        """Yield its writes that let a deleted Workload go."""
        for change in self.story.changes:
            if not self.is_own(change, "Workload") or not change.before:
                continue
            if is_deleted(change.before) and _holds(change.before) and not _holds(change.after):
                yield change

    def starts(self) -> Iterator[Change]:
        """Yield its writes that let a job run."""
        for change in self.of_jobs():
            if self.fields.is_suspended(change.before) and not self.fields.is_suspended(change.after):
                yield change

    def stops(self) -> Iterator[Change]:
        """Yield its writes that hold a job back."""
        for change in self.of_jobs():
            if not self.fields.is_suspended(change.before) and self.fields.is_suspended(change.after):
                yield change

    def stopped_states(self, change: Change, job: str) -> Iterator[Json]:
        """Yield what a job was like when the integration has stopped it before a change, the newest first."""
        for stop in reversed([*self.stops()]):
            if (stop.namespace, stop.name) == (change.namespace, job) and stop.revision < change.revision:
                yield stop.after

    def has_stopped_before(self, start: Change) -> bool:
        """Tell whether it was the integration that held a job back before a start, and not a user."""
        stops = [
            change
            for change in self.story.changes
            if (change.kind, change.namespace, change.name) == (start.kind, start.namespace, start.name)
            and change.revision < start.revision
            and change.after
            and not (change.before and self.fields.is_suspended(change.before))
            and self.fields.is_suspended(change.after)
        ]
        return bool(stops) and self.is_own(stops[-1])

    def templates_of_user(self, change: Change) -> list[Json]:
        """Return the pod templates of a job at a change of it, as another client has written them last."""
        changes = [
            earlier
            for earlier in self.story.changes
            if (earlier.kind, earlier.namespace, earlier.name) == (change.kind, change.namespace, change.name)
            and earlier.revision <= change.revision
        ]
        # A write of the status carries the templates along: only one that changes them is its author's word.
        by_others = [
            templates
            for earlier in changes
            if earlier.after and not self.is_own(earlier)
            if (templates := self.fields.templates(earlier.after)) != self.fields.templates(earlier.before)
        ]
        return by_others[-1] if by_others else self.fields.templates(changes[0].before)

    def worlds(self, change: Change) -> Iterator[World]:
        """Yield all jobs, Workloads and flavors as they may have been for the writer of a change."""
        return self._cache.worlds(change)

    def states(self, change: Change) -> Iterator[Json]:
        """Yield each state that the object of a change may have had for its writer, None where it was
        gone.
        """
        return self._cache.states_of(change, change.kind, change.name, change.namespace)

    def job_states(self, change: Change, workload: Json) -> Iterator[Json]:
        """Yield each state of the job that controls a Workload; None for another job of its name."""
        reference = owner(workload)
        names = self.fields.kind, reference.get("name", ""), change.namespace
        for state in self._cache.states_of(change, *names):
            yield state if state and state["metadata"].get("uid") == reference.get("uid") else None

    def _changes(self, kind: str) -> Iterator[Change]:
        return (
            change
            for change in self.story.changes
            if self.is_own(change, kind) and change.before and change.after
        )


def integration_rule(
    row: str,
    text: str,
    judge: Callable[[Writes], Iterable[Finding]],
    *,
    level: Level = Level.MUST,
    since: str = "",
) -> SafetyRule:
    """Return the safety rule of a row, judged by the writes of the integration that a story is about."""
    return SafetyRule(row, text, lambda story: judge(Writes.of(story)), level=level, since=since)


def workloads_of(world: World, job: Json) -> list[Json]:
    """Return the Workloads that a job controls, by its uid."""
    uid = job["metadata"].get("uid", "")
    return [
        workload
        for (kind, _, _), workload in world.items()
        if kind == "Workload" and owner(workload).get("uid") == uid
    ]


def lets_run(workload: Json) -> bool:
    """Tell whether the job of a Workload may run."""
    return is_true(workload, "Admitted") and not (
        is_true(workload, "Evicted") or is_true(workload, "Finished") or is_deleted(workload)
    )


def is_deleted(document: Json) -> bool:
    """Tell whether an object is gone, or waits for its finalizers alone."""
    return document is None or "deletionTimestamp" in document["metadata"]


def fits(fields: JobFields, workload: Json, job: Json) -> bool:
    """Tell whether the pod sets of a Workload have the counts of a job and the requests of its pods."""
    expected = [*zip(fields.counts(job), map(_requests, fields.templates(job)), strict=True)]
    pod_sets = workload.get("spec", {}).get("podSets") or ()
    return expected == [(pod_set.get("count", 1), _requests(pod_set.get("template"))) for pod_set in pod_sets]


def _holds(workload: Json) -> bool:
    return workload is not None and FINALIZER in (workload["metadata"].get("finalizers") or ())


def _requests(template: Json) -> list[Json]:
    containers = ((template or {}).get("spec") or {}).get("containers") or ()
    return [
        (container.get("name"), (container.get("resources") or {}).get("requests") or {})
        for container in containers
    ]
