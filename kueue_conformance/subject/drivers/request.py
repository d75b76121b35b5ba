"""`provisioningRequest: {Provisioned: "True"}`: the controller makes a ProvisioningRequest for the Workload,
and its conditions are the verdict.

A request that is over (Failed, BookingExpired, CapacityRevoked) stays so, as with any autoscaler: what is
decided later is told to the requests that come later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ...base.json_types import Json
from ...wire.client import ApiError
from . import DriverFailed, Means, NotYet
from .words import Decision

KIND = "ProvisioningRequest"
_WORDS = frozenset({"namespace", "workload", "check", "message"})
_OVER = ("Failed", "BookingExpired", "CapacityRevoked")


@dataclass(frozen=True, slots=True)
class RequestStatus:
    """Writes conditions into the requests that a Workload owns, as an autoscaler does; into each that comes
    later as well.
    """

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
        """Tell whether a request of the Workload, old or new, does not say so yet."""
        return any(self._lacks(one) for one in _requests(decision, means))

    def decide(self, decision: Decision, means: Means, seconds: float) -> None:
        """Write the conditions into every request that is not over.

        Raises NotYet where no request has been made.
        """
        del seconds
        found = _requests(decision, means)
        if not found:
            raise NotYet(decision.workload)
        for one in found:
            told = _conditions(one)
            said = self._said(told, decision, means)
            if said != told and not _is_over(told):
                _write(one, said, means)

    def undo(self, decision: Decision, means: Means, keep: frozenset[str]) -> None:
        """Take all conditions away from requests that are not over, unless others have taken their place."""
        if keep:
            return
        for one in _requests(decision, means):
            if (told := _conditions(one)) and not _is_over(told):
                _write(one, [], means)

    def _lacks(self, request: Json) -> bool:
        told = _conditions(request)
        said = {one["type"]: one["status"] for one in told}
        return not _is_over(told) and not self.conditions.items() <= said.items()

    def _said(self, told: Sequence[Json], decision: Decision, means: Means) -> list[Json]:
        """Return the conditions with those of the decision; a time moves with its status."""
        now = datetime.fromtimestamp(means.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        known = {one["type"]: one for one in told}
        for name, status in self.conditions.items():
            old = known.get(name, {})
            since = old["lastTransitionTime"] if old.get("status") == status else now
            more = {"reason": "Decided", "message": decision.message, "lastTransitionTime": since}
            known[name] = {"type": name, "status": status, **more}
        return list(known.values())


def _conditions(request: Json) -> list[Json]:
    return list((request.get("status") or {}).get("conditions", []))


def _is_over(told: Sequence[Json]) -> bool:
    return any(one["type"] in _OVER and one["status"] == "True" for one in told)


def _requests(decision: Decision, means: Means) -> Sequence[Json]:
    """Return the requests that the Workload owns for the check,
    where their names tell the check, else all of them.
    """
    try:
        every = means.all(KIND, decision.namespace)
    except ApiError as error:
        raise DriverFailed(
            f"the API server does not list ProvisioningRequests: {error}",
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
