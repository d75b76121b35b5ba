"""A ProvisioningRequest as the rules see it (PA-036, PA-037, PA-084)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api.objects import Condition, OwnerReference
from reference_impl.api.resource import Json, Key, key_of
from reference_impl.kueue.workload import conditions as c

ACCEPTED: Final = "Accepted"
PROVISIONED: Final = "Provisioned"
FAILED: Final = "Failed"
BOOKING_EXPIRED: Final = "BookingExpired"
CAPACITY_REVOKED: Final = "CapacityRevoked"


@dataclass(frozen=True, slots=True)
class Request:
    """One revision of a ProvisioningRequest."""

    object: Json

    @property
    def key(self) -> Key:
        """Return its name for a client."""
        return key_of(self.object)

    @property
    def name(self) -> str:
        """Return its name."""
        return str(self.object["metadata"]["name"])

    @property
    def uid(self) -> str:
        """Return its uid."""
        return str(self.object["metadata"].get("uid", ""))

    @property
    def owners(self) -> Sequence[OwnerReference]:
        """Return its owner references."""
        return self.object["metadata"].get("ownerReferences") or ()

    @property
    def spec(self) -> Json:
        """Return the spec."""
        return self.object.get("spec") or {}

    @property
    def class_name(self) -> str:
        """Return its class."""
        return str(self.spec.get("provisioningClassName") or "")

    @property
    def parameters(self) -> Json:
        """Return its parameters."""
        return self.spec.get("parameters") or {}

    @property
    def pod_sets(self) -> Sequence[Json]:
        """Return its podSets."""
        return self.spec.get("podSets") or ()

    @property
    def templates(self) -> tuple[str, ...]:
        """Return the names of its PodTemplates."""
        return tuple(pod_set["podTemplateRef"]["name"] for pod_set in self.pod_sets)

    @property
    def details(self) -> Json:
        """Return the details of its class."""
        return (self.object.get("status") or {}).get("provisioningClassDetails") or {}

    def condition(self, kind: str) -> Condition | None:
        """Return a condition by its type."""
        return c.find((self.object.get("status") or {}).get("conditions") or (), kind)

    def is_true(self, kind: str) -> bool:
        """Tell whether a condition is True; Unknown and False are not (PA-084)."""
        condition = self.condition(kind)
        return condition is not None and condition["status"] == "True"

    def message(self, kind: str) -> str:
        """Return the message of a condition, empty without one."""
        condition = self.condition(kind)
        return "" if condition is None else condition["message"] or ""
