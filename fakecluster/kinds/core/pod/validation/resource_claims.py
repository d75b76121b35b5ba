"""Resource claims of a pod and which of them its containers use (FK-504)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from .....base.json_types import Json
from .....gotypes.golang import to_go_struct
from .....schema import fields
from .....schema.fields import FieldError
from ....validation import basics
from ....validation.basics import Errors

SOURCES = ("resourceClaimName", "resourceClaimTemplateName")
NO_CLAIM_SOURCE = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
TWO_CLAIM_SOURCES = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"


def judge_pod_claims(claims: list[Json], path: str) -> Errors:
    """Judge the claims of a pod."""
    names: set[str] = set()
    for number, claim in enumerate(claims):
        item_path, name = f"{path}[{number}]", claim.get("name", "")
        if name and name in names:
            yield fields.duplicate(f"{item_path}.name", name)
        else:
            yield from basics.judge_name(name, f"{item_path}.name", basics.dns_label)
        names.add(name)
        sources = [source for source in SOURCES if claim.get(source) is not None]
        if len(sources) != 1:
            yield fields.invalid(
                item_path,
                to_go_struct("core.v1.PodResourceClaim", claim),
                TWO_CLAIM_SOURCES if sources else NO_CLAIM_SOURCE,
            )
        for source in sources:
            yield from basics.nonempty_name(claim[source], f"{item_path}.{source}", basics.dns_subdomain)


def names(spec: Json) -> list[str]:
    """Return the names of the claims of a pod."""
    return sorted({claim.get("name", "") for claim in spec.get("resourceClaims") or ()})


def judge_container_claims(container: Json, path: str, claim_names: Sequence[str]) -> Errors:
    """Judge the claims that a container uses; `claim_names` are the sorted names of those of its pod."""
    claims = (container.get("resources") or {}).get("claims") or ()
    existing, taken = set(claim_names) if claims else set(), ClaimUsage()
    for number, claim in enumerate(claims):
        name, item_path = claim.get("name", ""), f"{path}.claims[{number}]"
        if not name:
            yield fields.required(item_path)
            continue
        yield from _once(name, claim.get("request", ""), item_path, taken)
        if name not in existing:
            which = f": {', '.join(claim_names)}" if claim_names else " which is empty"
            text = (
                f"Not found: {fields.quote(name)}: must be one of the names in pod.spec.resourceClaims{which}"
            )
            yield FieldError("FieldValueNotFound", item_path, text)


class ClaimUsage(Struct):
    """The claims that a container uses: whole ones, their requests, and how often it uses each."""

    claims: set[str] = field(default_factory=set)
    requests: Counter[tuple[str, str]] = field(default_factory=Counter)
    of_claim: Counter[str] = field(default_factory=Counter)


def _once(name: str, request: str, path: str, taken: ClaimUsage) -> Errors:
    """Judge that neither a claim nor a request of it is used twice."""
    if name in taken.claims:
        yield fields.duplicate(path, name)
        return
    if not request:
        for _ in range(taken.of_claim[name]):
            yield fields.duplicate(path, name)
        taken.claims.add(name)
        return
    yield from basics.optional_name(request, f"{path}.request", basics.dns_label)
    if taken.requests[name, request]:
        yield fields.duplicate(path, f"{name}/{request}")
    else:
        taken.of_claim[name] += 1
    taken.requests[name, request] += 1
