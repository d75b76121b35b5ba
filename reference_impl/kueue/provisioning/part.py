"""The provisioning check as a part of the control plane: with the rest, alone, or left out (PA-001…008)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api import kinds
from reference_impl.runtime.controller import Controller
from reference_impl.runtime.part import Runnable, Runtime
from reference_impl.runtime.write_through_cache import WriteThroughCache

from . import metric_definitions, triggers
from .controller import CheckReconciler, CheckStatusReconciler, ProvisioningCaches
from .rules import ProvisioningRules
from .triggers import Triggers
from .writing import StepExecutor

REPORTER: Final = "kueue-provisioning-request-controller"
WORKERS: Final = 8


@dataclass(frozen=True, slots=True)
class ProvisioningPart:
    """Follows Workloads with their requests, and AdmissionChecks with their configurations."""

    rules: ProvisioningRules

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow all that matters."""
        runtime.metrics.add(metric_definitions.METRICS)
        workloads, checks = runtime.informer(kinds.WORKLOADS), runtime.informer(kinds.ADMISSION_CHECKS)
        configs = runtime.informer(kinds.PROVISIONING_REQUEST_CONFIGS)
        requests = runtime.informer(self.rules.request_resource)
        workloads.add_index(triggers.BY_CHECK, triggers.checks_of)
        checks.add_index(triggers.BY_CONFIG, triggers.config_of)
        requests.add_index(triggers.BY_OWNER, triggers.owners_of)
        caches = ProvisioningCaches(
            workloads=WriteThroughCache(workloads),
            requests=WriteThroughCache(requests, triggers.BY_OWNER, triggers.owners_of),
            templates=WriteThroughCache(runtime.informer(kinds.POD_TEMPLATES)),
            checks=checks.store,
            configs=configs.store,
            flavors=runtime.informer(kinds.RESOURCE_FLAVORS).store,
        )
        answering = Controller(
            "provisioning-workload",
            self._answers(runtime, caches).reconcile,
            runtime.clock,
            runtime.log,
            workers=WORKERS,
        )
        judging = Controller(
            "provisioning-admission-check",
            CheckStatusReconciler(
                rules=self.rules,
                client=runtime.client,
                clock=runtime.clock,
                checks=checks.store,
                configs=configs.store,
            ).reconcile,
            runtime.clock,
            runtime.log,
        )
        follow = Triggers(
            workloads.store, checks.store, requests.store, answering.queue.add, judging.queue.add
        )
        workloads.add_handler(follow.on_workload)
        requests.add_handler(follow.on_request)
        checks.add_handler(follow.on_check)
        configs.add_handler(follow.on_config)
        return [answering, judging]

    def _answers(self, runtime: Runtime, caches: ProvisioningCaches) -> CheckReconciler:
        executor = StepExecutor(
            rules=self.rules,
            client=runtime.client,
            clock=runtime.clock,
            recorder=runtime.recorder(REPORTER),
            metrics=runtime.metrics,
            log=runtime.log.with_name("provisioning"),
            workloads=caches.workloads,
            requests=caches.requests,
            templates=caches.templates,
        )
        return CheckReconciler(
            rules=self.rules, caches=caches, executor=executor, clock=runtime.clock, random=runtime.random
        )
