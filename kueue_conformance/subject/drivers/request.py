"""`provisioningRequest: {Provisioned: "True"}`: the controller makes a ProvisioningRequest for the Workload, and its conditions are the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from ...wire.client import ApiError
from . import DriverFailed, Means, NotYet
from .words import Decision

Json: TypeAlias = Any
KIND = "ProvisioningRequest"
_WORDS = frozenset({"namespace", "workload", "check", "message"})


@dataclass(frozen=True, slots=True)
class RequestStatus:
    """Writes conditions into the requests that a Workload owns, as an autoscaler does; into each that comes later as well."""

    conditions: Mapping[str, str]
    """The status of each condition by its type."""

    @property
    def tells(self) -> frozenset[str]:
        """Whom it is about, and the message."""
        return _WORDS

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return the types of the conditions."""
        del decision
        return frozenset(self.conditions)

    def is_due(self, decision: Decision, means: Means) -> bool:
        """Tell whether a request of the Workload does not say so yet."""
        return any(self._differs(one) for one in _requests(decision, means))

    def decide(self, decision: Decision, means: Means, seconds: float) -> None:
        """Write the conditions. Raises NotYet where no request has been made."""
        del seconds
        found = _requests(decision, means)
        if not found:
            raise NotYet(decision.workload)
        for one in found:
            if self._differs(one):
                _write(one, self._said(decision, means), means)

    def undo(self, decision: Decision, means: Means, keep: frozenset[str]) -> None:
        """Take all conditions away, unless others have taken their place."""
        if keep:
            return
        for one in _requests(decision, means):
            _write(one, [], means)

    def _differs(self, request: Json) -> bool:
        told = (request.get("status") or {}).get("conditions", [])
        return {one["type"]: one["status"] for one in told} != dict(self.conditions)

    def _said(self, decision: Decision, means: Means) -> list[Json]:
        now = datetime.fromtimestamp(means.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        more = {"reason": "Decided", "message": decision.message, "lastTransitionTime": now}
        return [{"type": name, "status": status, **more} for name, status in self.conditions.items()]


def _requests(decision: Decision, means: Means) -> Sequence[Json]:
    """Return the requests that the Workload owns for the check, where their names tell the check, else all of them."""
    try:
        every = means.client.list(KIND, decision.namespace)
    except ApiError as error:
        raise DriverFailed(
            f"the API server does not tell the ProvisioningRequests: {error}",
            hint="install their CustomResourceDefinition, for example as parameters.crds of the subject file",
        ) from error
    owned = [one for one in every if _belongs(one, decision.workload)]
    return [one for one in owned if f"-{decision.check}-" in one["metadata"]["name"]] or owned


def _belongs(request: Json, workload: str) -> bool:
    owners = request["metadata"].get("ownerReferences") or ()
    return any(one["kind"] == "Workload" and one["name"] == workload for one in owners)


def _write(request: Json, conditions: Sequence[Json], means: Means) -> None:
    metadata = request["metadata"]
    status = {"status": {"conditions": list(conditions)}}
    try:
        means.client.merge(KIND, metadata["name"], status, namespace=metadata["namespace"], sub="status")
    except ApiError as error:
        if error.code != 404:  # it went meanwhile
            raise DriverFailed(
                f"the API server does not take the status of a ProvisioningRequest: {error}",
                hint="check the conditions after provisioningRequest in the subject file",
            ) from error
