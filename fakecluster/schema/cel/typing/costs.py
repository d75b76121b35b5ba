"""What each function costs and returns, by name (FK-275, FK-276); the rest costs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from ..model.ranges import ANY, ONE, REGEX, TRAVERSAL, ZERO, Range
from ..model.shapes import DYN, UNLIMITED, Shape, joined

FORMAT_REGEX = Range(128, 128)
ADDRESS_BYTES = Range(4, 16)
NEW_LIST = Range(10, 10)
OPAQUE = frozenset({"quantity", "semver", "ip", "cidr", "url", "format"})
SCALARS = frozenset({"int", "uint", "double", "bool", "timestamp", "duration", "null", "type"})


class Part(Struct, frozen=True):
    """An expression as the estimator sees it: its type, its size, what it costs to get it."""

    shape: Shape
    size: Range
    cost: Range = ZERO
    value: object = None
    """The value of a literal."""


class Estimate(Struct, frozen=True):
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
    kinds = {part.shape.kind for part in parts[:2]}
    if len(kinds) == 1 and kinds <= OPAQUE:
        return Estimate((parts[0].size | parts[1].size).scaled(TRAVERSAL) if kinds == {"url"} else ONE)
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


def _join(parts: tuple[Part, ...]) -> Estimate:
    count, item = parts[0].size, parts[0].shape.item
    size = count * (Range(0, item.most) if parts[0].shape.raw else ANY)
    if len(parts) > 1:
        size = size + parts[1].size * Range(max(count.least - 1, 0), max(count.most - 1, 0))
    return Estimate(size.scaled(TRAVERSAL), size)


def _split(parts: tuple[Part, ...]) -> Estimate:
    limit = parts[2].value if len(parts) > 2 else None
    most = limit if isinstance(limit, int) else parts[0].size.most
    return Estimate(parts[0].size.scaled(2 * TRAVERSAL), Range(0, most))


def _found(parts: tuple[Part, ...]) -> Estimate:
    return Estimate(_regex(parts), Range(0, parts[0].size.most))


def _parsed(parts: tuple[Part, ...]) -> Range:
    """A text must be parsed first."""
    return parts[1].size.scaled(TRAVERSAL) if parts[1].shape.kind == "string" else ZERO


def _contains_ip(parts: tuple[Part, ...]) -> Estimate:
    return Estimate((ADDRESS_BYTES + ADDRESS_BYTES).scaled(TRAVERSAL) + _parsed(parts))


def _contains_cidr(parts: tuple[Part, ...]) -> Estimate:
    return Estimate(_contains_ip(parts).cost + ADDRESS_BYTES.scaled(TRAVERSAL) + ONE)


def _ip(parts: tuple[Part, ...]) -> Estimate:
    return Estimate(ONE if parts[0].shape.kind == "cidr" else parts[0].size.scaled(TRAVERSAL))


def _sets(parts: tuple[Part, ...]) -> Estimate:
    return Estimate(ONE + parts[0].size * parts[1].size)


def _built(size: Range, factor: float = 1) -> Estimate:
    """A call that builds a list."""
    return Estimate(size.scaled(factor) + ONE + NEW_LIST, size)


def _range(parts: tuple[Part, ...]) -> Estimate:
    count = parts[0].value
    most = max(count, 0) if isinstance(count, int) else UNLIMITED
    return _built(Range(most, most))


def _distinct(parts: tuple[Part, ...]) -> Estimate:
    size = parts[0].size
    return Estimate(_built(size * size, 2).cost, size)


def _sorted(parts: tuple[Part, ...]) -> Estimate:
    item = parts[0].shape.item.kind if parts[0].shape.kind == "list" else ""
    size = parts[0].size
    return Estimate(_built(size * size, 2 + TRAVERSAL * (item in {"string", "bytes"})).cost, size)


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
    "find": _found,
    "findAll": _found,
    "contains": lambda parts: Estimate(parts[0].size.scaled(TRAVERSAL) * parts[1].size.scaled(TRAVERSAL)),
    "startsWith": _walk(of=1),
    "endsWith": _walk(of=1),
    **dict.fromkeys(("isSorted", "sum", "min", "max", "indexOf", "lastIndexOf"), _each),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _walk(sized=True)),
    "replace": _replace,
    "split": _split,
    "join": _join,
    "format": _walk(),
    "url": _walk(sized=True),
    "ip": _ip,
    "cidr": _walk(),
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    **dict.fromkeys(("isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"), _walk()),
    "ip.isCanonical": _walk(2 * TRAVERSAL),
    "validate": lambda parts: Estimate(parts[1].size.scaled(TRAVERSAL) * FORMAT_REGEX.scaled(REGEX)),
    "lists.range": _range,
    "reverse": lambda parts: _built(parts[0].size),
    "distinct": _distinct,
    "sort": _sorted,
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
         "jsonpatch.escapeKey", "getHostname", "getPort", "getScheme", "getEscapedPath"),
        Shape("string"),
    ),
    **dict.fromkeys(("split", "findAll"), Shape("list", inner=Shape("string"))),
    **dict.fromkeys(("quantity", "add", "sub"), Shape("quantity")),
    **dict.fromkeys(("cidr", "masked"), Shape("cidr")),
    **{kind: Shape(kind) for kind in ("semver", "ip", "url")},
    "path": Shape("pathcheck"),
    "group": Shape("groupcheck"),
    "serviceAccount": Shape("authorizer"),
    **dict.fromkeys(
        ("resource", "subresource", "namespace", "name", "fieldSelector", "labelSelector"), Shape("resourcecheck")
    ),
    "check": Shape("decision"),
    "allowed": Shape("bool"),
    "errored": Shape("bool"),
    "reason": Shape("string"),
    "error": Shape("string"),
    "double": Shape("double"),
    "asApproximateFloat": Shape("double"),
    "type": Shape("type"),
    "timestamp": Shape("timestamp"),
    "lists.range": Shape("list", inner=Shape("int")),
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
        first, last = parts[0].shape, parts[-1].shape
        if first.kind == last.kind == "list":
            return joined(first, last)
        return last if first.kind == "dyn" else first
    if function in {"reverse", "distinct", "sort"}:
        return parts[0].shape
    if function in {"sum", "min", "max"} and parts[0].shape.kind == "list":
        return parts[0].shape.item
    return Shape("format") if function.startswith("format.") else RESULTS.get(function, DYN)
