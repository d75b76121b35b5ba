"""Which types functions and operators take, as far as a schema's types can be wrong for them (FK-273)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..model.shapes import Shape
from .costs import TypedNode

DYNAMIC_TYPES = frozenset({"dyn", "error"})
NUMBERS = frozenset({"int", "uint", "double"})
ORDERED = NUMBERS | {"bool", "string", "bytes", "timestamp", "duration"}
NULLABLE = frozenset({"object", "timestamp", "duration", "null"})
ARITHMETIC: Mapping[str, frozenset[tuple[str, str]]] = {
    "_+_": frozenset(
        {*((kind, kind) for kind in (*NUMBERS, "string", "bytes", "duration")), ("timestamp", "duration"), ("duration", "timestamp")}
    ),
    "_-_": frozenset(
        {*((kind, kind) for kind in (*NUMBERS, "timestamp", "duration")), ("timestamp", "duration")}
    ),
    "_*_": frozenset((kind, kind) for kind in NUMBERS),
    "_/_": frozenset((kind, kind) for kind in NUMBERS),
    "_%_": frozenset({("int", "int"), ("uint", "uint")}),
}  # fmt: skip
TEXT = (("string",),)
TEXT_AND_TEXT = (("string", "string"),)
SAME_KIND = (("quantity", "quantity"), ("semver", "semver"))
TABLE: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "!_": (("bool",),),
    "-_": (("int",), ("double",)),
    "size": (("string",), ("bytes",), ("list",), ("map",)),
    **dict.fromkeys(("contains", "startsWith", "endsWith", "matches", "find"), TEXT_AND_TEXT),
    **dict.fromkeys(("lowerAscii", "upperAscii", "trim"), TEXT),
    **dict.fromkeys(
        (
            "quantity",
            "isQuantity",
            "url",
            "isURL",
            "isIP",
            "isCIDR",
            "cidr",
            "ip.isCanonical",
            "jsonpatch.escapeKey",
        ),
        TEXT,
    ),
    **dict.fromkeys(("semver", "isSemver"), (("string",), ("string", "bool"))),
    "ip": (("string",), ("cidr",)),
    "findAll": (("string", "string"), ("string", "string", "int")),
    "split": (("string", "string"), ("string", "string", "int")),
    "replace": (("string", "string", "string"), ("string", "string", "string", "int")),
    "substring": (("string", "int"), ("string", "int", "int")),
    "charAt": (("string", "int"),),
    **dict.fromkeys(("isGreaterThan", "isLessThan", "compareTo"), SAME_KIND),
    **dict.fromkeys(("add", "sub"), (("quantity", "quantity"), ("quantity", "int"))),
    **dict.fromkeys(("isInteger", "asInteger", "asApproximateFloat", "sign"), (("quantity",),)),
    **dict.fromkeys(("major", "minor", "patch"), (("semver",),)),
    **dict.fromkeys(
        ("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath", "getQuery"), (("url",),)
    ),
    "family": (("ip",),),
    "prefixLength": (("cidr",),),
    "masked": (("cidr",),),
    "containsIP": (("cidr", "ip"), ("cidr", "string")),
    "containsCIDR": (("cidr", "cidr"), ("cidr", "string")),
    **dict.fromkeys(("path", "group"), (("authorizer", "string"),)),
    "serviceAccount": (("authorizer", "string", "string"),),
    "resource": (("groupcheck", "string"),),
    **dict.fromkeys(
        ("subresource", "namespace", "name", "fieldSelector", "labelSelector"), (("resourcecheck", "string"),)
    ),
    "check": (("resourcecheck", "string"), ("pathcheck", "string")),
    **dict.fromkeys(("allowed", "reason", "errored", "error"), (("decision",),)),
}


def mismatch(function: str, operands: tuple[TypedNode, ...], *, member: bool) -> str:
    """Return why no overload takes these arguments; empty when one does."""
    shapes = [operand.shape for operand in operands]
    fits = _SPECIAL.get(function, _special)(function, shapes)
    if fits is None:
        fits = any(_takes(overload, shapes) for overload in TABLE[function]) if function in TABLE else True
    return (
        ""
        if fits
        else f"found no matching overload for '{function}' applied to '{_print_call(shapes, member=member)}'"
    )


def _special(function: str, shapes: list[Shape]) -> bool | None:
    if function in ARITHMETIC:
        return _arithmetic(function, shapes)
    return None


def _takes(overload: tuple[str, ...], shapes: list[Shape]) -> bool:
    return len(overload) == len(shapes) and all(
        shape.kind in DYNAMIC_TYPES or shape.kind == kind
        for kind, shape in zip(overload, shapes, strict=True)
    )


def _arithmetic(function: str, shapes: list[Shape]) -> bool:
    first, other = shapes
    if {first.kind, other.kind} & DYNAMIC_TYPES:
        return True
    if function == "_+_" and first.kind == other.kind == "list":
        return compatible(first, other)
    return (first.kind, other.kind) in ARITHMETIC[function]


def _equal(_: str, shapes: list[Shape]) -> bool:
    return compatible(shapes[0], shapes[1])


def _ordering(_: str, shapes: list[Shape]) -> bool:
    kinds = {shape.kind for shape in shapes}
    return bool(kinds & DYNAMIC_TYPES) or kinds <= NUMBERS or (len(kinds) == 1 and kinds <= ORDERED)


def _index(_: str, shapes: list[Shape]) -> bool:
    over, key = shapes
    kinds = {"list": {"int", "uint"}, "map": {"string"}}.get(over.kind)
    return (
        over.kind in DYNAMIC_TYPES or key.kind in DYNAMIC_TYPES or (kinds is not None and key.kind in kinds)
    )


def _membership(_: str, shapes: list[Shape]) -> bool:
    item, over = shapes
    if over.kind in DYNAMIC_TYPES:
        return True
    if over.kind == "map":
        return item.kind in DYNAMIC_TYPES or item.kind == "string"
    return over.kind == "list" and compatible(item, over.item)


def _conditional(_: str, shapes: list[Shape]) -> bool:
    return shapes[0].kind in {"bool", *DYNAMIC_TYPES} and compatible(shapes[1], shapes[2])


_SPECIAL: Mapping[str, Callable[[str, list[Shape]], bool | None]] = {
    **dict.fromkeys(("_==_", "_!=_"), _equal),
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), _ordering),
    "_[_]": _index,
    "@in": _membership,
    "_?_:_": _conditional,
}


def compatible(shape: Shape, other: Shape) -> bool:
    """Whether two types may be compared or stand in one list."""
    if {shape.kind, other.kind} & DYNAMIC_TYPES:
        return True
    if "null" in {shape.kind, other.kind}:
        return shape.kind in NULLABLE and other.kind in NULLABLE
    if shape.kind != other.kind:
        return False
    return compatible(shape.item, other.item) if shape.kind in {"list", "map"} else True


def _print_call(shapes: list[Shape], *, member: bool) -> str:
    titles = [shape.title for shape in shapes]
    return f"{titles[0]}.({', '.join(titles[1:])})" if member else f"({', '.join(titles)})"


def unlike(operands: list[TypedNode]) -> Iterator[tuple[int, str]]:
    """Yield (index, text) for each item of a list literal whose type is not the first one's."""
    for i, operand in enumerate(operands[1:], start=1):
        if not compatible(operands[0].shape, operand.shape):
            yield i, f"expected type '{operands[0].shape.title}' but found '{operand.shape.title}'"
