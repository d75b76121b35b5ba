"""A changed WorkloadPriorityClass reaches the Workloads that use it (AC-180)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...api.kinds import WORKLOADS
from ...api.resource import Json, Key
from ...runtime.client import Client
from ...runtime.store import Store

BY_PRIORITY_CLASS = "workload/priority-class"
KIND = "WorkloadPriorityClass"


def priority_class_of(workload: Json) -> Iterable[str]:
    """Index Workloads by the WorkloadPriorityClass they use."""
    ref = (workload.get("spec") or {}).get("priorityClassRef") or {}
    return (ref.get("name", ""),) if ref.get("kind") == KIND else ()


@dataclass(frozen=True, slots=True)
class PriorityClasses:
    """Reconciles one class at a time."""

    client: Client
    store: Store
    workloads: Store

    async def reconcile(self, key: Key) -> None:
        """Write the value into every Workload that shows another one."""
        obj = self.store.get(key)
        if obj is None:
            return
        for workload in self.workloads.by_index(BY_PRIORITY_CLASS, key.name):
            if workload["spec"].get("priority") != obj["value"]:
                spec = {**workload["spec"], "priority": obj["value"]}
                await self.client.update(WORKLOADS, {**workload, "spec": spec})
