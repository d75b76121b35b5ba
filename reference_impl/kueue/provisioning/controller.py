"""Reads a snapshot of a Workload or an AdmissionCheck, decides the next steps, and does them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from reference_impl.api.kinds import ADMISSION_CHECKS
from reference_impl.api.resource import Json, Key
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.store import Store
from reference_impl.runtime.write_through_cache import WriteThroughCache

from . import active, config
from .config import ConfigReference, ProvisioningConfig
from .request import Request
from .rules import ProvisioningRules
from .snapshot import ProvisioningCheck, WorkloadSnapshot
from .writing import StepExecutor


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisioningCaches:
    """Objects read from the API server."""

    workloads: WriteThroughCache
    requests: WriteThroughCache
    """By the names of their owners."""
    templates: WriteThroughCache
    checks: Store
    configs: Store
    flavors: Store


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReconciler:
    """Answers the provisioning checks of one Workload at a time."""

    rules: ProvisioningRules
    caches: ProvisioningCaches
    executor: StepExecutor
    clock: Clock
    random: Random

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Do the next steps."""
        obj = self.caches.workloads.get(key)
        if obj is None:
            return None
        workload = Workload(obj)
        return await self.executor.do(workload, self.rules.decide(self._snapshot(workload), self.rules))

    def _snapshot(self, workload: Workload) -> WorkloadSnapshot:
        caches = self.caches
        objects = caches.requests.by_index(str(workload.api_key))
        requests = (Request(obj) for obj in objects)
        return WorkloadSnapshot(
            workload=workload,
            checks=tuple(self._checks(workload)),
            requests=tuple(request for request in requests if self.rules.is_own_request(workload, request)),
            flavors=self._flavors(workload),
            template=lambda name: caches.templates.get(Key(workload.namespace, name)),
            request_uid=lambda name: self._uid(Key(workload.namespace, name)),
            current_time=self.clock.now(),
            jitter=self.random.random(),
        )

    def _uid(self, key: Key) -> str:
        request = self.caches.requests.get(key)
        return "" if request is None else str(request["metadata"]["uid"])

    def _checks(self, workload: Workload) -> list[ProvisioningCheck]:
        """Return the listed checks that are answered here (PA-033)."""
        checks = (
            (entry, self.caches.checks.get(Key("", entry["name"]))) for entry in workload.checks.entries
        )
        return [self._check(entry, check) for entry, check in checks if check and config.is_ours(check)]

    def _check(self, entry: Json, check: Json) -> ProvisioningCheck:
        reference = ConfigReference.of(check)
        deleting = "deletionTimestamp" in check["metadata"]
        if reference.problem:
            return ProvisioningCheck(entry["name"], entry, problem=reference.problem, is_deleting=deleting)
        obj = self.caches.configs.get(Key("", reference.name))
        return ProvisioningCheck(
            entry["name"], entry, None if obj is None else ProvisioningConfig.of(obj), is_deleting=deleting
        )

    def _flavors(self, workload: Workload) -> Mapping[str, Json]:
        flavors = ((name, self.caches.flavors.get(Key("", name))) for name in workload.used_flavors)
        return {name: flavor for name, flavor in flavors if flavor is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckStatusReconciler:
    """Says of each AdmissionCheck that is answered here whether it can be."""

    rules: ProvisioningRules
    client: Client
    clock: Clock
    checks: Store
    configs: Store

    async def reconcile(self, key: Key) -> None:
        """Write the Active condition where it is wrong (PA-020…028)."""
        check = self.checks.get(key)
        if check is None or not config.is_ours(check):
            return
        status = active.decide(
            check,
            lambda name: self.configs.get(Key("", name)),
            self.clock.now(),
            self.rules.config_problem,
            self.rules.is_condition_outdated,
        )
        if status is not None:
            await self.client.update_status(ADMISSION_CHECKS, {**check, "status": status})
