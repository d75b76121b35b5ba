"""Objects of a subject besides its verdicts:
the parameters of its checks, and the objects that it makes for Workloads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.bounds import Bound
from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ...subject.outside_work import OutsideWork, WorkItem, WorkloadIdentity, WorkSources
from ...subject.outside_work.claims import Claims
from ...subject.parameters import Parameters
from ...wire import kinds
from ...wire.client import ApiError
from ...wire.resource import RESOURCES
from ..unsupported import skip_unsupported_field
from ..workloads.workload import Workload

MANAGER = "kueue-conformance"
_INVALID = 422
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
        """Make it, or change it into one that is valid or not.

        Skips the case where the schema of its kind refuses what is invalid: no controller ever sees that.
        """
        try:
            kinds.apply(
                self._context.client, self._declared.objects(self._name, valid=valid), manager=MANAGER
            )
        except ApiError as error:
            if valid or error.code != _INVALID:
                raise
            skip_unsupported_field("parameters.invalid that the API server takes")
        self._context.client.afterwards(self.delete)
        return self

    def delete(self) -> None:
        """Delete it; an absent one is no error."""
        kinds.remove(self._context.client, self._declared.objects(self._name))


class SubjectWork:
    """The outside work of a subject for Workloads, as its subject file lets it be seen."""

    def __init__(self, context: CaseContext, work: OutsideWork, claims: Claims) -> None:
        self._context = context
        self._work = work
        self._sources = WorkSources(
            client=context.client, claims=claims, kubeconfig=context.cluster.kubeconfig
        )

    @property
    def kind(self) -> str:
        """The kind of objects that it is, empty where it is none that the harness knows."""
        manifest = self._work.manifest
        return manifest["kind"] if manifest and manifest["kind"] in RESOURCES else ""

    def is_under_way(self, workload: Workload) -> Fact:
        """The subject works for the Workload, and not twice."""
        names = self._names(workload)
        return Fact(len(names) == 1, f"one {self._work.noun} is there for {workload}", f"{names or 'none'}")

    def is_over(self, workload: Workload) -> Fact:
        """The subject has released all that it made for the Workload."""
        names = self._names(workload)
        return Fact(not names, f"no {self._work.noun} is there for {workload}", f"{names or 'none'}")

    def is_the_same(self, workload: Workload, before: frozenset[str]) -> Fact:
        """The subject works for the Workload with what it had begun before, and nothing else."""
        current = self.identity_of(workload)
        return Fact(
            current == before,
            f"the {self._work.noun} for {workload} is the one that was begun",
            f"{sorted(current - before)} is new, {sorted(before - current)} is gone",
        )

    def items_of(self, workload: Workload) -> Sequence[str]:
        """Return the names of what it has begun for the Workload and not released."""
        return self._names(workload)

    def identity_of(self, workload: Workload) -> frozenset[str]:
        """Return what tells its work for a Workload from any that is begun later."""
        return frozenset(item.identity for item in self._items(workload))

    def is_doubled(self, workload: Workload) -> Fact:
        """The subject works for the Workload more than once."""
        names = self._names(workload)
        bound = Bound(f"{self._work.noun}s", least=2)
        observed = f"{bound.describe(len(names))}: {', '.join(names) or 'none'}"
        return Fact(bound.holds(len(names)), f"{bound} for {workload}", observed)

    def _names(self, workload: Workload) -> list[str]:
        return [item.name for item in self._items(workload)]

    def _items(self, workload: Workload) -> Sequence[WorkItem]:
        uids = {change.after["metadata"]["uid"] for change in workload.history if change.after}
        identity = WorkloadIdentity(namespace=workload.namespace, name=workload.name, uids=frozenset(uids))
        return self._work.items(identity, self._sources)
