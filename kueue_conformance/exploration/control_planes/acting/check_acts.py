"""Acts of check controllers and of an autoscaler."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....case.context import CaseContext
from ....stage.checks.check import Check
from ....stage.making import manifests as stage_manifests
from ....stage.workloads.view import WorkloadView, view_of
from .. import manifests
from ..acts import Act, Verb
from ..object_names import ObjectNames
from ..statements.provisioning_case import is_provisioning
from .act_outcome import NOTHING_TO_DO, CarryOut
from .provisioning_acts import ProvisioningActs
from .submitted_workloads import SubmittedWorkloads


class CheckActs:
    """Creates checks, sets their Active condition, and answers for them."""

    def __init__(
        self, context: CaseContext, namespace: str, names: ObjectNames, workloads: SubmittedWorkloads
    ) -> None:
        self._context = context
        self._client = context.client
        self._names = names
        self._workloads = workloads
        self._provisioning = ProvisioningActs(context, namespace, names.of)
        self.acts: CarryOut = {
            Verb.CHECK: self._create,
            Verb.SET_ACTIVE: self._set_active,
            Verb.ANSWER: self._answer,
            Verb.APPROVE: lambda _: self._approve(),
            Verb.CONFIG: self._provisioning.create_config,
            Verb.SET_CONFIG: self._provisioning.set_config,
            Verb.PROVISION: self._provision,
            Verb.DROP_REQUEST: self._drop_request,
        }

    def _create(self, act: Act) -> None:
        if act.option("config"):
            self._provisioning.create_check(act)
            return
        self._client.create(
            stage_manifests.admission_check(
                self._names.of(act.name),
                retry_delay_minutes=int(act.option("retry")) if act.option("retry") else None,
                preemption_policy=act.option("policy"),
            )
        )
        self._check(act.name).set_active()

    def _set_active(self, act: Act) -> object:
        # Kueue would write its own condition over it at some time that is not said.
        if self._names.of(act.name) in self._kueues_checks():
            return NOTHING_TO_DO
        self._check(act.name).set_active(act.option("active") == "yes")
        return None

    def _answer(self, act: Act) -> object:
        workload = self._workloads.get(act.name)
        checks = self._answerable(workload, self._names.of(act.option("check")))
        # Releases know no reasons of entries.
        if not checks or (act.option("reason") and self._context.dialect.is_release):
            return NOTHING_TO_DO
        fields: dict[str, Any] = {}
        if act.option("update"):
            fields["updates"] = [
                manifests.pod_set_update(act.option("update"), pod_set["name"], act.option("check"))
                for pod_set in workload.object["spec"]["podSets"]
            ]
        handle = self._workloads.handle_of(workload)
        if act.option("reason"):
            Check(self._context, checks[0]).answer_with_reason(
                handle, act.option("state"), act.option("reason")
            )
            return None
        for multiple, check in enumerate(checks if act.option("others") else checks[:1], 1):
            if act.option("delay"):
                fields["delay"] = multiple * int(act.option("delay"))
            Check(self._context, check).answer(handle, act.option("state"), **fields)
        return None

    def _answerable(self, workload: WorkloadView, preferred: str) -> Sequence[str]:
        """Return the checks of a Workload that can be answered now, the preferred one first."""
        if not _is_open(workload):
            return ()
        kueues = self._kueues_checks()  # Kueue itself answers by the requests for capacity
        possible = [
            check
            for check, entry in sorted(workload.checks.items())
            if entry.get("state") != "Rejected" and check not in kueues
        ]
        return sorted(possible, key=lambda check: check != preferred)

    def _provision(self, act: Act) -> object:
        is_done = self._provisioning.answer(self._workloads.get(act.name), act)
        return None if is_done else NOTHING_TO_DO

    def _drop_request(self, act: Act) -> object:
        is_done = self._provisioning.drop(self._workloads.get(act.name))
        return None if is_done else NOTHING_TO_DO

    def _approve(self) -> object:
        """Answer Ready for every check that is Pending, in the order of names."""
        approved = False
        for stored in self._workloads.all():
            workload = view_of(stored)
            if not _is_open(workload):
                continue
            approved |= self._provisioning.provide(workload)
            for check in sorted(workload.checks):
                if workload.checks[check].get("state") == "Pending" and check not in self._kueues_checks():
                    Check(self._context, check).answer(self._workloads.handle_of(workload), "Ready")
                    approved = True
        return None if approved else NOTHING_TO_DO

    def _check(self, short: str) -> Check:
        return Check(self._context, self._names.of(short))

    def _kueues_checks(self) -> frozenset[str]:
        """Return the names of the checks that Kueue's own controller decides about."""
        checks = self._client.list("AdmissionCheck")
        return frozenset(check["metadata"]["name"] for check in checks if is_provisioning(check))


def _is_open(workload: WorkloadView) -> bool:
    """Tell whether a check controller may answer: quota is held, and nothing has ended."""
    ended = workload.is_true("Evicted") or workload.is_true("Finished")
    return workload.is_true("QuotaReserved") and workload.active and not ended
