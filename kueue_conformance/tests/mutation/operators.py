"""What is changed: operators of cosmic-ray, one or two of each sort,
and four that know how the reference is written.

cosmic-ray puts every operator in the place of every other one. A line that tells `==` from `!=` tells it from
`>>` as well: of each sort those are kept that a person would write by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Keyword, String
from parso.python.tree import Operator as Sign
from parso.tree import BaseNode

_OF_COSMIC_RAY = (
    "AddNot",
    "NumberReplacer",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_USub_UAdd",
    "ZeroIterationForLoop",
    "ExceptionReplacer",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_Lt_GtE",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_LtE_Gt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_Gt_LtE",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_GtE_Lt",
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_FloorDiv",
    "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_BitOr_BitAnd",
    "ReplaceBinaryOperator_BitAnd_BitOr",
)


class _Own(Operator):
    """An operator that changes a node in one way for each place it finds in it."""

    def places(self, node: Any) -> list[Any]:
        """Return what can be changed in a node."""
        raise NotImplementedError

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        for position in self.places(node):
            yield position.start_pos, position.end_pos

    @classmethod
    def examples(cls) -> list[Example]:
        return []


class RemoveElement(_Own):
    """Removes one element of a tuple, list, set or dict that is written out:
    a rule of an order, a row of a table.
    """

    def places(self, node: Any) -> list[Any]:
        written = node.type in {"testlist_comp", "dictorsetmaker"} and not any(
            "comp_for" in child.type for child in node.children
        )
        if not written or _is_target(node.parent):
            return []
        return [group[0] for group in _groups(node)]

    def mutate(self, node: Any, index: int) -> Any:
        groups = _groups(node)
        del groups[index]
        node.children = [child for group in groups for child in (*group, Sign(",", (0, 0)))]
        return node


class RemoveKeyword(_Own):
    """Removes one field of `replace(value, field=…)`: it keeps what it was."""

    def places(self, node: Any) -> list[Any]:
        if node.type != "arglist" or _callee(node) != "replace":
            return []
        return [
            child for child in node.children if child.type == "argument" and child.children[0].type == "name"
        ]

    def mutate(self, node: Any, index: int) -> Any:
        gone = self.places(node)[index]
        at = node.children.index(gone)
        node.children = node.children[:at] + node.children[at + 2 :]
        return node


class RemoveStatement(_Own):
    """Puts `pass` for a statement that does something: a call, or an assignment to a part of something."""

    def places(self, node: Any) -> list[Any]:
        if node.type != "simple_stmt":
            return []
        first = node.children[0]
        is_call = first.type in {"atom_expr", "power", "await"} and first.get_last_leaf().value == ")"
        return [first] if is_call or (first.type == "expr_stmt" and _assigns(first)) else []

    def mutate(self, node: Any, index: int) -> Any:
        del index
        first = node.children[0]
        node.children[0] = Keyword("pass", first.start_pos, prefix=first.get_first_leaf().prefix)
        return node


class ReplaceString(_Own):
    """Changes a string: a reason, a state, a text; not the name of a field, without which nothing works."""

    def places(self, node: Any) -> list[Any]:
        is_text = isinstance(node, String) and node.parent.type != "simple_stmt" and node.value[-2:] != '""'
        return [node] if is_text and not _is_key(node) else []

    def mutate(self, node: Any, index: int) -> Any:
        del index
        node.value = f"{node.value[:-1]}?{node.value[-1]}"
        return node


def _assigns(statement: Any) -> bool:
    """Tell whether an assignment changes a part of something, or what a name holds already."""
    target, sign = statement.children[:2]
    if sign.type == "annassign":
        return len(sign.children) > 2 and target.type != "name"
    return target.type in {"atom_expr", "power"} or (sign.type == "operator" and sign.value != "=")


def _groups(node: Any) -> list[list[Any]]:
    groups: list[list[Any]] = [[]]
    for child in node.children:
        if child.type == "operator" and child.value == ",":
            groups.append([])
        else:
            groups[-1].append(child)
    return [group for group in groups if group]


def _is_target(display: Any) -> bool:
    """Tell whether what looks like a tuple is assigned to, or names types."""
    above = display.parent
    while above is not None and above.type in {
        "exprlist",
        "testlist_star_expr",
        "testlist_comp",
        "atom",
        "trailer",
        "atom_expr",
        "subscriptlist",
    }:
        if above.type == "trailer" and above.children[0].value == "[":
            return True
        display, above = above, above.parent
    return above is not None and (
        (above.type in {"sync_comp_for", "for_stmt", "comp_for"} and display is above.children[1])
        or (above.type == "expr_stmt" and display is above.children[0])
    )


def _is_key(node: Any) -> bool:
    """Tell whether a string names a field: `a["name"]`, `a.get("name")`, `{"name": …}`."""
    above, after = node.parent, node.get_next_leaf()
    if above.type == "arglist" and above.children[0] is node:
        above = above.parent
    if above.type == "trailer":
        before = above.get_previous_sibling()
        return above.children[0].value == "[" or before.get_last_leaf().value in {"get", "pop", "setdefault"}
    return above.type == "dictorsetmaker" and after.value == ":"


def _callee(arguments: BaseNode) -> str:
    trailer = arguments.parent
    return (
        str(trailer.get_previous_sibling().get_last_leaf().value)
        if trailer is not None and trailer.get_previous_sibling()
        else ""
    )


_OWN = {item.__name__: item for item in (RemoveElement, RemoveKeyword, RemoveStatement, ReplaceString)}


@cache
def operators() -> dict[str, Operator]:
    """Return all of them by name."""
    return {name: get_operator(f"core/{name}")() for name in _OF_COSMIC_RAY} | {
        name: created() for name, created in _OWN.items()
    }
