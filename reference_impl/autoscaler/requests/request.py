"""A ProvisioningRequest as the autoscaler reads it (PR-012…021, PR-070…075)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from reference_impl.api import instants
from reference_impl.api.resource import Json, Key, key_of

CHECK_CAPACITY: Final = "check-capacity.autoscaling.x-k8s.io"
BEST_EFFORT_ATOMIC: Final = "best-effort-atomic-scale-up.autoscaling.x-k8s.io"
NO_RETRY: Final = "noRetry"
PROCESSOR_INSTANCE: Final = "processorInstance"

ACCEPTED: Final = "Accepted"
PROVISIONED: Final = "Provisioned"
FAILED: Final = "Failed"
BOOKING_EXPIRED: Final = "BookingExpired"


Order = tuple[float, Key, str]
"""By what requests are sorted: when they were made, their names, their uids."""


@dataclass(frozen=True, slots=True)
class RequestFields:
    """How a version of the API calls what differs between its forms (PR-018…021)."""

    class_name: str = "provisioningClassName"
    parameters: str = "parameters"
    details: str = "provisioningClassDetails"


SERVED: Final = RequestFields()


@dataclass(frozen=True, eq=False)
class ProvisioningRequest:
    """One revision of a ProvisioningRequest."""

    object: Json
    fields: RequestFields = SERVED

    @cached_property
    def key(self) -> Key:
        """Return its name for a client."""
        return key_of(self.object)

    @cached_property
    def uid(self) -> str:
        """Return what tells it from another of its name."""
        return str(self.object["metadata"]["uid"])

    @cached_property
    def created(self) -> float:
        """Return when it was made, in seconds since the epoch."""
        return instants.parse(self.object["metadata"]["creationTimestamp"])

    @cached_property
    def order(self) -> Order:
        """Return by what requests are sorted: those that were made first come first."""
        return self.created, self.key, self.uid

    @property
    def generation(self) -> int:
        """Return the generation of its spec."""
        return int(self.object["metadata"].get("generation") or 0)

    @cached_property
    def class_name(self) -> str:
        """Return its provisioning class."""
        return str(self.object["spec"][self.fields.class_name])

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        """Return the parameters of its class."""
        return self.object["spec"].get(self.fields.parameters) or {}

    @cached_property
    def pod_sets(self) -> Sequence[Json]:
        """Return its podSets: the name of a PodTemplate and a count each."""
        return tuple(self.object["spec"]["podSets"])

    @property
    def pods(self) -> int:
        """Return how many pods it is for."""
        return sum(int(pod_set["count"]) for pod_set in self.pod_sets)

    @cached_property
    def conditions(self) -> Sequence[Json]:
        """Return its conditions in their order."""
        return (self.object.get("status") or {}).get("conditions") or ()

    def condition(self, kind: str) -> Json | None:
        """Return a condition by its type."""
        return self._by_type.get(kind)

    @cached_property
    def _true(self) -> frozenset[str]:
        return frozenset(condition["type"] for condition in self.conditions if condition["status"] == "True")

    @cached_property
    def _by_type(self) -> Mapping[str, Json]:
        return {condition["type"]: condition for condition in self.conditions}

    def is_true(self, kind: str) -> bool:
        """Tell whether a condition is True; Unknown and False are not."""
        return kind in self._true

    def since(self, kind: str) -> float | None:
        """Return the time that a condition carries, None without one."""
        condition = self.condition(kind)
        return None if condition is None else instants.parse(condition["lastTransitionTime"])


def is_last_retry(request: ProvisioningRequest) -> bool:
    """Tell whether a check that found no room is the last one (PR-055)."""
    return request.parameters.get(NO_RETRY) == "true"


def is_never_last_retry(_request: ProvisioningRequest) -> bool:
    """Try a check again whatever it says: before 1.32 (finding S5)."""
    return False


def is_answered(request: ProvisioningRequest) -> bool:
    """Tell whether a request has its last answer (PR-121)."""
    return request.is_true(FAILED) or request.is_true(PROVISIONED)


def accept_any_parameters(_request: ProvisioningRequest) -> None:
    """Object to no request, whatever its parameters are (PR-179)."""
