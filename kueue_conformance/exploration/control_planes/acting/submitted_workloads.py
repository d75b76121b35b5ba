"""The stored Workloads of the submissions of a story."""

from __future__ import annotations

from collections.abc import Sequence

from ....base.json_types import Json
from ....case.context import CaseContext
from ....stage.workloads.view import WorkloadView, view_of
from ....stage.workloads.workload import Workload
from ..object_names import ObjectNames


class SubmittedWorkloads:
    """Reads Workloads by the short forms of their submissions."""

    def __init__(self, context: CaseContext, namespace: str, names: ObjectNames) -> None:
        self._context = context
        self._namespace = namespace
        self._names = names

    def workloads_of(self, short: str) -> Sequence[Json]:
        """Return the Workloads of a submission: itself, or those of the Job."""
        name = self._names.of(short)
        return [item for item in self.all() if name in (_name_of(item), *_owners_of(item))]

    def all(self) -> Sequence[Json]:
        """Return all Workloads of the namespace."""
        return list(self._context.client.list("Workload", self._namespace))

    def get(self, short: str) -> WorkloadView:
        """Return the Workload of a submission; an empty one where there is none."""
        owned = [item for item in self.workloads_of(short) if "deletionTimestamp" not in item["metadata"]]
        return view_of(owned[0] if owned else None)

    def handle_of(self, workload: WorkloadView) -> Workload:
        """Return the Workload as stages have it."""
        return Workload(self._context, self._namespace, name_of(workload))


def name_of(workload: WorkloadView) -> str:
    """Return the name of a Workload."""
    return _name_of(workload.object)


def _name_of(stored: Json) -> str:
    return str(stored["metadata"]["name"])


def _owners_of(stored: Json) -> Sequence[str]:
    return [owner["name"] for owner in stored["metadata"].get("ownerReferences", ())]
