"""The Workload of a job: one, of this job, with what it needs (JI-002, JI-003, JI-005, JI-006, JI-039,
JI-066).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.job_fields import QUEUE_LABEL
from ...base.json_types import Json
from ..story import Finding
from ..workload import is_true, owner
from ..writes import World
from .writes import Writes, fits, integration_rule, is_deleted, workloads_of


def _second_workloads(writes: Writes) -> Iterator[Finding]:
    for change in writes.created_workloads():
        job = {"metadata": {"uid": owner(change.after).get("uid", "")}}
        others = [[*filter(_is_open, workloads_of(world, job))] for world in writes.worlds(change)]
        # What it has made itself it knows, however late its watch is: the name of its Workload is the same.
        if all(others) or any(map(writes.has_created, others[-1])):
            yield change, "is created, and its job has another Workload that is not Finished"


def _is_open(workload: Json) -> bool:
    return not is_deleted(workload) and not is_true(workload, "Finished")


def _wrong_owners(writes: Writes) -> Iterator[Finding]:
    for change in writes.created_workloads():
        reference = owner(change.after)
        states = [state for state in writes.job_states(change, change.after) if state is not None]
        has_owner = reference.get("kind") == writes.fields.kind and any(
            state["apiVersion"] == reference.get("apiVersion") for state in states
        )
        if not has_owner:
            yield (
                change,
                f"is created with the controller {dict(reference) or 'none'}, and there is no such job",
            )


def _wrong_queues(writes: Writes) -> Iterator[Finding]:
    for change in [*writes.created_workloads(), *writes.of_workloads()]:
        queue = _spec(change.after).get("queueName", "")
        if change.before and _spec(change.before).get("queueName", "") == queue:
            continue
        states = [state for state in writes.job_states(change, change.after) if state is not None]
        queues = [(state["metadata"].get("labels") or {}).get(QUEUE_LABEL, "") for state in states]
        if states and queue not in queues:
            yield change, f"has the queue {queue!r}, and its job names {queues[-1]!r}"


def _spec(workload: Json) -> Json:
    return (workload or {}).get("spec") or {}


def _wrong_pod_sets(writes: Writes) -> Iterator[Finding]:
    for change in writes.created_workloads():
        states = [state for state in writes.job_states(change, change.after) if state is not None]
        if states and not any(fits(writes.fields, change.after, state) for state in states):
            counts = [pod_set.get("count", 1) for pod_set in _spec(change.after).get("podSets") or ()]
            yield (
                change,
                f"has pod sets of {counts} pods that are not those of its job, which has {writes.fields.counts(states[-1])}, or other requests",
            )


def _replaced_evicted(writes: Writes) -> Iterator[Finding]:
    for change in writes.deleted_workloads():
        workload = change.before
        if not is_true(workload, "Evicted") or is_true(workload, "Finished"):
            continue
        if all(_has_only(writes, world, workload) for world in writes.worlds(change)):
            yield change, "is deleted, and it is the Workload of an evicted job that it fits"


def _has_only(writes: Writes, world: World, workload: Json) -> bool:
    reference = owner(workload)
    job = world.get(
        (writes.fields.kind, workload["metadata"].get("namespace", ""), reference.get("name", ""))
    )
    if job is None or is_deleted(job) or job["metadata"].get("uid") != reference.get("uid"):
        return False
    return len(workloads_of(world, job)) == 1 and fits(writes.fields, workload, job)


def _beside_pods(writes: Writes) -> Iterator[Finding]:
    for change in writes.created_workloads():
        states = [*writes.job_states(change, change.after)]
        # What it has stopped with pods it knows to have them, however late its watch is.
        stopped = next(writes.stopped_states(change, owner(change.after).get("name", "")), None)
        known = states if stopped is None else [stopped, states[-1]]
        if all(state is not None and writes.fields.has_pods(state) for state in known):
            yield change, "is created, and pods of its job are left that ran by an earlier one"


WORKLOADS = (
    integration_rule(
        "JI-002", "makes no second Workload for a job while the first is not Finished", _second_workloads
    ),
    integration_rule("JI-003", "makes each Workload with its job as controller, by uid", _wrong_owners),
    integration_rule("JI-005", "gives a Workload the queue that its job names", _wrong_queues),
    integration_rule(
        "JI-006", "makes each Workload with the counts and requests of its job", _wrong_pod_sets
    ),
    integration_rule("JI-039", "keeps the Workload of an evicted job", _replaced_evicted),
    integration_rule("JI-066", "makes a new Workload for a job only when no pod of it is left", _beside_pods),
)
