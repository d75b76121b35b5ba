"""The functions Kubernetes adds to CEL, by name and signature `receiver.(parameters) -> result` (FK-275).

Quantities, URLs, addresses and versions are one-key maps, because the engine has no opaque types (C3). An
exception raised here becomes a CEL error (C7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import addresses, formats, lists, quantities, regexes, semver, texts, urls

Overload = tuple[str, Callable[..., Any]]

LIBRARIES: Mapping[str, tuple[Overload, ...]] = {
    **regexes.FUNCTIONS,
    **lists.FUNCTIONS,
    **texts.FUNCTIONS,
    **urls.FUNCTIONS,
    **formats.FUNCTIONS,
    "quantity": (("(string) -> object", quantities.quantity),),
    "isQuantity": (("(string) -> bool", quantities.is_quantity),),
    "isInteger": (("object.() -> bool", quantities.is_integer),),
    "asInteger": (("object.() -> int", quantities.as_integer),),
    "asApproximateFloat": (("object.() -> double", quantities.as_float),),
    "sign": (("object.() -> int", quantities.sign),),
    "add": (("object.(object) -> object", quantities.add), ("object.(int) -> object", quantities.add)),
    "sub": (
        ("object.(object) -> object", quantities.subtract),
        ("object.(int) -> object", quantities.subtract),
    ),
    "compareTo": (("object.(object) -> int", lambda value, other: _order_of(value).compare(value, other)),),
    "isLessThan": (
        ("object.(object) -> bool", lambda value, other: _order_of(value).compare(value, other) < 0),
    ),
    "isGreaterThan": (
        ("object.(object) -> bool", lambda value, other: _order_of(value).compare(value, other) > 0),
    ),
    "isSemver": (
        ("(string) -> bool", semver.is_semver),
        ("(string, bool) -> bool", semver.is_semver),
    ),
    "semver": (
        ("(string) -> object", semver.semver),
        ("(string, bool) -> object", semver.semver),
    ),
    "major": (("object.() -> int", lambda version: semver.part(version, 0)),),
    "minor": (("object.() -> int", lambda version: semver.part(version, 1)),),
    "patch": (("object.() -> int", lambda version: semver.part(version, 2)),),
    "isIP": (("(string) -> bool", addresses.is_ip),),
    "ip": (("(string) -> object", addresses.ip), ("object.() -> object", addresses.address_of)),
    "ip.isCanonical": (("(string) -> bool", addresses.is_canonical),),
    "family": (("object.() -> int", addresses.family),),
    "isUnspecified": (("object.() -> bool", addresses.predicate("is_unspecified")),),
    "isLoopback": (("object.() -> bool", addresses.predicate("is_loopback")),),
    "isLinkLocalMulticast": (("object.() -> bool", addresses.is_link_local_multicast),),
    "isLinkLocalUnicast": (("object.() -> bool", addresses.is_link_local_unicast),),
    "isGlobalUnicast": (("object.() -> bool", addresses.is_global_unicast),),
    "isCIDR": (("(string) -> bool", addresses.is_cidr),),
    "cidr": (("(string) -> object", addresses.cidr),),
    "containsIP": (
        ("object.(object) -> bool", addresses.contains_ip),
        ("object.(string) -> bool", addresses.contains_ip),
    ),
    "containsCIDR": (
        ("object.(object) -> bool", addresses.contains_cidr),
        ("object.(string) -> bool", addresses.contains_cidr),
    ),
    "masked": (("object.() -> object", addresses.mask),),
    "prefixLength": (("object.() -> int", addresses.prefix_length),),
}


def _order_of(value: Mapping[str, Any]) -> Any:
    return semver if semver.KEY in value else quantities
