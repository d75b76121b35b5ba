"""`apply: FILE`: the controller reads its verdict off objects of its own; a manifest brings them, with
`${workload}` filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from ...wire import kinds
from ...wire.client import ApiError
from ..placeholders import placeholders_in
from . import DriverContext, DriverFailed
from .decision import Decision, fill_template

MANAGER = "kueue-conformance"
"""That of `setup`: a field that a manifest leaves out would stay there, were it owned by another one too."""


@dataclass(frozen=True, slots=True)
class ManifestDriver:
    """Applies manifests; one without a namespace goes into the Workload's, where its kind has one."""

    manifests: Sequence[Json]
    needs_workload = False

    @property
    def tells(self) -> frozenset[str]:
        """The words in the manifests; an object without a namespace goes into the Workload's."""
        words = placeholders_in(list(self.manifests))
        bare = any("namespace" not in manifest["metadata"] for manifest in self.manifests)
        return words | {"namespace"} if bare else words

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return the objects."""
        return frozenset(map(_identity, self._objects(decision)))

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Apply the objects."""
        del seconds
        try:
            kinds.apply(means.client, self._objects(decision), manager=MANAGER)
        except ApiError as error:
            raise _driver_failure(error) from error

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Delete the objects."""
        try:
            kinds.remove(
                means.client,
                # What the next decision brings as well stays: deleted and made anew, it would
                # look like an event to the subject.
                [object_ for object_ in self._objects(decision) if _identity(object_) not in keep],
            )
        except ApiError as error:
            raise _driver_failure(error) from error

    def _objects(self, decision: Decision) -> list[Json]:
        objects = [fill_template(manifest, decision) for manifest in self.manifests]
        return [
            # The manifest's own namespace wins, as it comes later; `kinds.locate` drops it for a
            # cluster-scoped kind.
            {**manifest, "metadata": {"namespace": decision.namespace, **manifest["metadata"]}}
            for manifest in objects
        ]


def _identity(object_: Json) -> str:
    return f"{object_['apiVersion']} {object_['kind']} {object_['metadata']['namespace']}/{object_['metadata']['name']}"


def _driver_failure(error: ApiError) -> DriverFailed:
    return DriverFailed(
        f"the API server does not take a manifest of the driver: {error}",
        hint="check the file after apply in the subject file",
    )
