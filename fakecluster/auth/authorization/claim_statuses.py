"""The status of a ResourceClaim belongs to several: the scheduler allocates and reserves, the driver of a
device says how it is (FK-397, FK-504).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ...api.admission import Review
from ...api.attributes import Attributes
from ...api.outcome import User
from ...base.json_types import Json
from ...meta import names
from ...schema import fields
from ...schema.fields import FieldError
from .access import refusal_of
from .rbac import Authorizer
from .subjects import SERVICE_ACCOUNT

CLAIMS = ("resource.k8s.io", "resourceclaims")
ALLOCATION_FIELDS = ("allocation", "reservedFor")
NODE_NAME = "authentication.kubernetes.io/node-name"
ANY_NODE, OWN_NODE = "arbitrary-node:", "associated-node:"


class ClaimStatuses:
    """The errors of a status whose writer may not allocate, or may not speak for the driver of a device."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def errors(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Return the errors of validation behind those of what the user may not write."""
        if review.subresource != "status" or review.kind.stored_as != CLAIMS:
            return errors
        after, before = (claim.get("status") or {} for claim in (new, review.old))
        return [
            *self._errors_of_allocation(review, after, before),
            *self._errors_of_devices(review, after, before),
            *errors,
        ]

    def _errors_of_allocation(self, review: Review, after: Json, before: Json) -> Iterator[FieldError]:
        # Absent and empty are the same, as the fields have omitempty.
        if all((after.get(name) or None) == (before.get(name) or None) for name in ALLOCATION_FIELDS):
            return
        # Cluster-wide, so without the namespace and the name of the claim.
        attributes = replace(_wish(review, "binding", review.verb), namespace="", name="")
        if why := self._refusal(attributes):
            needed = f'resource="resourceclaims/binding", verb="{review.verb}" permission: {why}'
            text = f"changing status.allocation or status.reservedFor requires {needed}"
            yield fields.forbidden("status.allocation", text)

    def _errors_of_devices(self, review: Review, after: Json, before: Json) -> Iterator[FieldError]:
        allocation = after.get("allocation")
        if allocation is None:
            return
        # An account on the node has a right of its own; any other needs that for all nodes.
        prefixes = (OWN_NODE, ANY_NODE) if _is_on_node(review.user, _node_of(allocation)) else (ANY_NODE,)
        verbs = [f"{prefix}{review.verb}" for prefix in prefixes]
        # Sorted, so that the errors come in the same order.
        for driver in sorted(_drivers_of_changes(after, before)):
            refusals = [self._refusal(replace(_wish(review, "driver", verb), name=driver)) for verb in verbs]
            if all(refusals):
                needed = (
                    f'resource="resourceclaims/driver", verb="[{" ".join(verbs)}]" permission: {refusals[0]}'
                )
                yield fields.forbidden("status.devices", f"changing status.devices requires {needed}")

    def _refusal(self, attributes: Attributes) -> str:
        decision = self._authorizer.decide(attributes)
        return "" if decision.allowed else str(refusal_of(attributes, decision.reason))


def _wish(review: Review, subresource: str, verb: str) -> Attributes:
    return Attributes(
        user=review.user,
        verb=verb,
        group=CLAIMS[0],
        resource=CLAIMS[1],
        subresource=subresource,
        namespace=review.namespace,
        name=review.name,
    )


def _drivers_of_changes(after: Json, before: Json) -> set[str]:
    """Return the drivers of devices that are new, changed or gone."""
    new, old = _devices(after), _devices(before)
    return {key[0] for key in new.keys() | old.keys() if new.get(key) != old.get(key)}


def _devices(status: Json) -> dict[tuple[str, ...], Json]:
    def key(device: Json) -> tuple[str, ...]:
        return tuple(device.get(name) or "" for name in ("driver", "pool", "device", "shareID"))

    return {key(device): device for device in status.get("devices") or ()}


def _node_of(allocation: Json) -> str:
    """Return the one node that an allocation is for, empty when it may be used on others."""
    terms = (allocation.get("nodeSelector") or {}).get("nodeSelectorTerms") or []
    matches = terms[0].get("matchFields") or [] if len(terms) == 1 else []
    if len(matches) != 1 or terms[0].get("matchExpressions"):
        return ""
    match = matches[0]
    values: list[str] = match.get("values") or []
    by_name = (match.get("key"), match.get("operator")) == ("metadata.name", "In")
    return values[0] if by_name and len(values) == 1 else ""


def _is_on_node(user: User, node: str) -> bool:
    """Whether a user is a service account whose token says that it runs on a node."""
    nodes: Iterable[str] = user.extra.get(NODE_NAME, ())
    return (
        bool(node)
        and user.name.startswith(SERVICE_ACCOUNT)
        and tuple(nodes) == (node,)
        and not names.subdomain_problems(node)
    )
