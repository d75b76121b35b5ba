"""Brings a changed value of a WorkloadPriorityClass to the Workloads that use it (AC-180)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api.kinds import WORKLOAD_PRIORITY_CLASSES, WORKLOADS
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.runtime.client import Client
from reference_impl.runtime.controller import Again, Controller
from reference_impl.runtime.part import Runnable, Runtime
from reference_impl.runtime.store import Store

NAME: Final = "kueue-workload-priority-class-controller"
BY_CLASS: Final = "workload/priority-class"


def class_of(workload: Json) -> Iterable[str]:
    """Index Workloads by the WorkloadPriorityClass they refer to."""
    reference = (workload.get("spec") or {}).get("priorityClassRef") or {}
    return (reference["name"],) if reference.get("kind") == WORKLOAD_PRIORITY_CLASSES.kind else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityValues:
    """Reconciles one class at a time."""

    client: Client
    classes: Store
    workloads: Store

    async def reconcile(self, key: Key) -> Again | None:
        """Write the class's value to every Workload that has another."""
        found = self.classes.get(key)
        if found is None:
            return None
        for workload in self.workloads.by_index(BY_CLASS, key.name):
            if workload["spec"].get("priority") != found["value"]:
                spec = {**workload["spec"], "priority": found["value"]}
                await self.client.update(WORKLOADS, {**workload, "spec": spec})
        return None

    @classmethod
    def assemble(cls, runtime: Runtime) -> Sequence[Runnable]:
        """Follow the classes."""
        classes, workloads = runtime.informer(WORKLOAD_PRIORITY_CLASSES), runtime.informer(WORKLOADS)
        values = cls(client=runtime.client, classes=classes.store, workloads=workloads.store)
        controller = Controller(NAME, values.reconcile, runtime.clock, runtime.log)
        workloads.add_index(BY_CLASS, class_of)
        classes.add_handler(lambda old, new: controller.queue.add(key_of(new or old)))
        return [controller]
