"""A ClusterQueue with its LocalQueue, flavors and checks: where a scenario submits Workloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ...base.json_types import Json
from ...case.context import CaseContext, within
from ...history.fact import Fact
from ..answer import Answer, try_request
from ..checks.check import Check
from ..making import manifests, templated_workloads
from ..making.api_objects import ApiObject
from ..making.names import Names
from ..making.owners import set_owner
from ..making.submission import Submission
from ..pending.pending import Pending
from ..unsupported import skip_unsupported_field
from ..workloads.view import WorkloadView
from ..workloads.workload import Workload
from .active_conditions import ActiveConditions
from .usage import Usage

Form = Literal["workload", "job"]
Stage = Literal["prechecked", "admitted"]


class Queue(ActiveConditions, Usage):
    """A queue of users.

    Made by `Stage.queue`; the ClusterQueue and the LocalQueue bear the same
    name, but for `Stage.make_second_local_queue`.
    """

    def __init__(
        self,
        context: CaseContext,
        names: Names,
        name: str,
        namespace: str,
        flavors: Sequence[str],
        checks: Sequence[Check],
        cluster_queue: str = "",
    ) -> None:
        super().__init__(context, name, namespace, cluster_queue)
        self._names = names
        self.flavors = tuple(flavors)
        self.checks = tuple(checks)

    @property
    def objects(self) -> tuple[ApiObject, ApiObject]:
        """The ClusterQueue and the LocalQueue as the server keeps them."""
        return (
            ApiObject(self._context, "ClusterQueue", self.cluster_queue, ""),
            ApiObject(self._context, "LocalQueue", self.name, self.namespace),
        )

    def submit(
        self,
        form: Form = "workload",
        *,
        cpu: str | None = None,
        count: int = 1,
        name: str = "",
        template: Mapping[str, Any] | None = None,
        annotations: Mapping[str, str] | None = None,
        **spec: Any,
    ) -> Workload:
        """Submit a bare Workload or a suspended Job that asks
        for `cpu` per pod (an empty text: no request at all).
        """
        # An amount of the case's own: usage of one Workload is not mistaken for another's.
        amount = f"{self._names.milli_cpu()}m" if cpu is None else cpu
        submission = Submission(
            form=form,
            name=name or self._names.name(form),
            namespace=self.namespace,
            queue=self.name,
            requests={"cpu": amount} if amount else {},
            count=count,
            pods=template or {},
            annotations=annotations or {},
            spec=spec,
        )
        manifest = self._manifest(submission)
        for prepare in self._context.preparations:
            manifest = prepare(manifest)
        self._context.client.create(manifest)
        return (
            Workload(self._context, self.namespace, job=submission.name)
            if form == "job"
            else Workload(self._context, self.namespace, submission.name)
        )

    def _manifest(self, submission: Submission) -> Json:
        """Return what is submitted, as the subject file has it; skips a case that needs it otherwise."""
        template = self._context.workload_template
        if template is None:
            return submission.manifest()
        if reason := templated_workloads.contradiction(template, submission):
            skip_unsupported_field(reason)
        manifest = templated_workloads.workload(template, submission)
        if template.owner is not None:
            pods = manifest["spec"]["podSets"][0]["template"]
            # A name of its own: that of a Workload may be longer than that of a Job.
            owner = template.new_owner(self._names.name("job"), self.namespace, pods)
            set_owner(self._context.client, owner, manifest)
        return manifest

    def submit_many(self, number: int, **spec: Any) -> None:
        """Submit so many bare Workloads."""
        for _ in range(number):
            self.submit(**spec)

    def submit_without_requests(self, form: Form = "workload") -> Workload:
        """Submit a Workload or Job whose pods request no resource."""
        return self.submit(form, cpu="")

    def submit_with_time_limit(self, form: Form, seconds: int) -> Workload:
        """Submit a Workload or Job with a maximum execution time:
        a field of the Workload, or a label of the Job.
        """
        if form == "job":
            return self.submit(form, labels={"kueue.x-k8s.io/max-exec-time-seconds": str(seconds)})
        return self.submit(form, maximumExecutionTimeSeconds=seconds)

    def submit_until(self, stage: Stage, form: Form = "workload", **spec: Any) -> Workload:
        """Submit a Workload or Job and bring it to a state: prechecked with every check Pending, or admitted
        by all of them.
        """
        workload = self.submit(form, **spec)
        if not self.checks:
            within("admit", workload.is_admitted)
            return workload
        # Kueue reserves by one write and lists the checks by another (AC-379).
        within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*self.checks))
        if stage == "admitted":
            self.admit(workload)
        return workload

    def fill(self, number: int = 1, form: Form = "workload", **spec: Any) -> list[Workload]:
        """Bring so many Workloads of low priority to be admitted, one after the other, and return them."""
        least = {"cpu": "1", "priority": -10} if form == "workload" else {"cpu": "1"}
        return [self.submit_until("admitted", form, **{**least, **spec}) for _ in range(number)]

    def admit(self, workload: Workload) -> None:
        """Answer Ready for every check of a Workload, and wait until it is admitted."""
        for check in self.checks:
            check.answer(workload, "Ready")
        within("admit", workload.is_admitted)

    def has_reserved_for(self, workload: Workload) -> Fact:
        """The Workload holds quota: Prechecked where the queue
        requires checks, Admitted where it requires none.
        """
        return workload.is_prechecked() if self.checks else workload.is_admitted()

    def has_verdicts(self, state: str, check: Check, *, times: int) -> Fact:
        """So many Workloads of the namespace have this state of a check;
        read at once, however many there are.
        """
        workloads = self._context.client.list("Workload", self.namespace)
        count = sum(
            WorkloadView(workload).checks.get(check.name, {}).get("state") == state for workload in workloads
        )
        return Fact(
            count == times, f"{times} Workloads have {check.name} {state}", f"{count} of {len(workloads)}"
        )

    # Who waits

    def pending(self, *, version: str = "") -> Pending:
        """Return the pending Workloads of the ClusterQueue, as an administrator gets them."""
        return self._visibility_list(f"clusterqueues/{self.cluster_queue}", version=version)

    def pending_locally(self, *, version: str = "") -> Pending:
        """Return the pending Workloads of the LocalQueue, as an administrator gets them."""
        return self._visibility_list(self._local_path, version=version)

    def admitted_workloads(self, *, alias: bool = False) -> Pending:
        """Return the Workloads that hold quota of the ClusterQueue;
        `alias` asks by the name that KEP-168-2 gives them.
        """
        listed = "admitted_workloads" if alias else "admittedworkloads"
        return self._visibility_list(f"clusterqueues/{self.cluster_queue}", listed=listed)

    def admitted_workloads_locally(self) -> Pending:
        """Return the Workloads of the LocalQueue that hold quota."""
        return self._visibility_list(self._local_path, listed="admittedworkloads")

    @property
    def _local_path(self) -> str:
        return f"namespaces/{self.namespace}/localqueues/{self.name}"

    def _visibility_list(self, path: str, **options: str) -> Pending:
        return Pending(self._context, self._context.client, path, **options)

    # What an administrator does

    def hold(self) -> None:
        """Stop new admissions: stopPolicy Hold."""
        self._set_spec(stopPolicy="Hold")

    def hold_and_drain(self) -> None:
        """Stop and evict: stopPolicy HoldAndDrain."""
        self._set_spec(stopPolicy="HoldAndDrain")

    def resume(self) -> None:
        """Resume the ClusterQueue: stopPolicy None."""
        self._set_spec(stopPolicy="None")

    def requeue(self, workload: Workload, cause: str) -> None:
        """Evict an admitted Workload: by `retry` of the first check, or `cluster-queue-stopped` and
        `local-queue-stopped` for a while.
        """
        if cause == "retry":
            self.checks[0].answer(workload, "Retry")
            within("evict", workload.was_released)
            return
        stopped = cause.removesuffix("-stopped")
        self.set_stop_policy(stopped, "HoldAndDrain")
        within("evict", workload.is_suspended)
        self.resume_queue(stopped)

    def set_stop_policy(self, queue_kind: str, policy: str) -> None:
        """Set the stopPolicy of the `cluster-queue` or of the `local-queue`."""
        {"cluster-queue": self._set_spec, "local-queue": self._set_local}[queue_kind](stopPolicy=policy)

    def resume_queue(self, queue_kind: str) -> None:
        """Resume the `cluster-queue` or the `local-queue`: stopPolicy None."""
        self.set_stop_policy(queue_kind, "None")

    def hold_local(self) -> None:
        """Stop the LocalQueue: stopPolicy Hold."""
        self._set_local(stopPolicy="Hold")

    def hold_and_drain_local(self) -> None:
        """Stop and evict on the LocalQueue: stopPolicy HoldAndDrain."""
        self._set_local(stopPolicy="HoldAndDrain")

    def resume_local(self) -> None:
        """Resume the LocalQueue: stopPolicy None."""
        self._set_local(stopPolicy="None")

    def set_weight(self, weight: str) -> None:
        """Set the weight of the ClusterQueue in fair sharing."""
        self._set_spec(fairSharing={"weight": weight})

    def set_local_weight(self, weight: str) -> None:
        """Set the weight of the LocalQueue in admission fair sharing."""
        self._set_local(fairSharing={"weight": weight})

    def set_quota(self, cpu: str) -> None:
        """Set the nominal CPU quota of every flavor."""
        self.set_quotas(*[cpu] * len(self.flavors))

    def set_quotas(self, *cpu: str) -> None:
        """Set the nominal CPU quota of each flavor, in their order."""
        quotas = {flavor: {"cpu": amount} for flavor, amount in zip(self.flavors, cpu, strict=True)}
        self._set_spec(resourceGroups=[manifests.resource_group(quotas)])

    def set_flavors(self, *flavors: str, cpu: str = "10") -> None:
        """Replace the flavors of the ClusterQueue."""
        quotas = {flavor: {"cpu": cpu} for flavor in flavors}
        self._set_spec(resourceGroups=[manifests.resource_group(quotas)])

    def try_to_set_flavors(self, *flavors: str, cpu: str = "10") -> Answer:
        """Try to replace the flavors of the ClusterQueue; return the server's answer."""
        return try_request(lambda: self.set_flavors(*flavors, cpu=cpu))

    def set_checks(self, *checks: Check, on: Mapping[str, Sequence[str]] | None = None) -> None:
        """Replace the required checks; `on` restricts a check, by name, to flavors."""
        rules = {check.name: (on or {}).get(check.name, ()) for check in checks}
        self._set_spec(admissionChecksStrategy=manifests.strategy(rules) if rules else None)

    def try_to_change(self, **fields: Any) -> Answer:
        """Try to change fields of the ClusterQueue's spec; return the server's answer."""
        return try_request(lambda: self._set_spec(**fields))

    def in_version(self, version: str) -> Json:
        """Return the ClusterQueue in a version of the API."""
        return self._context.client.speaking(version).get("ClusterQueue", self.cluster_queue)

    def delete(self) -> None:
        """Delete the ClusterQueue."""
        self._context.client.delete("ClusterQueue", self.cluster_queue)

    def delete_local(self) -> None:
        """Delete the LocalQueue."""
        self._context.client.delete("LocalQueue", self.name, self.namespace)

    def _set_spec(self, **fields: Any) -> None:
        # Read, changed and PUT: a merge patch would replace lists without regard to who has
        # written meanwhile.
        self._context.client.update("ClusterQueue", self.cluster_queue, _with_spec_fields(fields))

    def _set_local(self, **fields: Any) -> None:
        self._context.client.update(
            "LocalQueue", self.name, _with_spec_fields(fields), namespace=self.namespace
        )


def _with_spec_fields(fields: Mapping[str, Any]) -> Callable[[Json], Json]:
    def change(current: Json) -> Json:
        spec = {**current["spec"], **fields}
        # None removes a field, as null does in a merge patch.
        return {**current, "spec": {key: value for key, value in spec.items() if value is not None}}

    return change
