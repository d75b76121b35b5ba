"""What each function costs and returns, by name (FK-275, FK-276); the rest costs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from ..model.ranges import ANY_SIZE, ONE, REGEX_COST, TRAVERSAL_COST, ZERO, Range
from ..model.shapes import DYN, UNLIMITED, Shape, join

FORMAT_REGEX = Range(128, 128)
# An IPv4 address takes 4 bytes, an IPv6 address 16.
ADDRESS_BYTES = Range(4, 16)
NEW_LIST = Range(10, 10)
OPAQUE_TYPES = frozenset({"quantity", "semver", "ip", "cidr", "url", "format"})
SCALARS = frozenset({"int", "uint", "double", "bool", "timestamp", "duration", "null", "type"})


class TypedNode(Struct, frozen=True):
    """An expression as the estimator sees it: its type, its size, what it costs to get it."""

    shape: Shape
    size: Range
    cost: Range = ZERO
    value: object = None
    """The value of a literal."""


class CallEstimate(Struct, frozen=True):
    """The cost of one call without its arguments, and the size of its result when that follows from them."""

    cost: Range
    size: Range | None = None


Cost = Callable[[tuple[TypedNode, ...]], CallEstimate]
"""Arguments of a function, the receiver first."""


def _walk(factor: float = TRAVERSAL_COST, *, sized: bool = False, of: int = 0) -> Cost:
    return lambda operands: CallEstimate(
        operands[of].size.scale(factor), operands[of].size if sized else None
    )


def _regex(operands: tuple[TypedNode, ...]) -> Range:
    return (operands[0].size + ONE).scale(TRAVERSAL_COST) * operands[1].size.scale(REGEX_COST)


def _equality(operands: tuple[TypedNode, ...]) -> CallEstimate:
    kinds = {operand.shape.kind for operand in operands[:2]}
    if len(kinds) == 1 and kinds <= OPAQUE_TYPES:
        return CallEstimate(
            (operands[0].size | operands[1].size).scale(TRAVERSAL_COST) if kinds == {"url"} else ONE
        )
    # Two values of different lengths differ at once: the shorter one bounds the work.
    most = min(operand.size.most for operand in operands[:2])
    return CallEstimate(Range(1 if most else 0, most).scale(TRAVERSAL_COST))


def _addition(operands: tuple[TypedNode, ...]) -> CallEstimate:
    kinds = {operand.shape.kind for operand in operands}
    size = operands[0].size + operands[1].size
    # cel-go takes a concatenation of lists as constant, one of texts and bytes as a walk over both.
    if "list" in kinds:
        return CallEstimate(ONE, size)
    return (
        CallEstimate(size.scale(TRAVERSAL_COST), size)
        if kinds & {"string", "bytes", "dyn"}
        else CallEstimate(ONE)
    )


def _ordering(operands: tuple[TypedNode, ...]) -> CallEstimate:
    text = any(operand.shape.kind in {"string", "bytes", "dyn"} for operand in operands)
    return _equality(operands) if text else CallEstimate(ONE)


def _each(operands: tuple[TypedNode, ...]) -> CallEstimate:
    if operands[0].shape.kind != "list":
        return CallEstimate(operands[0].size.scale(TRAVERSAL_COST))
    item = operands[0].shape.item
    step = ONE + Range(0, item.most).scale(TRAVERSAL_COST) if item.kind in {"string", "bytes"} else ONE
    return CallEstimate(operands[0].size * step)


def _join(operands: tuple[TypedNode, ...]) -> CallEstimate:
    count, item = operands[0].size, operands[0].shape.item
    size = count * (Range(0, item.most) if operands[0].shape.raw else ANY_SIZE)
    if len(operands) > 1:
        size = size + operands[1].size * Range(max(count.least - 1, 0), max(count.most - 1, 0))
    return CallEstimate(size.scale(TRAVERSAL_COST), size)


# The walk and the making of the result; an empty separator makes a list of all characters.
def _split(operands: tuple[TypedNode, ...]) -> CallEstimate:
    limit = operands[2].value if len(operands) > 2 else None
    most = limit if isinstance(limit, int) else operands[0].size.most
    return CallEstimate(operands[0].size.scale(2 * TRAVERSAL_COST), Range(0, most))


def _find(operands: tuple[TypedNode, ...]) -> CallEstimate:
    return CallEstimate(_regex(operands), Range(0, operands[0].size.most))


def _parse(operands: tuple[TypedNode, ...]) -> Range:
    """A text must be parsed first."""
    return operands[1].size.scale(TRAVERSAL_COST) if operands[1].shape.kind == "string" else ZERO


def _contains_ip(operands: tuple[TypedNode, ...]) -> CallEstimate:
    return CallEstimate((ADDRESS_BYTES + ADDRESS_BYTES).scale(TRAVERSAL_COST) + _parse(operands))


def _contains_cidr(operands: tuple[TypedNode, ...]) -> CallEstimate:
    return CallEstimate(_contains_ip(operands).cost + ADDRESS_BYTES.scale(TRAVERSAL_COST) + ONE)


def _ip(operands: tuple[TypedNode, ...]) -> CallEstimate:
    return CallEstimate(ONE if operands[0].shape.kind == "cidr" else operands[0].size.scale(TRAVERSAL_COST))


def _sets(operands: tuple[TypedNode, ...]) -> CallEstimate:
    return CallEstimate(ONE + operands[0].size * operands[1].size)


def _built(size: Range, factor: float = 1) -> CallEstimate:
    """A call that builds a list."""
    return CallEstimate(size.scale(factor) + ONE + NEW_LIST, size)


def _range(operands: tuple[TypedNode, ...]) -> CallEstimate:
    count = operands[0].value
    most = max(count, 0) if isinstance(count, int) else UNLIMITED
    return _built(Range(most, most))


def _distinct(operands: tuple[TypedNode, ...]) -> CallEstimate:
    size = operands[0].size
    return CallEstimate(_built(size * size, 2).cost, size)


def _sort(operands: tuple[TypedNode, ...]) -> CallEstimate:
    item = operands[0].shape.item.kind if operands[0].shape.kind == "list" else ""
    size = operands[0].size
    return CallEstimate(_built(size * size, 2 + TRAVERSAL_COST * (item in {"string", "bytes"})).cost, size)


def _replace(operands: tuple[TypedNode, ...]) -> CallEstimate:
    text, old, new = (operand.size for operand in operands[:3])
    if old.least == 0:
        size = Range(0, text.most + 1) * new + Range(0, text.most)
    elif new.most <= old.least:
        size = Range(0, text.most)
    else:
        size = Range(0, -(-text.most // old.least)) * new
    return CallEstimate(text.scale(2 * TRAVERSAL_COST), Range(0, size.most))


COSTS: Mapping[str, Cost] = {
    "_==_": _equality,
    "_!=_": _equality,
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), _ordering),
    "_+_": _addition,
    "@in": lambda operands: CallEstimate(operands[1].size if operands[1].shape.kind != "map" else ONE),
    "matches": lambda operands: CallEstimate(_regex(operands)),
    "find": _find,
    "findAll": _find,
    "contains": lambda operands: CallEstimate(
        operands[0].size.scale(TRAVERSAL_COST) * operands[1].size.scale(TRAVERSAL_COST)
    ),
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
    "ip.isCanonical": _walk(2 * TRAVERSAL_COST),
    "validate": lambda operands: CallEstimate(
        operands[1].size.scale(TRAVERSAL_COST) * FORMAT_REGEX.scale(REGEX_COST)
    ),
    "lists.range": _range,
    "reverse": lambda operands: _built(operands[0].size),
    "distinct": _distinct,
    "sort": _sort,
    **dict.fromkeys(("sets.contains", "sets.intersects", "sets.equivalent"), _sets),
    "bytes": lambda operands: CallEstimate(
        operands[0].size.scale(TRAVERSAL_COST), operands[0].size * Range(1, 4)
    ),
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


def call(function: str, operands: tuple[TypedNode, ...]) -> TypedNode:
    """Return the result of a call: what its arguments cost, and itself."""
    estimate = COSTS.get(function, _one)(operands)
    shape = _result(function, operands)
    size = estimate.size or (ONE if shape.kind in SCALARS else ANY_SIZE)
    return TypedNode(shape, size, sum((operand.cost for operand in operands), estimate.cost))


def _one(_: tuple[TypedNode, ...]) -> CallEstimate:
    return CallEstimate(ONE)


def _result(function: str, operands: tuple[TypedNode, ...]) -> Shape:
    if function in {"_+_", "_-_", "_*_", "_/_", "_%_", "-_"}:
        first, last = operands[0].shape, operands[-1].shape
        if first.kind == last.kind == "list":
            return join(first, last)
        return last if first.kind == "dyn" else first
    if function in {"reverse", "distinct", "sort"}:
        return operands[0].shape
    if function in {"sum", "min", "max"} and operands[0].shape.kind == "list":
        return operands[0].shape.item
    return Shape("format") if function.startswith("format.") else RESULTS.get(function, DYN)
