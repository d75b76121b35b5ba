"""What each function costs and returns, by name (FK-275, FK-276); the rest costs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .ranges import ANY, ONE, REGEX, TRAVERSAL, ZERO, Range
from .shapes import DYN, Shape

FORMAT_REGEX = Range(128, 128)
SCALARS = frozenset({"int", "uint", "double", "bool", "timestamp", "duration", "null", "type"})


@dataclass(frozen=True, slots=True)
class Part:
    """An expression as the estimator sees it: its type, its size, what it costs to get it."""

    shape: Shape
    size: Range
    cost: Range = ZERO


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of one call without its arguments, and the size of its result when that follows from them."""

    cost: Range
    size: Range | None = None


Cost = Callable[[tuple[Part, ...]], Estimate]
"""Arguments of a function, the receiver first."""


def _walk(factor: float = TRAVERSAL, *, sized: bool = False, of: int = 0) -> Cost:
    return lambda parts: Estimate(parts[of].size.scaled(factor), parts[of].size if sized else None)


def _regex(parts: tuple[Part, ...]) -> Range:
    return (parts[0].size + ONE).scaled(TRAVERSAL) * parts[1].size.scaled(REGEX)


def _equality(parts: tuple[Part, ...]) -> Estimate:
    most = min(part.size.most for part in parts[:2])
    return Estimate(Range(1 if most else 0, most).scaled(TRAVERSAL))


def _addition(parts: tuple[Part, ...]) -> Estimate:
    kinds = {part.shape.kind for part in parts}
    size = parts[0].size + parts[1].size
    if "list" in kinds:
        return Estimate(ONE, size)
    return Estimate(size.scaled(TRAVERSAL), size) if kinds & {"string", "bytes", "dyn"} else Estimate(ONE)


def _ordering(parts: tuple[Part, ...]) -> Estimate:
    text = any(part.shape.kind in {"string", "bytes", "dyn"} for part in parts)
    return _equality(parts) if text else Estimate(ONE)


def _each(parts: tuple[Part, ...]) -> Estimate:
    if parts[0].shape.kind != "list":
        return Estimate(parts[0].size.scaled(TRAVERSAL))
    item = parts[0].shape.item
    each = ONE + Range(0, item.most).scaled(TRAVERSAL) if item.kind in {"string", "bytes"} else ONE
    return Estimate(parts[0].size * each)


def _sets(parts: tuple[Part, ...]) -> Estimate:
    return Estimate(ONE + parts[0].size * parts[1].size)


def _replace(parts: tuple[Part, ...]) -> Estimate:
    text, old, new = (part.size for part in parts[:3])
    if old.least == 0:
        size = Range(0, text.most + 1) * new + Range(0, text.most)
    elif new.most <= old.least:
        size = Range(0, text.most)
    else:
        size = Range(0, -(-text.most // old.least)) * new
    return Estimate(text.scaled(2 * TRAVERSAL), Range(0, size.most))


COSTS: Mapping[str, Cost] = {
    "_==_": _equality,
    "_!=_": _equality,
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), _ordering),
    "_+_": _addition,
    "@in": lambda parts: Estimate(parts[1].size if parts[1].shape.kind != "map" else ONE),
    "matches": lambda parts: Estimate(_regex(parts)),
    "find": lambda parts: Estimate(_regex(parts), parts[0].size),
    "findAll": lambda parts: Estimate(_regex(parts), parts[0].size),
    "contains": lambda parts: Estimate(parts[0].size.scaled(TRAVERSAL) * parts[1].size.scaled(TRAVERSAL)),
    "startsWith": _walk(of=1),
    "endsWith": _walk(of=1),
    **dict.fromkeys(("isSorted", "sum", "min", "max", "indexOf", "lastIndexOf"), _each),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _walk(sized=True)),
    "replace": _replace,
    "split": lambda parts: Estimate(parts[0].size.scaled(2 * TRAVERSAL), Range(0, parts[0].size.most)),
    "format": _walk(),
    "url": _walk(sized=True),
    "ip": _walk(sized=True),
    "cidr": _walk(sized=True),
    **dict.fromkeys(("isURL", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"), _walk()),
    "ip.isCanonical": _walk(2 * TRAVERSAL),
    "validate": lambda parts: Estimate((parts[1].size + ONE).scaled(TRAVERSAL) * FORMAT_REGEX.scaled(REGEX)),
    **dict.fromkeys(("sets.contains", "sets.intersects", "sets.equivalent"), _sets),
    "bytes": lambda parts: Estimate(parts[0].size.scaled(TRAVERSAL), parts[0].size * Range(1, 4)),
}

RESULTS: Mapping[str, Shape] = {
    **dict.fromkeys(
        ("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_&&_", "_||_", "!_", "@in", "@not_strictly_false", "matches",
         "contains", "startsWith", "endsWith", "isSorted", "isURL", "isIP", "isCIDR", "isQuantity", "isSemver", "hasValue",
         "isInteger", "isLessThan", "isGreaterThan", "containsIP", "containsCIDR", "ip.isCanonical", "isUnspecified",
         "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast", "sets.contains", "sets.intersects",
         "sets.equivalent", "bool"),
        Shape("bool"),
    ),
    **dict.fromkeys(
        ("size", "sign", "asInteger", "compareTo", "indexOf", "lastIndexOf", "family", "prefixLength", "major", "minor",
         "patch", "int", "getFullYear", "getMonth", "getDate", "getHours", "getMinutes", "getSeconds"),
        Shape("int"),
    ),
    **dict.fromkeys(
        ("lowerAscii", "upperAscii", "substring", "trim", "replace", "join", "format", "find", "charAt", "string", "getHost",
         "getHostname", "getPort", "getScheme", "getEscapedPath"),
        Shape("string"),
    ),
    **dict.fromkeys(("split", "findAll"), Shape("list", inner=Shape("string"))),
    "double": Shape("double"),
    "asApproximateFloat": Shape("double"),
    "type": Shape("type"),
    "timestamp": Shape("timestamp"),
    "duration": Shape("duration"),
}  # fmt: skip


def call(function: str, parts: tuple[Part, ...]) -> Part:
    """Return the result of a call: what its arguments cost, and itself."""
    estimate = COSTS.get(function, _one)(parts)
    shape = _result(function, parts)
    size = estimate.size or (ONE if shape.kind in SCALARS else ANY)
    return Part(shape, size, sum((part.cost for part in parts), estimate.cost))


def _one(_: tuple[Part, ...]) -> Estimate:
    return Estimate(ONE)


def _result(function: str, parts: tuple[Part, ...]) -> Shape:
    if function in {"_+_", "_-_", "_*_", "_/_", "_%_", "-_"}:
        return parts[0].shape if parts[0].shape.kind != "dyn" else parts[-1].shape
    if function in {"sum", "min", "max"} and parts[0].shape.kind == "list":
        return parts[0].shape.item
    return RESULTS.get(function, DYN)
