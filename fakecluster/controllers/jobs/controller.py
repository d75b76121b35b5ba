"""Acts on what `sync` decides about Jobs, and on what finished and vanished Jobs leave behind (FK-459, FK-475, FK-476)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...api.steps import Steps
from ...numbers.timestamps import since_epoch
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..dependents import Dependents
from ..engine import Key
from ..owners import controller_of
from ..recorder import Recorder
from . import conditions, pods
from .sync import Plan, plan

Json = Any
JOBS = ("batch", "jobs")
PODS = ("", "pods")
OURSELVES = "kubernetes.io/job-controller"


class JobController:
    """Keeps the pods and the status of every Job."""

    resources = (JOBS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("job-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "job-controller")
        self._pods = Dependents(api.store)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Job, and every Job that a pod names."""
        for one in store.list(PODS):
            self._pods.add(one)
        yield from (one.name for one in store.list(JOBS))
        yield from (key for one in store.list(PODS) for key in _job_of(one))

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the Job that an event concerns."""
        if event.resource == JOBS:
            return (event.after.name,)
        self._pods.observe(event)
        return _job_of(event.after)

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one Job forward."""
        job = self._api.store.get(JOBS, (key[0], key[1]))
        yield from self._release_orphans(key, job)
        if job is None or job.object["spec"].get("managedBy", OURSELVES) != OURSELVES:
            return None
        if conditions.is_finished(job.object.get("status", {})):
            return (yield from self._expire(job))
        found = {one.object["metadata"]["uid"]: one for one in self._pods.of(job.uid)}
        todo = plan(job.object, [one.object for one in found.values()], self._api.clock.now())
        yield from self._carry_out(job.object, todo, found)
        return todo.again

    def _carry_out(self, job: Json, todo: Plan, found: dict[str, Stored]) -> Steps[None]:
        for pod in todo.delete:
            yield from self._delete(job, found[pod["metadata"]["uid"]])
        for pod in todo.scaling.remove:
            yield from self._untrack(found[pod["metadata"]["uid"]])
            yield from self._delete(job, found[pod["metadata"]["uid"]])
        for index in todo.scaling.create:
            yield from self._create(job, index)
        for note in todo.notes:
            yield from self._recorder.record(job, *note)
        job = yield from self._write(job, todo.interim)
        for pod in todo.untrack:
            yield from self._untrack(found[pod["metadata"]["uid"]])
        yield from self._write(job, todo.final)
        for note in todo.closing:
            yield from self._recorder.record(job, *note)

    def _write(self, job: Json, status: Json) -> Steps[Json]:
        if status == job.get("status", {}):
            return job
        row = self._actor.kind("batch/v1", "Job")
        return (yield from self._actor.update_status(row, {**job, "status": status})) if row else job

    def _create(self, job: Json, index: int | None) -> Steps[None]:
        row = self._actor.kind("v1", "Pod")
        if row:
            made = yield from self._actor.create(row, pods.new(job, index))
            yield from self._recorder.record(
                job, "SuccessfulCreate", f"Created pod: {made['metadata']['name']}"
            )

    def _delete(self, job: Json, pod: Stored) -> Steps[None]:
        row = self._actor.kind("v1", "Pod")
        if row and self._api.store.get(PODS, pod.name) is not None:
            yield from self._actor.delete(row, pod)
            yield from self._recorder.record(job, "SuccessfulDelete", f"Deleted pod: {pod.name[1]}")

    def _untrack(self, pod: Stored) -> Steps[None]:
        """Take the finalizer off a pod that may go."""
        row, current = self._actor.kind("v1", "Pod"), self._api.store.get(PODS, pod.name)
        if row and current and current.uid == pod.uid and pods.is_tracked(current.object):
            left = [one for one in current.object["metadata"]["finalizers"] if one != pods.FINALIZER]
            yield from self._actor.patch(row, current, {"metadata": {"finalizers": left or None}})

    def _release_orphans(self, key: Key, job: Stored | None) -> Steps[None]:
        """Untrack pods whose Job is gone; no status counts them any more."""
        uid = job.uid if job else ""
        for pod in self._api.store.list(PODS, namespace=key[0]) if job is None else ():
            owner = controller_of(pod.object)
            if owner and owner["kind"] == "Job" and owner["name"] == key[1] and owner["uid"] != uid:
                yield from self._untrack(pod)

    def _expire(self, job: Stored) -> Steps[float | None]:
        """Delete a finished Job when its time to live is over."""
        ttl = job.object["spec"].get("ttlSecondsAfterFinished")
        if ttl is None or "deletionTimestamp" in job.object["metadata"]:
            return None
        ended = next(
            found["lastTransitionTime"]
            for kind in ("Complete", "Failed")
            if (found := conditions.find(job.object["status"], kind)) and found["status"] == "True"
        )
        left = since_epoch(ended) + float(ttl) - self._api.clock.now()
        if left > 0:
            return left
        row = self._actor.kind("batch/v1", "Job")
        if row:
            yield from self._actor.delete(row, job, propagationPolicy="Foreground")
        return None


def _job_of(pod: Stored) -> tuple[Key, ...]:
    owner = controller_of(pod.object)
    return ((pod.name[0], owner["name"]),) if owner and owner["kind"] == "Job" else ()
