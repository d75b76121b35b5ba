"""Carries the acts of a story out on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext
from ...stage import Stage
from ...stage.checks.check import Check
from ...stage.clock import Clock
from ...stage.making import manifests as stage_manifests
from ...stage.workloads.endings import JOB_CONTROLLER, fail_job, finish, finish_job, tell_pods_ready
from ...stage.workloads.job import Job
from ...stage.workloads.view import WorkloadView, view_of
from ...wire.client import ApiError
from . import manifests
from .acts import Act, Verb
from .pending_lists import PendingLists, read_lists
from .pod_templates import TOLERATIONS
from .provisioning_acts import ProvisioningActs
from .statements.provisioning_case import is_provisioning

_ROLES: Mapping[str, str] = {
    "f": "flavor",
    "k": "check",
    "c": "cohort",
    "q": "queue",
    "l": "local",
    "p": "priority",
    "r": "runtime",
    "g": "config",
    "w": "workload",
}
_KINDS: Mapping[str, str] = {
    "f": "ResourceFlavor",
    "k": "AdmissionCheck",
    "c": "Cohort",
    "q": "ClusterQueue",
    "l": "LocalQueue",
    "p": "WorkloadPriorityClass",
    "r": "RuntimeClass",
    "g": "ProvisioningRequestConfig",
}


_PASSED_ON = frozenset(
    {
        Verb.ANSWER,
        Verb.PROVISION,
        Verb.FINISH,
        Verb.RECLAIM,
        Verb.PODS,
        Verb.MOVE,
        Verb.CHANGE_JOB,
        Verb.SUSPEND,
        Verb.FAIL,
    }
)
"""Acts on any Workload on which they can be done."""


class StoryStage:
    """Acts as users, administrators and check controllers.

    What cannot be done on a Workload now is done on the next one on which it can. An act that the API server
    refuses, or that can be done on none, is left undone: `outcomes` has a word for each act.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._context: CaseContext = stage.context
        self._client = stage.client
        self._names: dict[str, str] = {}
        self._forms: dict[str, str] = {}
        self._provisioning = ProvisioningActs(self._context, stage.namespace, self.name)
        self.outcomes: list[str] = []
        self.done: Act | None = None
        """The newest act as it was done; None where it was left undone."""
        self._acts: Mapping[str, Callable[[Act], object]] = {
            Verb.CONFIGURE: lambda _: None,
            Verb.NAMES: lambda _: None,
            Verb.CLASS: lambda act: self._client.create(manifests.priority_class(act, self.name)),
            Verb.RUNTIME: lambda act: self._client.create(manifests.runtime_class(act, self.name)),
            Verb.FLAVOR: lambda act: self._client.create(manifests.flavor(act, self.name)),
            Verb.CHECK: self._create_check,
            Verb.CONFIG: self._provisioning.create_config,
            Verb.SET_CONFIG: self._provisioning.set_config,
            Verb.PROVISION: self._provision,
            Verb.COHORT: lambda act: self._client.create(manifests.cohort(act, self.name)),
            Verb.QUEUE: lambda act: self._client.create(manifests.cluster_queue(act, self.name)),
            Verb.LOCAL: lambda act: self._client.create(
                stage_manifests.local_queue(self.name(act.name), stage.namespace, self.name(act.option("of")))
            ),
            Verb.SET_QUOTA: lambda act: self._set_queue(
                act, resourceGroups=manifests.resource_groups(act, self.name)
            ),
            Verb.SET_CHECKS: lambda act: self._set_queue(
                act, **{"admissionChecksStrategy": None, **manifests.required_checks(act, self.name)}
            ),
            Verb.SET_COHORT: lambda act: self._set_queue(
                act, cohortName=self.name(act.option("cohort")) if act.option("cohort") else None
            ),
            Verb.SET_PARENT: lambda act: self._set_queue(
                act, parentName=self.name(act.option("parent")) if act.option("parent") else None
            ),
            Verb.SET_STRATEGY: lambda act: self._set_queue(act, queueingStrategy=act.option("strategy")),
            Verb.SET_CLASS: lambda act: self._client.merge(
                "WorkloadPriorityClass", self.name(act.name), {"value": int(act.option("value"))}
            ),
            Verb.LIMIT_RANGE: self._set_limit_range,
            Verb.LABEL_NAMESPACE: lambda act: self._client.merge(
                "Namespace", stage.namespace, {"metadata": {"labels": {manifests.TEAM: act.option("team")}}}
            ),
            Verb.RESTART: lambda _: self._context.restart(),
            Verb.STOP: lambda act: self._set_queue(act, stopPolicy=act.option("policy")),
            Verb.SET_ACTIVE: self._set_active,
            Verb.SUBMIT: self._submit,
            Verb.ANSWER: self._answer,
            Verb.APPROVE: lambda _: self._approve(),
            Verb.DEACTIVATE: lambda act: self._set_workload(act, active=False),
            Verb.ACTIVATE: lambda act: self._set_workload(act, active=True),
            Verb.SET_PRIORITY: lambda act: self._set_workload(act, priority=int(act.option("priority"))),
            Verb.MOVE: self._move,
            Verb.CHANGE_JOB: self._change_job,
            Verb.SUSPEND: lambda act: self._merge_job(act, {"spec": {"suspend": True}}),
            Verb.PODS: self._set_pods,
            Verb.RECLAIM: self._reclaim,
            Verb.FAIL: self._fail,
            Verb.FINISH: self._finish,
            Verb.DELETE: self._delete,
            Verb.WAIT: lambda act: Clock(self._context).advance(float(act.option("seconds"))),
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
        return self._acts[act.verb](act) is not _NOTHING

    def _possible(self, act: Act) -> Iterator[Act]:
        """Yield an act, and the same act on each other Workload, from its own on."""
        yield act
        if act.verb in _PASSED_ON:
            names = sorted(self._forms)
            later = [name for name in names if name > act.name]
            for name in [*later, *(name for name in names if name < act.name)]:
                yield replace(act, name=name)

    def name(self, short: str) -> str:
        """Return the name of an object in this run by its short form; empty for none."""
        if short and short not in self._names:
            # The name of a Job becomes the value of a label, and is shorter.
            role = "job" if self._forms.get(short) == "job" else _ROLES[short[0]]
            self._names[short] = self._stage.names.name(role)
        return self._names.get(short, "")

    @property
    def short_names(self) -> Mapping[str, str]:
        """The short form of each name."""
        return {name: short for short, name in self._names.items()}

    # What administrators do

    def _set_queue(self, act: Act, **spec: Any) -> None:
        kind, namespace = _KINDS[act.name[0]], self._stage.namespace if act.name[0] == "l" else ""

        def with_spec(current: Json) -> Json:
            fields = {**current["spec"], **spec}
            return {**current, "spec": {key: value for key, value in fields.items() if value is not None}}

        self._client.update(kind, self.name(act.name), with_spec, namespace=namespace)

    def _set_limit_range(self, act: Act) -> None:
        self._client.delete("LimitRange", manifests.LIMITS, self._stage.namespace)
        if act.option("cpu"):
            self._client.create(manifests.limit_range(act, self._stage.namespace))

    def _create_check(self, act: Act) -> None:
        if act.option("config"):
            self._provisioning.create_check(act)
            return
        self._client.create(stage_manifests.admission_check(self.name(act.name)))
        self._check(act.name).set_active()

    def _set_active(self, act: Act) -> object:
        # Kueue would write its own condition over it at some time that is not said.
        if self.name(act.name) in self._kueues_checks():
            return _NOTHING
        self._check(act.name).set_active(act.option("active") == "yes")
        return None

    def _check(self, short: str) -> Check:
        return Check(self._context, self.name(short))

    # What users do

    def _submit(self, act: Act) -> None:
        self._forms[act.name] = act.option("form", "workload")
        self._client.create(manifests.submission(act, self.name, self._stage.namespace))

    def _delete(self, act: Act) -> None:
        is_job = self._forms.get(act.name) == "job"
        kind = _KINDS.get(act.name[0], "Job" if is_job else "Workload")
        namespace = self._stage.namespace if act.name[0] in "lw" else ""
        self._client.delete(kind, self.name(act.name), namespace)
        if is_job:
            # The garbage collector deletes what the Job owned, and a fork has none.
            for workload in self._owned_by(act.name):
                self._client.delete("Workload", workload["metadata"]["name"], namespace)

    def _owned_by(self, short: str) -> Sequence[Json]:
        """Return the Workloads of a submission: itself, or those of the Job."""
        return [
            workload
            for workload in self._client.list("Workload", self._stage.namespace)
            if self.name(short)
            in (
                workload["metadata"]["name"],
                *(owner["name"] for owner in workload["metadata"].get("ownerReferences", ())),
            )
        ]

    def _workload(self, short: str) -> WorkloadView:
        """Return the Workload of a submission; an empty one where there is none."""
        owned = [item for item in self._owned_by(short) if "deletionTimestamp" not in item["metadata"]]
        return view_of(owned[0] if owned else None)

    def _set_workload(self, act: Act, **spec: Any) -> object:
        workload = self._workload(act.name)
        if not workload.object or (self._forms[act.name] == "job" and "priority" in spec):
            return _NOTHING
        self._client.merge("Workload", _name(workload), {"spec": spec}, namespace=self._stage.namespace)
        return None

    def _move(self, act: Act) -> object:
        workload, queue = self._workload(act.name), self.name(act.option("to"))
        if not workload.object or workload.is_true("QuotaReserved"):
            return _NOTHING
        is_job = self._forms[act.name] == "job"
        change: Json = (
            {"metadata": {"labels": {"kueue.x-k8s.io/queue-name": queue}}}
            if is_job
            else {"spec": {"queueName": queue}}
        )
        kind = "Job" if is_job else "Workload"
        self._client.merge(kind, self.name(act.name), change, namespace=self._stage.namespace)
        return None

    def _is_job(self, act: Act) -> bool:
        namespace = self._stage.namespace
        return (
            self._forms.get(act.name) == "job"
            and self._client.find("Job", self.name(act.name), namespace) is not None
        )

    def _merge_job(self, act: Act, patch: Json) -> object:
        if not self._is_job(act):
            return _NOTHING
        self._client.merge("Job", self.name(act.name), patch, namespace=self._stage.namespace)
        return None

    def _change_job(self, act: Act) -> object:
        if not self._is_job(act):
            return _NOTHING
        job = Job(self._context, self._stage.namespace, self.name(act.name))
        if act.option("parallelism"):
            job.set_parallelism(int(act.option("parallelism")))
        if act.option("cpu"):
            job.set_cpu_request(act.option("cpu"))
        if act.option("limit"):
            job.set_time_limit(int(act.option("limit")))
        if act.option("min"):
            job.set_min_parallelism(int(act.option("min")))
        if act.option("tolerates"):
            job.set_pod_fields(tolerations=[TOLERATIONS[act.option("tolerates")]])
        if act.option("class"):
            job.set_priority_class(self.name(act.option("class")))
        return None

    def _set_pods(self, act: Act) -> object:
        """Say how many pods a Job has, or that those of a bare Workload are ready or not."""
        workload, ready = self._workload(act.name), act.option("ready") == "yes"
        if self._is_job(act):
            pods = int(act.option("active", "0"))
            if pods and not workload.is_true("Admitted"):
                return _NOTHING
            Job(self._context, self._stage.namespace, self.name(act.name)).set_pods(
                pods, ready=pods if ready else 0
            )
            return None
        if not workload.is_true("Admitted") or workload.is_true("Finished"):
            return _NOTHING
        reason = "Started" if ready else "WaitForStart"
        tell_pods_ready(self._context, self._stage.namespace, _name(workload), ready=ready, reason=reason)
        return None

    def read_lists(self) -> PendingLists:
        """Return the lists of pending Workloads of the queues that were created."""
        names = {
            kind: [name for short, name in sorted(self._names.items()) if _KINDS.get(short[0]) == kind]
            for kind in ("ClusterQueue", "LocalQueue")
        }
        return read_lists(self._context, self._stage.namespace, names)

    def end_pods(self) -> bool:
        """End the pods of suspended Jobs, as the controller of Jobs does; tell whether there were any."""
        namespace = self._stage.namespace
        left = [
            job["metadata"]["name"]
            for job in self._client.list("Job", namespace)
            if job["spec"].get("suspend") and job.get("status", {}).get("active")
        ]
        for name in left:
            Job(self._context, namespace, name).set_pods(0)
        return bool(left)

    def _fail(self, act: Act) -> object:
        if not self._is_job(act):
            return _NOTHING
        fail_job(self._context, self._stage.namespace, self.name(act.name), "a pod has failed")
        return None

    def _reclaim(self, act: Act) -> object:
        """Say that a pod of the first pod set has finished, as the integration of a bare Workload does."""
        workload = self._workload(act.name)
        pod_sets = workload.object.get("spec", {}).get("podSets", ())
        if self._forms[act.name] == "job" or not workload.is_true("Admitted") or pod_sets[0]["count"] == 1:
            return _NOTHING
        pods = [{"name": pod_sets[0]["name"], "count": int(act.option("count"))}]
        self._client.with_agent(JOB_CONTROLLER).merge(
            "Workload",
            _name(workload),
            {"status": {"reclaimablePods": pods}},
            namespace=self._stage.namespace,
            sub="status",
        )
        return None

    def _finish(self, act: Act) -> object:
        workload = self._workload(act.name)
        if not workload.is_true("Admitted") or workload.is_true("Finished") or workload.is_true("Evicted"):
            return _NOTHING
        if self._forms[act.name] == "job":
            finish_job(self._context, self._stage.namespace, self.name(act.name))
        else:
            finish(self._context, self._stage.namespace, _name(workload))
        return None

    # What check controllers do

    def _answer(self, act: Act) -> object:
        workload = self._workload(act.name)
        check = self.name(act.option("check"))
        if not _is_open(workload) or workload.checks.get(check, {}).get("state") in (None, "Rejected"):
            return _NOTHING
        if check in self._kueues_checks():
            return _NOTHING
        fields: dict[str, Any] = {}
        if act.option("delay"):
            fields["delay"] = int(act.option("delay"))
        if act.option("update"):
            fields["updates"] = [
                manifests.pod_set_update(act.option("update"), pod_set["name"], act.option("check"))
                for pod_set in workload.object["spec"]["podSets"]
            ]
        self._check(act.option("check")).answer(self._stored(workload), act.option("state"), **fields)
        return None

    def _provision(self, act: Act) -> object:
        return None if self._provisioning.answer(self._workload(act.name), act) else _NOTHING

    def _approve(self) -> object:
        """Answer Ready for every check that is Pending, in the order of names."""
        approved = False
        for stored in self._client.list("Workload", self._stage.namespace):
            workload = view_of(stored)
            if _is_open(workload):
                approved |= self._provisioning.provide(workload)
            for check in sorted(workload.checks) if _is_open(workload) else ():
                if workload.checks[check].get("state") == "Pending" and check not in self._kueues_checks():
                    Check(self._context, check).answer(self._stored(workload), "Ready")
                    approved = True
        return None if approved else _NOTHING

    def _kueues_checks(self) -> frozenset[str]:
        """Return the names of the checks that Kueue's own controller decides about."""
        checks = self._client.list("AdmissionCheck")
        return frozenset(check["metadata"]["name"] for check in checks if is_provisioning(check))

    def _stored(self, workload: WorkloadView) -> Any:
        from ...stage.workloads.workload import Workload

        return Workload(self._context, self._stage.namespace, _name(workload))


_NOTHING = object()


def _name(workload: WorkloadView) -> str:
    return str(workload.object["metadata"]["name"])


def _is_open(workload: WorkloadView) -> bool:
    """Tell whether a check controller may answer: quota is held, and nothing has ended."""
    ended = workload.is_true("Evicted") or workload.is_true("Finished")
    return workload.is_true("QuotaReserved") and workload.active and not ended
