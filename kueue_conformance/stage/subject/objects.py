"""Objects of a subject besides its verdicts:
the parameters of its checks, and the objects that it makes for Workloads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ...subject.effects import Effects
from ...subject.parameters import Parameters
from ...wire import kinds
from ...wire.client import ApiError
from ..workloads.workload import Workload

MANAGER = "kueue-conformance"
UNUSED: Mapping[str, str] = {"apiGroup": "example.com", "kind": "Budget", "name": "team-a"}
"""Parameters for a subject that looks at none."""
WRONG: Mapping[str, Mapping[str, str]] = {
    "missing": {},
    "of another kind": {"kind": "Flowerpot"},
    "of another group": {"apiGroup": "elsewhere.example.com"},
}
"""Wrong references to parameters, by what is wrong."""


class ParametersObject:
    """One object that a check can refer to; made by `Belongings.parameters`."""

    def __init__(self, context: CaseContext, declared: Parameters, name: str) -> None:
        self._context = context
        self._declared = declared
        self.reference: Json = declared.reference(name)
        self._name = name

    def create(self, *, valid: bool = True) -> ParametersObject:
        """Make it, or change it into one that is valid or not."""
        kinds.apply(self._context.client, self._declared.objects(self._name, valid=valid), manager=MANAGER)
        self._context.client.afterwards(self.delete)
        return self

    def delete(self) -> None:
        """Delete it; an absent one is no error."""
        kinds.remove(self._context.client, self._declared.objects(self._name))


class SubjectWork:
    """The objects that a subject has made for Workloads: what it does outside."""

    def __init__(self, context: CaseContext, declared: Effects) -> None:
        self._context = context
        self._declared = declared

    def is_under_way(self, workload: Workload) -> Fact:
        """The subject works for the Workload, and not twice."""
        names = self._of(workload)
        return Fact(
            len(names) == 1, f"one {self._declared.kind} is there for {workload}", f"{names or 'none'}"
        )

    def is_over(self, workload: Workload) -> Fact:
        """The subject has released all that it made for the Workload."""
        names = self._of(workload)
        return Fact(not names, f"no {self._declared.kind} is there for {workload}", f"{names or 'none'}")

    def is_the_same(self, workload: Workload, before: frozenset[str]) -> Fact:
        """The subject works for the Workload with what it had begun before, and nothing else."""
        current = self.identity_of(workload)
        return Fact(
            current == before,
            f"the {self._declared.kind} for {workload} is the one that was begun",
            f"{sorted(current - before)} is new",
        )

    def identity_of(self, workload: Workload) -> frozenset[str]:
        """Return what tells its work for a Workload from any that is begun later."""
        return frozenset(item["metadata"]["uid"] for item in self._objects(workload))

    def is_doubled(self, workload: Workload) -> Fact:
        """The subject works for the Workload more than once."""
        names = self._of(workload)
        return Fact(
            len(names) > 1, f"several {self._declared.kind} are there for {workload}", f"{names or 'none'}"
        )

    def _of(self, workload: Workload) -> list[str]:
        return [item["metadata"]["name"] for item in self._objects(workload)]

    def _objects(self, workload: Workload) -> Sequence[Json]:
        resource = kinds.resource_of(self._context.client, self._declared.manifest)
        try:
            items = self._context.client.call("GET", resource.path(workload.namespace))["items"]
        except ApiError as error:
            if error.code != 404:
                raise
            items = []
        uids = {change.after["metadata"]["uid"] for change in workload.history if change.after}
        return list(self._declared.among(items, workload.name, frozenset(uids)))
