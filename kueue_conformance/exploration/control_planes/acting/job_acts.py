"""Acts of users on Jobs, and of the controller of Jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....base.json_types import Json
from ....case.context import CaseContext
from ....stage.workloads.endings import fail_job, finish_job
from ....stage.workloads.job import Job
from ..acts import Act, Verb
from ..object_names import ObjectNames
from ..pod_templates import tolerations_of
from .act_outcome import NOTHING_TO_DO, CarryOut


class JobActs:
    """Changes, suspends, fails and finishes Jobs, and says which of their pods are active."""

    def __init__(self, context: CaseContext, namespace: str, names: ObjectNames) -> None:
        self._context = context
        self._client = context.client
        self._namespace = namespace
        self._names = names
        self._lasting: frozenset[str] = frozenset()
        """The names of the Jobs whose pods do not end by themselves."""
        self._changes: Mapping[str, Callable[[Job, str], object]] = {
            "parallelism": lambda job, value: job.set_parallelism(int(value)),
            "cpu": lambda job, value: job.set_cpu_request(value),
            "limit": lambda job, value: job.set_time_limit(int(value)),
            "min": lambda job, value: job.set_min_parallelism(int(value)),
            "tolerates": lambda job, value: job.set_pod_fields(tolerations=tolerations_of(value)),
            "class": lambda job, value: job.set_priority_class(names.of(value)),
        }
        """What changes a Job, by the option of an act."""
        self.acts: CarryOut = {
            Verb.CHANGE_JOB: self._change,
            Verb.SUSPEND: lambda act: self._merge(act, {"spec": {"suspend": True}}),
            Verb.FAIL: self._fail,
        }

    def is_there(self, short: str) -> bool:
        """Tell whether a submission is a Job that is there."""
        is_job = self._names.is_job(short)
        return is_job and self._client.find("Job", self._names.of(short), self._namespace) is not None

    def finish(self, short: str) -> None:
        """Finish a Job."""
        finish_job(self._context, self._namespace, self._names.of(short))

    def set_pods(self, short: str, number: int, *, ready: bool, lasting: bool = False) -> None:
        """Say how many pods of a Job are active, whether they are ready, and whether they last."""
        name = self._names.of(short)
        self._lasting = self._lasting | {name} if lasting and number else self._lasting - {name}
        self._job(name).set_pods(number, ready=number if ready else 0)

    def end_pods(self, *, lasting: bool = False) -> bool:
        """End the pods of suspended Jobs, as the controller of Jobs does; tell whether there were any. Those
        that are lasting end where that is said.
        """
        left = [
            job["metadata"]["name"]
            for job in self._client.list("Job", self._namespace)
            if job["spec"].get("suspend") and job.get("status", {}).get("active")
        ]
        ending = [name for name in left if lasting or name not in self._lasting]
        for name in ending:
            self._job(name).set_pods(0)
        return bool(ending)

    def _change(self, act: Act) -> object:
        if not self.is_there(act.name):
            return NOTHING_TO_DO
        job = self._job(self._names.of(act.name))
        for option, change in self._changes.items():
            if act.option(option):
                change(job, act.option(option))
        return None

    def _merge(self, act: Act, patch: Json) -> object:
        if not self.is_there(act.name):
            return NOTHING_TO_DO
        self._client.merge("Job", self._names.of(act.name), patch, namespace=self._namespace)
        return None

    def _fail(self, act: Act) -> object:
        if not self.is_there(act.name):
            return NOTHING_TO_DO
        fail_job(self._context, self._namespace, self._names.of(act.name), "a pod has failed")
        return None

    def _job(self, name: str) -> Job:
        return Job(self._context, self._namespace, name)
