"""The addresses of a Service and the families they are of (FK-498, FK-504)."""

from __future__ import annotations

from collections.abc import Collection

from ....base.json_types import Json
from ....schema import fields
from ....schema.fields import FieldError
from ...validation import addresses as validation
from ...validation import basics
from ...validation.basics import Errors
from ...validation.duplicates import repeats

NONE = "None"
EXTERNAL_NAME = "ExternalName"
FAMILIES = ("IPv4", "IPv6")
POLICIES = ("PreferDualStack", "RequireDualStack", "SingleStack")
NO_FIRST = "must be empty when `clusterIP` is not specified"
EXPECTED_FAMILY = "expected an {} value as indicated by `ipFamilies[{}]`"
ONE_STACK = "this cluster is not configured for dual-stack services"
IMMUTABLE_ONCE_SET = "may not change once set"
CLUSTER_IPS = "spec.clusterIPs"
POLICY = "spec.ipFamilyPolicy"


def is_headless(spec: Json) -> bool:
    """Tell whether a Service is headless."""
    return bool(spec.get("clusterIPs")) and spec["clusterIPs"][0] == NONE


def judge_relations(spec: Json, before: Json) -> Errors:
    """Judge that clusterIPs begins with clusterIP, and that addresses match ipFamilies.

    Addresses that the Service had `before`, a spec, are not judged again.
    """
    addresses, families = spec.get("clusterIPs") or [], spec.get("ipFamilies") or []
    yield from _first(spec, addresses)
    repeated = repeats(families)
    for number, family in enumerate(families):
        yield from basics.optional_choice(family, f"spec.ipFamilies[{number}]", FAMILIES)
        if number in repeated:
            yield fields.duplicate(f"spec.ipFamilies[{number}]", family)
    yield from basics.optional_choice(spec.get("ipFamilyPolicy"), POLICY, POLICIES)
    wrong = list(_address_formats(addresses, frozenset(before.get("clusterIPs") or ())))
    yield from wrong
    if len(addresses) > 2:
        yield fields.invalid(CLUSTER_IPS, addresses, "may only hold up to 2 values")
    if wrong:
        return
    if len(addresses) > 1 and len({":" in address for address in addresses}) == 1:
        yield fields.invalid(CLUSTER_IPS, addresses, "may specify no more than one IP for each IP family")
    yield from () if is_headless(spec) else _of_families(addresses, families)


def _first(spec: Json, addresses: list[str]) -> Errors:
    if not spec.get("clusterIP"):
        if addresses:
            yield fields.invalid(CLUSTER_IPS, addresses, NO_FIRST)
    elif not addresses:
        yield fields.required(CLUSTER_IPS)
    elif addresses[0] != spec["clusterIP"]:
        yield fields.invalid(CLUSTER_IPS, addresses, "first value must match `clusterIP`")


def _address_formats(addresses: list[str], families: Collection[str]) -> Errors:
    for number, address in enumerate(addresses):
        if number == 0 and address == NONE:
            if len(addresses) > 1:
                yield fields.invalid(CLUSTER_IPS, addresses, "'None' must be the first and only value")
        elif address not in families:
            yield from validation.address(address, f"{CLUSTER_IPS}[{number}]")


def _of_families(addresses: list[str], families: list[str]) -> Errors:
    for number, (address, family) in enumerate(zip(addresses, families, strict=False)):
        if family in FAMILIES and (family == "IPv6") != (":" in address):
            yield fields.invalid(f"{CLUSTER_IPS}[{number}]", address, EXPECTED_FAMILY.format(family, number))


def available(spec: Json, before: Json) -> list[FieldError]:
    """Return why a cluster with addresses of one family cannot give a Service its addresses.

    before: the spec that an update replaces, empty for a new Service.
    """
    if spec.get("type") == EXTERNAL_NAME:
        return []
    if errors := list(judge_relations(spec, before)):
        return errors
    if errors := [*_address_reduction(spec, before), *_too_many(spec), *_of_no_family(spec)]:
        return errors
    if spec.get("clusterIP") == NONE and not spec.get("selector"):
        return []
    return list(_check_families(spec))


def _address_reduction(spec: Json, before: Json) -> Errors:
    if spec.get("ipFamilyPolicy") == "SingleStack":
        return
    for name, noun in (("clusterIPs", "cluster IP"), ("ipFamilies", "IP family")):
        if spec.get(name) and len(spec[name]) < len(before.get(name) or ()):
            why = f"must be 'SingleStack' to release the secondary {noun}"
            yield fields.invalid(POLICY, spec.get("ipFamilyPolicy"), why)


def _too_many(spec: Json) -> Errors:
    if spec.get("ipFamilyPolicy") != "SingleStack":
        return
    for name, noun in (("clusterIPs", "cluster IPs"), ("ipFamilies", "IP families")):
        if len(spec.get(name) or ()) == 2:
            why = f"must be 'RequireDualStack' or 'PreferDualStack' when multiple {noun} are specified"
            yield fields.invalid(POLICY, "SingleStack", why)


def _of_no_family(spec: Json) -> Errors:
    addresses, families = spec.get("clusterIPs") or [], spec.get("ipFamilies") or []
    for number, address in enumerate(addresses[len(families) :], len(families)):
        if ":" in address:
            yield fields.invalid(
                f"{CLUSTER_IPS}[{number}]", addresses, "IPv6 is not configured on this cluster"
            )


def _check_families(spec: Json) -> Errors:
    if spec.get("ipFamilyPolicy") == "RequireDualStack":
        yield fields.invalid(POLICY, "RequireDualStack", ONE_STACK)
    for number, family in enumerate(spec.get("ipFamilies") or ()):
        if family == "IPv6":
            yield fields.invalid(f"spec.ipFamilies[{number}]", family, "not configured on this cluster")


def judge_update(new: Json, old: Json) -> Errors:
    """Judge that addresses and families stay, but for those of a Service that becomes or was a name."""
    if EXTERNAL_NAME in {new.get("type"), old.get("type")} or (is_headless(new) and is_headless(old)):
        return
    after, before = new.get("clusterIPs") or [], old.get("clusterIPs") or []
    if len(after) == len(before):
        for number, (address, other) in enumerate(zip(after, before, strict=True)):
            if address != other:
                yield fields.invalid(f"{CLUSTER_IPS}[{number}]", after, IMMUTABLE_ONCE_SET)
    elif after and before and after[0] != before[0]:
        yield fields.invalid(f"{CLUSTER_IPS}[0]", after, IMMUTABLE_ONCE_SET)
    if is_headless(new) == is_headless(old):
        yield from _family_changes(new.get("ipFamilies") or [], old.get("ipFamilies") or [])


def _family_changes(after: list[str], before: list[str]) -> Errors:
    if len(after) == len(before):
        for family, other in zip(after, before, strict=True):
            if family != other:
                yield fields.invalid("spec.ipFamilies[0]", after, IMMUTABLE_ONCE_SET)
