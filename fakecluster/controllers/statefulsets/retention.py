"""Who owns the volume claims of a StatefulSet's pods, by its retention policy: the set, a pod that was scaled
away, or no one of them.
"""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from ..owners import reference_to, references
from . import identity

RETAIN, DELETE = "Retain", "Delete"


class Policy(Struct, frozen=True):
    """What becomes of claims when their set is deleted, and when it is scaled down."""

    when_deleted: str
    when_scaled: str

    @property
    def retains_all(self) -> bool:
        """Whether claims always stay."""
        return RETAIN == self.when_deleted == self.when_scaled


def policy_of(stateful_set: Json) -> Policy:
    """Return the retention policy of a set."""
    policy = stateful_set["spec"].get("persistentVolumeClaimRetentionPolicy") or {}
    return Policy(policy.get("whenDeleted") or RETAIN, policy.get("whenScaled") or RETAIN)


def is_stale(stateful_set: Json, pod: Json, claim: Json) -> bool:
    """Tell whether a claim still belongs to an earlier pod of the name, with which it goes soon."""
    return policy_of(stateful_set).when_scaled == DELETE and _has_stale_reference(claim, pod)


def has_conflict(stateful_set: Json, pod: Json, claim: Json) -> bool:
    """Tell whether something else controls a claim that the policy is to govern."""
    # Without any deletion the policy needs no owners, so nobody else's are in the way.
    if policy_of(stateful_set).retains_all:
        return False
    for reference in references(claim):
        own = next((owner for owner in (stateful_set, pod) if _is_named(reference, owner)), None)
        # A reference by name to an earlier object of that name: its uid differs.
        if own is not None and reference["uid"] != own["metadata"].get("uid"):
            return True
        if own is None and reference.get("controller"):
            return True
    return False


def has_policy_owners(stateful_set: Json, pod: Json, claim: Json) -> bool:
    """Tell whether a claim has the owners of the policy; one that belongs to what is gone is let be."""
    # Left for the garbage collector, which deletes it with the owner that is gone.
    if _has_stale_reference(claim, stateful_set) or _has_stale_reference(claim, pod):
        return True
    owners = {reference["uid"]: reference for reference in references(claim)}
    present = {owner["metadata"].get("uid") for owner in (stateful_set, pod)} & set(owners)
    if has_conflict(stateful_set, pod, claim):
        return not present
    # An owner of the policy must be the controller, or the claim would be taken for a foreign one.
    if any(not owners[uid].get("controller") for uid in present):
        return False
    return present == {owner["metadata"].get("uid") for owner in _owners(stateful_set, pod)}


def policy_owners(stateful_set: Json, pod: Json, claim: Json) -> list[Json]:
    """Return the ownerReferences that a claim should have."""
    foreign = [
        reference
        for reference in references(claim)
        if not any(_is_named(reference, owner) for owner in (stateful_set, pod))
    ]
    if has_conflict(stateful_set, pod, claim):
        return foreign
    foreign_uids = {reference["uid"] for reference in foreign}
    own = [owner for owner in _owners(stateful_set, pod) if owner["metadata"]["uid"] not in foreign_uids]
    return [*foreign, *map(reference_to, own)]


def _owners(stateful_set: Json, pod: Json) -> list[Json]:
    """Return which of a set and a pod should own the pod's claims."""
    policy = policy_of(stateful_set)
    # A claim of a pod beyond the replicas goes with the pod, not with the set.
    is_scaled_away = identity.ordinal_of(pod) not in identity.ordinals(stateful_set)
    if policy.when_scaled == DELETE and is_scaled_away:
        return [pod]
    return [stateful_set] if policy.when_deleted == DELETE else []


def _is_named(reference: Json, owner: Json) -> bool:
    """Tell whether a reference names an object, of whatever uid."""
    return (reference["apiVersion"], reference["kind"], reference["name"]) == (
        owner["apiVersion"],
        owner["kind"],
        owner["metadata"]["name"],
    )


def _has_stale_reference(claim: Json, owner: Json) -> bool:
    first = next((reference for reference in references(claim) if _is_named(reference, owner)), None)
    return first is not None and first["uid"] != owner["metadata"].get("uid")
