"""What the status of a Pod may say, and what of it may change (FK-486)."""

from __future__ import annotations

from .....base.json_types import Json
from .....meta.addresses import parse
from .....schema import fields
from .....schema.fields import FieldError
from ....validation import addresses, basics
from ....validation.basics import Errors
from . import container_statuses, pod_annotations

SYSTEM_CONDITIONS = frozenset({"PodScheduled", "Ready", "Initialized"})
NON_NEGATIVE = "must be a non-negative integer"
NO_DUAL_STACK = "failed to check for dual stack with error:"
ONE_OF_EACH = "may specify no more than one IP for each IP family"
NO_CLAIM = "must match the name of an entry in `spec.resourceClaims`"
NO_CONTAINER = "must match the name of an entry in spec.initContainers.name or spec.containers.name"
MAPPING_KEY = ("containerName", "resourceName", "requestName")
NO_REQUEST = (
    "must match the extended resource name of an entry in spec.initContainers.resources.requests"
    " or spec.containers.resources.requests"
)


def status_errors(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of the status."""
    spec, status, old = after["spec"], after.get("status", {}), before.get("status", {})
    claims, extended = status.get("resourceClaimStatuses") or [], status.get("extendedResourceClaimStatus")
    return [
        *_annotations(after, before),
        *_conditions(status.get("conditions") or [], "status.conditions"),
        *_node_nomination(status, old, spec.get("nodeName", "")),
        *_not_negative(status.get("observedGeneration"), "status.observedGeneration"),
        *basics.immutable(status.get("qosClass"), old.get("qosClass"), "status.qosClass"),
        *container_statuses.transition_errors(status, old, before["spec"]),
        *_claims(claims, spec.get("resourceClaims") or [], "status.resourceClaimStatuses"),
        *_claim_of_extended_resources(extended, spec, "status.extendedResourceClaimStatus"),
        *_addresses(status.get("podIPs") or [], old.get("podIPs") or [], "status.podIPs"),
        *_host_addresses(status, old),
        *container_statuses.user_errors(status, spec),
        *container_statuses.allocation_errors(status, spec),
    ]


def _annotations(after: Json, before: Json) -> Errors:
    new_marks, old_marks = (pod["metadata"].get("annotations") or {} for pod in (after, before))
    yield from pod_annotations.judge_update(new_marks, old_marks, "metadata.annotations")
    yield from pod_annotations.judge(new_marks, after["spec"], "metadata.annotations")


def _conditions(conditions: list[Json], path: str) -> Errors:
    for number, condition in enumerate(conditions):
        yield from _not_negative(condition.get("observedGeneration"), f"{path}[{number}].observedGeneration")
        if condition.get("type") not in SYSTEM_CONDITIONS:
            yield from basics.label_key(condition.get("type", ""), f"{path}[{number}].Type")


def _node_nomination(status: Json, old: Json, node_name: str) -> Errors:
    name, path = status.get("nominatedNodeName", ""), "status.nominatedNodeName"
    if not name or name == old.get("nominatedNodeName", ""):
        return
    yield from basics.optional_name(name, path, basics.dns_subdomain)
    if node_name:
        yield fields.forbidden(path, "may not be set on pods that are already bound to a node")


def _not_negative(number: int | None, path: str) -> Errors:
    if number is not None and number < 0:
        yield fields.invalid(path, number, NON_NEGATIVE)


def _claims(statuses: list[Json], claims: list[Json], path: str) -> Errors:
    names, previous_names = {claim["name"] for claim in claims}, set()
    for number, status in enumerate(statuses):
        location, name = f"{path}[{number}]", status.get("name", "")
        if name not in names:
            yield fields.invalid(f"{location}.name", name, NO_CLAIM)
        if name in previous_names:
            yield fields.duplicate(f"{location}.name", name)
        previous_names.add(name)
        claim = status.get("resourceClaimName")
        yield from basics.nonempty_name(claim, f"{location}.resourceClaimName", basics.dns_subdomain)


def _claim_of_extended_resources(claim: Json, spec: Json, path: str) -> Errors:
    if claim is None:
        return
    containers = {
        container["name"]: container
        for member in ("initContainers", "containers")
        for container in spec.get(member) or ()
    }
    if not claim.get("requestMappings"):
        yield fields.required(f"{path}.requestMappings", "at least one request mapping is required")
    keys: set[tuple[str, ...]] = set()
    for number, mapping in enumerate(claim.get("requestMappings") or ()):
        location, key = (
            f"{path}.requestMappings[{number}]",
            tuple(mapping.get(field, "") for field in MAPPING_KEY),
        )
        yield from _request_mapping(mapping, containers, location, path)
        if key in keys:
            for field, value in zip(MAPPING_KEY, key, strict=True):
                yield fields.duplicate(f"{location}.{field}", value)
        keys.add(key)
    yield from basics.judge_name(
        claim.get("resourceClaimName", ""), f"{path}.resourceClaimName", basics.dns_subdomain
    )


def _request_mapping(mapping: Json, containers: Json, path: str, parent: str) -> Errors:
    name, resource = mapping.get("containerName", ""), mapping.get("resourceName", "")
    if name not in containers:
        yield fields.invalid(f"{path}.containerName", name, NO_CONTAINER)
    elif resource not in ((containers[name].get("resources") or {}).get("requests") or {}):
        yield fields.invalid(f"{path}.resourceName", resource, NO_REQUEST)
    request = mapping.get("requestName", "")
    for problem in basics.dns_label(request):
        yield fields.invalid(f"{parent}.requestName", request, problem)


def _addresses(entries: list[Json], old: list[Json], path: str) -> Errors:
    """Judge addresses, at most one of each family; old addresses may stay."""
    texts = [entry.get("ip", "") for entry in entries]
    old_texts = {entry.get("ip", "") for entry in old}
    for number, text in enumerate(texts):
        if text not in old_texts:
            yield from addresses.address(text, f"{path}[{number}]")
    if len(texts) < 2:
        return
    parsed = [parse(text) for text in texts]
    if None in parsed:
        number = parsed.index(None)
        yield fields.internal_error(path, f"{NO_DUAL_STACK}invalid IP[{number}]: {texts[number]}")
    families = {address.version for address in parsed if address}
    if None in parsed or len(families) < 2 or len(texts) > 2:
        yield fields.invalid(path, [{"IP": text} for text in texts], ONE_OF_EACH)


def _host_addresses(status: Json, old: Json) -> Errors:
    entries, path = status.get("hostIPs") or [], "status.hostIPs"
    if entries and entries[0].get("ip", "") != status.get("hostIP", ""):
        yield fields.invalid(f"{path}[0].ip", entries[0].get("ip", ""), "must be equal to `hostIP`")
    yield from _addresses(entries, old.get("hostIPs") or [], path)
