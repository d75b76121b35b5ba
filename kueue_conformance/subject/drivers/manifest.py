"""`apply: FILE`: the controller reads its verdict off objects of its own; a manifest brings them, with
`${workload}` filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from ...wire import kinds
from ...wire.client import ApiError
from . import DriverFailed, Means
from .words import Decision, filled, mentioned

MANAGER = "kueue-conformance-driver"


@dataclass(frozen=True, slots=True)
class Apply:
    """Applies manifests; one without a namespace goes into the Workload's, where its kind has one."""

    manifests: Sequence[Json]

    @property
    def tells(self) -> frozenset[str]:
        """The words in the manifests."""
        return mentioned(list(self.manifests))

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return the objects."""
        return frozenset(map(_named, self._objects(decision)))

    def decide(self, decision: Decision, means: Means, seconds: float) -> None:
        """Apply the objects."""
        del seconds
        try:
            kinds.apply(means.client, self._objects(decision), manager=MANAGER)
        except ApiError as error:
            raise _refused(error) from error

    def undo(self, decision: Decision, means: Means, keep: frozenset[str]) -> None:
        """Delete the objects."""
        try:
            kinds.remove(means.client, [one for one in self._objects(decision) if _named(one) not in keep])
        except ApiError as error:
            raise _refused(error) from error

    def _objects(self, decision: Decision) -> list[Json]:
        objects = [filled(one, decision) for one in self.manifests]
        return [{**one, "metadata": {"namespace": decision.namespace, **one["metadata"]}} for one in objects]


def _named(one: Json) -> str:
    return f"{one['apiVersion']} {one['kind']} {one['metadata']['namespace']}/{one['metadata']['name']}"


def _refused(error: ApiError) -> DriverFailed:
    return DriverFailed(
        f"the API server does not take a manifest of the driver: {error}",
        hint="check the file after apply in the subject file",
    )
