"""Types and cost of a rule, found by walking its tree with the schema at hand (FK-273, FK-276)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...patterns import pattern_problem
from ..model.ranges import ANY, ONE, ZERO, Range
from ..model.shapes import DYN, EMPTY, Shape, joined
from ..model.syntax import Call, Comprehension, Const, Entry, Expr, Ident, ListOf, MapOf, New, Select, Tree
from . import costs, patches
from .costs import SCALARS, Part
from .overloads import VAGUE, mismatch, unlike

PRIMITIVE = frozenset({"string", "int", "double", "bool", "bytes", "timestamp", "duration"})
WRAPPER = "optional.ofNonZeroValue"
"""What turns a list into an optional value where the engine cannot; the rule itself does not say it."""
ERROR = Shape("error")
LIST_COST, MAP_COST, STRUCT_COST = Range(10, 10), Range(30, 30), Range(40, 40)


class Analysis(Struct):
    """One walk through one rule; `problems` are (node id, text) in the order of the text."""

    tree: Tree
    variables: dict[str, Part]
    problems: list[tuple[int, str]] = field(default_factory=list)
    patching: bool = False
    """Whether the rule may write patches."""

    def result(self) -> Part:
        """Return type, size and cost of the whole rule."""
        return self.part(self.tree.expression)

    def part(self, node: Expr) -> Part:
        """Return type, size and cost of one expression."""
        match node:
            case Const():
                return _const(node)
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListOf():
                return self._list(node)
            case MapOf():
                parts = [self.part(one) for entry in node.entries for one in entry]
                return Part(
                    Shape("dyn"), Range(len(node.entries), len(node.entries)), _total(parts, MAP_COST)
                )
            case New():
                return self._new(node)
            case Comprehension():
                return self._comprehension(node)

    def _ident(self, node: Ident) -> Part:
        known = self.variables.get(node.name)
        if known:
            return Part(known.shape, known.size, ONE)
        # A name that is no variable, such as `int`, is sized like the whole value.
        return Part(DYN, self.variables["self"].size, ONE)

    def _select(self, node: Select) -> Part:
        operand = self.part(node.operand)
        shape = operand.shape
        member = self._member(shape, node)
        if node.test:
            return Part(Shape("bool"), ONE, operand.cost)
        cost = operand.cost + (ONE if shape.kind in {"object", "map"} else ZERO)
        return Part(member, Range(0, member.most), cost)

    def _member(self, shape: Shape, node: Select) -> Shape:
        if shape.kind == "object":
            found = shape.members.get(node.field)
            return found or self._refused(node, f"undefined field '{node.field}'").shape
        if shape.kind in PRIMITIVE or shape.kind == "list":
            text = f"type '{shape.title}' does not support field selection"
            return self._refused(node, text).shape
        if patches.known(shape.kind):
            return patches.member(shape.kind, node.field)
        return shape.item if shape.kind == "map" else DYN

    def _new(self, node: New) -> Part:
        name = node.name.removeprefix(".")
        if not (self.patching and patches.known(name)):
            return self._refused(node, f"undeclared reference to '{node.name}' (in container '')")
        parts = [self.part(one.value) for one in node.entries]
        for entry, part in zip(node.entries, parts, strict=True):
            wanted, found = patches.member(name, entry.name).title, part.shape
            if found.kind not in VAGUE and wanted not in {found.title, DYN.title}:
                text = f"expected type of field '{entry.name}' is '{wanted}' but provided type is '{found.title}'"
                self._refused(entry, text)
        return Part(Shape(name), ONE, _total(parts, STRUCT_COST))

    def _list(self, node: ListOf) -> Part:
        parts = [self.part(one) for one in node.elements]
        for i, text in unlike(parts):
            self._refused(node.elements[i], text)
        kinds = {part.shape.kind for part in parts}
        inner = parts[0].shape if len(kinds) == 1 and kinds != {patches.UNKNOWN.kind} else DYN
        return Part(
            Shape("list", inner=inner) if parts else EMPTY,
            Range(len(parts), len(parts)),
            _total(parts, LIST_COST),
        )

    def _call(self, node: Call) -> Part:
        if node.target is not None and _qualified(node.target) in {
            "format",
            "sets",
            "lists",
            "ip",
            "optional",
            "jsonpatch",
        }:
            return self._named(node, f"{_qualified(node.target)}.{node.function}")
        operands = ((node.target,) if node.target is not None else ()) + node.args
        parts = tuple(self.part(one) for one in operands)
        problem = mismatch(node.function, parts, member=node.target is not None)
        if problem:
            return self._refused(node, problem)
        if node.function == "matches" and _is_no_pattern(parts[-1]):
            return self._refused(node.args[-1], "invalid matches argument")
        if node.function in {"_[_]", "_[?_]", "_?._"}:
            return _indexed(node, parts)
        if node.function in {"_&&_", "_||_"}:
            self._expect_bools(operands, parts)
            return Part(Shape("bool"), ONE, Range(parts[0].cost.least, (parts[0].cost + parts[1].cost).most))
        if node.function == "_?_:_":
            cost = parts[0].cost + (parts[1].cost | parts[2].cost)
            return Part(joined(parts[1].shape, parts[2].shape), parts[1].size | parts[2].size, cost)
        return costs.call(node.function, parts)

    def _expect_bools(self, operands: tuple[Expr, ...], parts: tuple[Part, ...]) -> None:
        for operand, part in zip(operands, parts, strict=True):
            if part.shape.kind not in {"bool", *VAGUE}:
                self._refused(operand, f"expected type 'bool' but found '{part.shape.title}'")

    def _refused(self, node: Expr | Entry, problem: str) -> Part:
        """Note a problem; what depends on it is not judged."""
        self.problems.append((node.id, problem))
        return Part(ERROR, ANY)

    def _named(self, node: Call, name: str) -> Part:
        if name == WRAPPER:
            return self.part(node.args[0])
        parts = tuple(self.part(one) for one in node.args)
        problem = mismatch(name, parts, member=False)
        return self._refused(node, problem) if problem else costs.call(name, parts)

    def _comprehension(self, node: Comprehension) -> Part:
        over = self.part(node.range)
        start = self.part(node.start)
        before = dict(self.variables)
        item = over.shape.item if over.shape.kind in {"list", "map"} else DYN
        each = Part(item, Range(0, item.most) if over.shape.raw else ONE if item.kind in SCALARS else ANY)
        key = Part(Shape("string", item.most), ANY) if over.shape.kind == "map" else Part(Shape("int"), ONE)
        if node.second:
            self.variables.update({node.variable: key, node.second: each})
        else:
            self.variables[node.variable] = key if over.shape.kind == "map" else each
        self.variables[node.accumulator] = Part(start.shape, start.size)
        condition, step = self.part(node.condition), self.part(node.step)
        result = self.part(node.result)
        self.variables = before
        cost = over.cost + start.cost + result.cost + over.size * (condition.cost + step.cost)
        return Part(_accumulated(start.shape, step.shape), over.size, cost)


def _accumulated(start: Shape, step: Shape) -> Shape:
    return step if start.kind == "list" and step.kind == "list" else start


def _const(node: Const) -> Part:
    value = node.value
    if isinstance(value, str | bytes):
        size = len(value)
        return Part(
            Shape("string" if isinstance(value, str) else "bytes", size), Range(size, size), value=value
        )
    kinds: Mapping[type, str] = {bool: "bool", int: "int", float: "double", type(None): "null"}
    return Part(Shape(kinds[type(value)]), ONE, value=value)


def _indexed(node: Call, parts: tuple[Part, ...]) -> Part:
    shape = parts[0].shape
    if shape.kind in {"list", "map"}:
        found: Shape | None = shape.item
    else:
        key = node.args[-1]
        found = (
            shape.members.get(str(key.value)) if shape.kind == "object" and isinstance(key, Const) else None
        )
    cost = _total(list(parts), ONE)
    return Part(found or DYN, Range(0, found.most) if found else ANY, cost)


def _is_no_pattern(part: Part) -> bool:
    return isinstance(part.value, str) and bool(pattern_problem(part.value))


def _qualified(node: Expr) -> str:
    return node.name if isinstance(node, Ident) else ""


def _total(parts: list[Part], start: Range) -> Range:
    return sum((part.cost for part in parts), start)
