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
from . import DriverContext, DriverFailed, NoDecisionTarget
from .decision import Decision

KIND = "ProvisioningRequest"
_WORDS = frozenset({"namespace", "workload", "check", "message"})
# The end of a request is final: Kueue asks again by a new one.
_OVER = ("Failed", "BookingExpired", "CapacityRevoked")


@dataclass(frozen=True, slots=True)
class RequestStatus:
    """Writes conditions into the requests that a Workload owns, as an autoscaler does; into each that comes
    later as well.
    """

    conditions: Mapping[str, str]
    """The status of each condition by its type."""
    needs_workload = True

    @property
    def tells(self) -> frozenset[str]:
        """Whom it is about, and the message."""
        return _WORDS

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return the types of the conditions."""
        del decision
        return frozenset(self.conditions)

    def is_due(self, decision: Decision, means: DriverContext) -> bool:
        """Tell whether a request of the Workload, old or new, does not say so yet."""
        return any(self._lacks(request) for request in _requests(decision, means))

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Write the conditions into every request that is not over.

        Raises NotYet where no request has been made.
        """
        del seconds
        requests = _requests(decision, means)
        if not requests:
            raise NoDecisionTarget(decision.workload)
        for request in requests:
            conditions = _conditions(request)
            decided = self._conditions_with_decision(conditions, decision, means)
            # An equal status is not sent: the server would change nothing.
            if decided != conditions and not _is_over(conditions):
                _write(request, decided, means)

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Take all conditions away from requests that are not over, unless others have taken their place."""
        # The next decision writes over these conditions; without them in between, the subject
        # would see a third state.
        if keep:
            return
        for request in _requests(decision, means):
            if (conditions := _conditions(request)) and not _is_over(conditions):
                _write(request, [], means)

    def _lacks(self, request: Json) -> bool:
        conditions = _conditions(request)
        statuses = {condition["type"]: condition["status"] for condition in conditions}
        return not _is_over(conditions) and not self.conditions.items() <= statuses.items()

    def _conditions_with_decision(
        self, conditions: Sequence[Json], decision: Decision, means: DriverContext
    ) -> list[Json]:
        """Return the conditions with those of the decision; a time moves with its status."""
        written_at = datetime.fromtimestamp(means.current_time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        by_type = {condition["type"]: condition for condition in conditions}
        for name, status in self.conditions.items():
            old = by_type.get(name, {})
            # As Kubernetes' conventions have it: the time moves with the status alone, not with
            # reason or message.
            since = old["lastTransitionTime"] if old.get("status") == status else written_at
            texts = {"reason": "Decided", "message": decision.message, "lastTransitionTime": since}
            by_type[name] = {"type": name, "status": status, **texts}
        return list(by_type.values())


def _conditions(request: Json) -> list[Json]:
    return list((request.get("status") or {}).get("conditions", []))


def _is_over(conditions: Sequence[Json]) -> bool:
    return any(condition["type"] in _OVER and condition["status"] == "True" for condition in conditions)


def _requests(decision: Decision, means: DriverContext) -> Sequence[Json]:
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
    owned = [request for request in every if _belongs(request, decision.workload)]
    # Kueue names a request WORKLOAD-CHECK-ATTEMPT; any other controller may name it as it likes.
    return [request for request in owned if f"-{decision.check}-" in request["metadata"]["name"]] or owned


def _belongs(request: Json, workload: str) -> bool:
    owners = request["metadata"].get("ownerReferences") or ()
    return any(owner["kind"] == "Workload" and owner["name"] == workload for owner in owners)


def _write(request: Json, conditions: Sequence[Json], means: DriverContext) -> None:
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
