"""`workloadLabels: {key: value}`: the controller reads its verdict off the Workload's labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from ...wire.client import ApiError
from ..placeholders import placeholders_in
from . import WHOSE, DriverContext, DriverFailed
from .decision import Decision, fill_template


@dataclass(frozen=True, slots=True)
class WorkloadLabels:
    """Labels the Workload."""

    labels: Mapping[str, str]
    needs_workload = True

    @property
    def tells(self) -> frozenset[str]:
        """Whose labels they are, and the words in their keys and values."""
        return placeholders_in(self.labels) | frozenset(WHOSE)

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return the labels."""
        return frozenset(f"label {key}" for key in fill_template(self.labels, decision))

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Set the labels."""
        del seconds
        self._label(decision, means, fill_template(self.labels, decision))

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Remove them; a Workload that is gone has none."""
        keys = [key for key in fill_template(self.labels, decision) if f"label {key}" not in keep]
        if keys and means.client.find("Workload", decision.workload, decision.namespace):
            # None for a key removes the label in a merge patch.
            self._label(decision, means, dict.fromkeys(keys))

    def label(self, manifest: Json, decisions: Sequence[Decision]) -> Json:
        """Return the manifest of a Workload that has the labels from its creation on."""
        metadata = manifest["metadata"]
        labels = dict(metadata.get("labels") or {})
        for decision in decisions:
            labels |= fill_template(self.labels, decision)
        return {**manifest, "metadata": {**metadata, "labels": labels}}

    def _label(self, decision: Decision, means: DriverContext, labels: Mapping[str, str | None]) -> None:
        try:
            means.client.merge(
                "Workload", decision.workload, {"metadata": {"labels": labels}}, namespace=decision.namespace
            )
        except ApiError as error:
            raise DriverFailed(
                f"the driver could not label Workload {decision.workload}: {error}",
                hint="check the labels of drivers in the subject file",
            ) from error
