"""A ProvisioningRequest of a scenario about autoscalers, and what its user and other clients do to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.json_types import Json
from ..answer import Answer, try_request
from ..checks.check import timestamp
from .request_history import RequestHistory
from .request_status import KIND


class CapacityRequest(RequestHistory):
    """One request, read anew by each property."""

    def delete(self) -> None:
        """Delete it, as its user does."""
        self._context.client.delete(KIND, self.name, self.namespace)

    def try_to_change(self, **sections: Any) -> Answer:
        """Change fields of its metadata or spec; return the server's answer."""
        return try_request(
            lambda: self._context.client.merge(KIND, self.name, sections, namespace=self.namespace)
        )

    def set_foreign_conditions(
        self, *, ago: float = 0.0, reason: str = "Said", **conditions: bool | str
    ) -> None:
        """Set conditions as another client would, with a time so many seconds ago."""
        at = timestamp(self._context.cluster.now() - ago)

        def with_conditions(current: Json) -> Json:
            status = current.get("status") or {}
            new = {
                name: {
                    "type": name,
                    "status": str(value),
                    "reason": reason,
                    "message": "",
                    "lastTransitionTime": at,
                }
                for name, value in conditions.items()
            }
            existing = {condition["type"]: condition for condition in status.get("conditions", [])}
            return {**current, "status": {**status, "conditions": [*{**existing, **new}.values()]}}

        self._context.client.update(KIND, self.name, with_conditions, namespace=self.namespace, sub="status")

    def set_foreign_details(self, details: Mapping[str, str]) -> None:
        """Set the details of the class, as another client would."""
        patch = {"status": {"provisioningClassDetails": dict(details)}}
        self._context.client.merge(KIND, self.name, patch, namespace=self.namespace, sub="status")
