"""Types and cost of a rule, found by walking its tree with the schema at hand (FK-273, FK-276)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...patterns import pattern_problem
from ..model.ranges import ANY_SIZE, ONE, ZERO, Range
from ..model.shapes import DYN, EMPTY_LIST, Shape, join
from ..model.syntax import Call, Comprehension, Const, Entry, Expr, Ident, ListOf, MapOf, New, Select, Tree
from . import costs, patches
from .costs import SCALARS, TypedNode
from .overloads import DYNAMIC_TYPES, mismatch, unlike

PRIMITIVE = frozenset({"string", "int", "double", "bool", "bytes", "timestamp", "duration"})
OPTIONAL_WRAPPER = "optional.ofNonZeroValue"
"""What turns a list into an optional value where the engine cannot; the rule itself does not say it."""
ERROR = Shape("error")
LIST_COST, MAP_COST, STRUCT_COST = Range(10, 10), Range(30, 30), Range(40, 40)


class RuleAnalysis(Struct):
    """One walk through one rule; `problems` are (node id, text) in the order of the text."""

    tree: Tree
    variables: dict[str, TypedNode]
    problems: list[tuple[int, str]] = field(default_factory=list)
    patching: bool = False
    """Whether the rule may write patches."""

    def result(self) -> TypedNode:
        """Return type, size and cost of the whole rule."""
        return self.analyze(self.tree.expression)

    def analyze(self, node: Expr) -> TypedNode:
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
                typed_children = [self.analyze(child) for entry in node.entries for child in entry]
                return TypedNode(
                    Shape("dyn"),
                    Range(len(node.entries), len(node.entries)),
                    _total(typed_children, MAP_COST),
                )
            case New():
                return self._new(node)
            case Comprehension():
                return self._comprehension(node)

    def _ident(self, node: Ident) -> TypedNode:
        variable = self.variables.get(node.name)
        if variable:
            return TypedNode(variable.shape, variable.size, ONE)
        # A name that is no variable, such as `int`, is sized like the whole value.
        return TypedNode(DYN, self.variables["self"].size, ONE)

    def _select(self, node: Select) -> TypedNode:
        operand = self.analyze(node.operand)
        shape = operand.shape
        member = self._member(shape, node)
        if node.test:
            return TypedNode(Shape("bool"), ONE, operand.cost)
        cost = operand.cost + (ONE if shape.kind in {"object", "map"} else ZERO)
        return TypedNode(member, Range(0, member.most), cost)

    def _member(self, shape: Shape, node: Select) -> Shape:
        if shape.kind == "object":
            member = shape.members.get(node.field)
            return member or self._refuse(node, f"undefined field '{node.field}'").shape
        if shape.kind in PRIMITIVE or shape.kind == "list":
            text = f"type '{shape.title}' does not support field selection"
            return self._refuse(node, text).shape
        if patches.is_known(shape.kind):
            return patches.member(shape.kind, node.field)
        return shape.item if shape.kind == "map" else DYN

    def _new(self, node: New) -> TypedNode:
        name = node.name.removeprefix(".")
        if not (self.patching and patches.is_known(name)):
            return self._refuse(node, f"undeclared reference to '{node.name}' (in container '')")
        typed_values = [self.analyze(entry.value) for entry in node.entries]
        for entry, typed_value in zip(node.entries, typed_values, strict=True):
            expected, actual = patches.member(name, entry.name).title, typed_value.shape
            if actual.kind not in DYNAMIC_TYPES and expected not in {actual.title, DYN.title}:
                text = f"expected type of field '{entry.name}' is '{expected}' but provided type is '{actual.title}'"
                self._refuse(entry, text)
        return TypedNode(Shape(name), ONE, _total(typed_values, STRUCT_COST))

    def _list(self, node: ListOf) -> TypedNode:
        typed_elements = [self.analyze(element) for element in node.elements]
        for i, text in unlike(typed_elements):
            self._refuse(node.elements[i], text)
        kinds = {element.shape.kind for element in typed_elements}
        inner = typed_elements[0].shape if len(kinds) == 1 and kinds != {patches.UNKNOWN_TYPE.kind} else DYN
        return TypedNode(
            Shape("list", inner=inner) if typed_elements else EMPTY_LIST,
            Range(len(typed_elements), len(typed_elements)),
            _total(typed_elements, LIST_COST),
        )

    def _call(self, node: Call) -> TypedNode:
        if node.target is not None and _qualify(node.target) in {
            "format",
            "sets",
            "lists",
            "ip",
            "optional",
            "jsonpatch",
        }:
            return self._global_call(node, f"{_qualify(node.target)}.{node.function}")
        operands = ((node.target,) if node.target is not None else ()) + node.args
        typed_operands = tuple(self.analyze(operand) for operand in operands)
        problem = mismatch(node.function, typed_operands, member=node.target is not None)
        if problem:
            return self._refuse(node, problem)
        if node.function == "matches" and _is_no_pattern(typed_operands[-1]):
            return self._refuse(node.args[-1], "invalid matches argument")
        if node.function in {"_[_]", "_[?_]", "_?._"}:
            return _index(node, typed_operands)
        if node.function in {"_&&_", "_||_"}:
            self._expect_bools(operands, typed_operands)
            return TypedNode(
                Shape("bool"),
                ONE,
                Range(typed_operands[0].cost.least, (typed_operands[0].cost + typed_operands[1].cost).most),
            )
        if node.function == "_?_:_":
            cost = typed_operands[0].cost + (typed_operands[1].cost | typed_operands[2].cost)
            return TypedNode(
                join(typed_operands[1].shape, typed_operands[2].shape),
                typed_operands[1].size | typed_operands[2].size,
                cost,
            )
        return costs.call(node.function, typed_operands)

    def _expect_bools(self, operands: tuple[Expr, ...], typed_operands: tuple[TypedNode, ...]) -> None:
        for operand, typed_operand in zip(operands, typed_operands, strict=True):
            if typed_operand.shape.kind not in {"bool", *DYNAMIC_TYPES}:
                self._refuse(operand, f"expected type 'bool' but found '{typed_operand.shape.title}'")

    def _refuse(self, node: Expr | Entry, problem: str) -> TypedNode:
        """Note a problem; what depends on it is not judged."""
        self.problems.append((node.id, problem))
        return TypedNode(ERROR, ANY_SIZE)

    def _global_call(self, node: Call, name: str) -> TypedNode:
        if name == OPTIONAL_WRAPPER:
            return self.analyze(node.args[0])
        typed_arguments = tuple(self.analyze(argument) for argument in node.args)
        problem = mismatch(name, typed_arguments, member=False)
        return self._refuse(node, problem) if problem else costs.call(name, typed_arguments)

    def _comprehension(self, node: Comprehension) -> TypedNode:
        over = self.analyze(node.range)
        start = self.analyze(node.start)
        before = dict(self.variables)
        item = over.shape.item if over.shape.kind in {"list", "map"} else DYN
        typed_item = TypedNode(
            item, Range(0, item.most) if over.shape.raw else ONE if item.kind in SCALARS else ANY_SIZE
        )
        key = (
            TypedNode(Shape("string", item.most), ANY_SIZE)
            if over.shape.kind == "map"
            else TypedNode(Shape("int"), ONE)
        )
        if node.second:
            self.variables.update({node.variable: key, node.second: typed_item})
        else:
            self.variables[node.variable] = key if over.shape.kind == "map" else typed_item
        self.variables[node.accumulator] = TypedNode(start.shape, start.size)
        condition, step = self.analyze(node.condition), self.analyze(node.step)
        result = self.analyze(node.result)
        self.variables = before
        cost = over.cost + start.cost + result.cost + over.size * (condition.cost + step.cost)
        return TypedNode(_accumulate(start.shape, step.shape), over.size, cost)


def _accumulate(start: Shape, step: Shape) -> Shape:
    return step if start.kind == "list" and step.kind == "list" else start


def _const(node: Const) -> TypedNode:
    value = node.value
    if isinstance(value, str | bytes):
        size = len(value)
        return TypedNode(
            Shape("string" if isinstance(value, str) else "bytes", size), Range(size, size), value=value
        )
    kinds: Mapping[type, str] = {bool: "bool", int: "int", float: "double", type(None): "null"}
    return TypedNode(Shape(kinds[type(value)]), ONE, value=value)


def _index(node: Call, operands: tuple[TypedNode, ...]) -> TypedNode:
    shape = operands[0].shape
    if shape.kind in {"list", "map"}:
        shape_of_item: Shape | None = shape.item
    else:
        key = node.args[-1]
        shape_of_item = (
            shape.members.get(str(key.value)) if shape.kind == "object" and isinstance(key, Const) else None
        )
    cost = _total(list(operands), ONE)
    return TypedNode(shape_of_item or DYN, Range(0, shape_of_item.most) if shape_of_item else ANY_SIZE, cost)


def _is_no_pattern(operand: TypedNode) -> bool:
    return isinstance(operand.value, str) and bool(pattern_problem(operand.value))


def _qualify(node: Expr) -> str:
    return node.name if isinstance(node, Ident) else ""


def _total(typed_nodes: list[TypedNode], start: Range) -> Range:
    return sum((typed_node.cost for typed_node in typed_nodes), start)
