"""Acts of users on what they have submitted, and of what runs it."""

from __future__ import annotations

from typing import Any

from ....base.json_types import Json
from ....case.context import CaseContext
from ....stage.workloads.endings import JOB_CONTROLLER, finish, tell_pods_ready
from .. import manifests
from ..acts import Act, Verb
from ..object_names import KINDS, ObjectNames
from .act_outcome import NOTHING_TO_DO, CarryOut
from .job_acts import JobActs
from .submitted_workloads import SubmittedWorkloads, name_of

_REASONS = {False: ("WaitForStart", "Started"), True: ("WaitForRecovery", "Recovered")}
"""Why PodsReady is False or True, by whether the pods had been ready."""


class WorkloadActs:
    """Submits, changes, finishes and deletes Workloads and Jobs."""

    def __init__(
        self,
        context: CaseContext,
        namespace: str,
        names: ObjectNames,
        workloads: SubmittedWorkloads,
        jobs: JobActs,
    ) -> None:
        self._context = context
        self._client = context.client
        self._namespace = namespace
        self._names = names
        self._workloads = workloads
        self._jobs = jobs
        self.acts: CarryOut = {
            Verb.SUBMIT: self._submit,
            Verb.DEACTIVATE: lambda act: self._set(act, active=False),
            Verb.ACTIVATE: lambda act: self._set(act, active=True),
            Verb.SET_PRIORITY: lambda act: self._set(act, priority=int(act.option("priority"))),
            Verb.MOVE: self._move,
            Verb.PODS: self._set_pods,
            Verb.RECLAIM: self._reclaim,
            Verb.FINISH: self._finish,
            Verb.DELETE: self._delete,
            Verb.DROP_WORKLOAD: self._drop,
        }

    def _submit(self, act: Act) -> None:
        self._names.forms[act.name] = act.option("form", "workload")
        self._client.create(manifests.submission(act, self._names.of, self._namespace))

    def _delete(self, act: Act) -> None:
        is_job = self._names.is_job(act.name)
        kind = KINDS.get(act.name[0], "Job" if is_job else "Workload")
        namespace = self._namespace if act.name[0] in "lw" else ""
        self._client.delete(kind, self._names.of(act.name), namespace)
        if is_job:
            # The garbage collector deletes what the Job owned, and a fork has none.
            for workload in self._workloads.workloads_of(act.name):
                self._client.delete("Workload", workload["metadata"]["name"], namespace)

    def _drop(self, act: Act) -> object:
        workload = self._workloads.get(act.name)
        if not self._jobs.is_there(act.name) or not workload.object:
            return NOTHING_TO_DO
        # The finalizer of a Job's Workload has Kueue see that it is being deleted.
        self._client.delete("Workload", name_of(workload), self._namespace)
        return None

    def _set(self, act: Act, **spec: Any) -> object:
        workload = self._workloads.get(act.name)
        if not workload.object or (self._names.is_job(act.name) and "priority" in spec):
            return NOTHING_TO_DO
        if spec.get("active") == workload.active:
            return NOTHING_TO_DO
        self._client.merge("Workload", name_of(workload), {"spec": spec}, namespace=self._namespace)
        return None

    def _move(self, act: Act) -> object:
        workload, queue = self._workloads.get(act.name), self._names.of(act.option("to"))
        if not workload.object or workload.is_true("QuotaReserved"):
            return NOTHING_TO_DO
        is_job = self._names.is_job(act.name)
        # The queue of a Workload with quota is immutable; that of a Job is read from its label.
        labels = {"kueue.x-k8s.io/queue-name": queue}
        change: Json = {"metadata": {"labels": labels}} if is_job else {"spec": {"queueName": queue}}
        kind = "Job" if is_job else "Workload"
        self._client.merge(kind, self._names.of(act.name), change, namespace=self._namespace)
        return None

    def _set_pods(self, act: Act) -> object:
        """Say how many pods a Job has, or that those of a bare Workload are ready or not."""
        workload, ready = self._workloads.get(act.name), act.option("ready") == "yes"
        if self._jobs.is_there(act.name):
            pods = int(act.option("active", "0"))
            if pods and not workload.is_true("Admitted"):
                return NOTHING_TO_DO
            self._jobs.set_pods(act.name, pods, ready=ready, lasting=act.option("lasting") == "yes")
            return None
        if not workload.is_true("Admitted") or workload.is_true("Finished"):
            return NOTHING_TO_DO
        # Pods that were ready before come back, and have another time-out until then.
        former = workload.condition("PodsReady")
        had_pods = former.get("status") == "True" or former.get("reason") == _REASONS[True][0]
        reason = _REASONS[had_pods][ready]
        tell_pods_ready(self._context, self._namespace, name_of(workload), ready=ready, reason=reason)
        return None

    def _reclaim(self, act: Act) -> object:
        """Say that a pod of the first pod set has finished, as the integration of a bare Workload does."""
        workload = self._workloads.get(act.name)
        pod_sets = workload.object.get("spec", {}).get("podSets", ())
        if self._names.is_job(act.name) or not workload.is_true("Admitted") or pod_sets[0]["count"] == 1:
            return NOTHING_TO_DO
        pods = [{"name": pod_sets[0]["name"], "count": int(act.option("count"))}]
        self._client.with_agent(JOB_CONTROLLER).merge(
            "Workload",
            name_of(workload),
            {"status": {"reclaimablePods": pods}},
            namespace=self._namespace,
            sub="status",
        )
        return None

    def _finish(self, act: Act) -> object:
        workload = self._workloads.get(act.name)
        if not workload.is_true("Admitted") or workload.is_true("Finished") or workload.is_true("Evicted"):
            return NOTHING_TO_DO
        if self._names.is_job(act.name):
            self._jobs.finish(act.name)
        else:
            finish(self._context, self._namespace, name_of(workload))
        return None
