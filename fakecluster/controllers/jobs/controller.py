"""Acts on what `sync` decides about Jobs, and on what finished
and vanished Jobs leave behind (FK-459, FK-475, FK-476).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..dependents import Dependents
from ..engine import Key
from ..owners import controller_of
from ..pod_writer import BurstResult, PodWriter
from ..recorder import Recorder
from . import conditions, pods
from .sync import JobDecision, JobPlan, decide, plan

JOBS = ("batch", "jobs")
PODS = ("", "pods")
JOB_CONTROLLER = "kubernetes.io/job-controller"


class JobController:
    """Keeps the pods and the status of every Job."""

    resources = (JOBS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("job-controller"), "kube-controller-manager")
        self._cleaner = Actor(
            api, service_account("ttl-after-finished-controller"), "kube-controller-manager"
        )
        self._recorder = Recorder(self._actor, "job-controller")
        self._writer = PodWriter(self._actor, self._recorder)
        self._pods = Dependents(api.store)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Job, and every Job that a pod names."""
        for pod in store.list(PODS):
            self._pods.add(pod)
        yield from (job.name for job in store.list(JOBS))
        # A pod may outlive its Job while the cluster is down; then only the pod tells of it.
        yield from (key for pod in store.list(PODS) for key in _job_of(pod))

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the Job that an event concerns."""
        if event.resource == JOBS:
            return (event.after.name,)
        self._pods.observe(event)
        return _job_of(event.after)

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one Job forward.

        Raises StatusError, also of a pod that could not be created or deleted.
        """
        job = self._api.store.get(JOBS, (key[0], key[1]))
        # Before the Job is looked at: a Job of the same name may be a new one.
        yield from self._release_orphans(key, job)
        # Another controller manages this Job: ours does not touch its status.
        if job is None or job.object["spec"].get("managedBy", JOB_CONTROLLER) != JOB_CONTROLLER:
            return None
        # A finished Job waits for its time to live and nothing else.
        if conditions.is_finished(job.object.get("status", {})):
            return (yield from self._expire(job))
        stored_pods = {
            stored_pod.object["metadata"]["uid"]: stored_pod for stored_pod in self._pods.of(job.uid)
        }
        pods_of_job = [stored_pod.object for stored_pod in stored_pods.values()]
        decision = decide(job.object, pods_of_job, self._api.clock.now())
        burst = yield from self._manage(job.object, decision, stored_pods)
        todo = plan(decision, pods_of_job, burst.number, self._api.clock.now())
        yield from self._carry_out(job.object, todo, stored_pods)
        # Raised after the status is written: pods that were created count, whatever was refused.
        if burst.error:
            raise burst.error
        return todo.retry_seconds

    def _manage(self, job: Json, decision: JobDecision, stored_pods: dict[str, Stored]) -> Steps[BurstResult]:
        """Delete and create pods; return how many were created, and what was refused."""
        # Pods that are removed are not counted, so their finalizer goes first, or they would stay.
        for pod in decision.scaling.remove:
            yield from self._untrack(stored_pods[pod["metadata"]["uid"]])
        deleted = yield from self._writer.delete(job, (*decision.delete, *decision.scaling.remove))
        created = yield from self._writer.create(
            job, (pods.new(job, index) for index in decision.scaling.create)
        )
        return BurstResult(created.number, deleted.error or created.error)

    def _carry_out(self, job: Json, todo: JobPlan, stored_pods: dict[str, Stored]) -> Steps[None]:
        for note in todo.notes:
            yield from self._recorder.record(job, *note)
        # The status is written twice: uids first, counters when the finalizers are off (FK-473).
        job = yield from self._write(job, todo.interim)
        for pod in todo.untrack:
            yield from self._untrack(stored_pods[pod["metadata"]["uid"]])
        yield from self._write(job, todo.final)
        for note in todo.closing:
            yield from self._recorder.record(job, *note)

    def _write(self, job: Json, status: Json) -> Steps[Json]:
        if status == job.get("status", {}):
            return job
        row = self._actor.kind("batch/v1", "Job")
        return (yield from self._actor.update_status(row, {**job, "status": status})) if row else job

    def _untrack(self, pod: Stored) -> Steps[None]:
        """Take the finalizer off a pod that may go."""
        # Read again, because the pod may have changed or gone since it was listed.
        row, current = self._actor.kind("v1", "Pod"), self._api.store.get(PODS, pod.name)
        # Another pod may have the name by now, or the finalizer may be off already.
        if row and current and current.uid == pod.uid and pods.is_tracked(current.object):
            finalizers = [
                finalizer
                for finalizer in current.object["metadata"]["finalizers"]
                if finalizer != pods.FINALIZER
            ]
            yield from self._actor.patch(row, current, {"metadata": {"finalizers": finalizers or None}})

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
            condition["lastTransitionTime"]
            for kind in ("Complete", "Failed")
            if (condition := conditions.find(job.object["status"], kind)) and condition["status"] == "True"
        )
        remaining = since_epoch(ended) + float(ttl) - self._api.clock.now()
        if remaining > 0:
            return remaining
        row = self._actor.kind("batch/v1", "Job")
        if row:
            # In the foreground, so that its pods are gone before it.
            yield from self._cleaner.delete(row, job, propagationPolicy="Foreground")
        return None


def _job_of(pod: Stored) -> tuple[Key, ...]:
    owner = controller_of(pod.object)
    return ((pod.name[0], owner["name"]),) if owner and owner["kind"] == "Job" else ()
