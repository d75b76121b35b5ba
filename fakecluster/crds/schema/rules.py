"""Are the rules of a schema allowed: do they compile, and can the server afford them (FK-273, FK-276)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ...base.json_types import Json
from ...schema import fields
from ...schema.cel.model.shapes import REQUEST, UNLIMITED, Shape, shape_of
from ...schema.cel.typing.checking import CheckedRule, check
from ...schema.fields import FieldError
from .goschema import go_rule

RULE_LIMIT = 10_000_000
SCHEMA_LIMIT = 100_000_000
RULES = "x-kubernetes-validations"
LIMIT_HINT = "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
NO_TYPES = (
    "Internal error: internal error: failed to construct type information for x-kubernetes-validations rules:"
    " unable to convert structural schema to CEL declarations"
)
MOST_EXPENSIVE = 4


class RuleCosts(Struct):
    """What all rules of a schema cost together, and the fields of it that are wrong otherwise."""

    wrong: Sequence[str] = ()
    """In order of their text."""
    cost: int = 0
    rules: list[tuple[int, str]] = field(default_factory=list)

    # A rule reads the types of all below its node: where one is wrong, its cost cannot be estimated.
    def judges(self, path: str) -> bool:
        """Whether the rules of a node are judged: nothing of it is wrong otherwise."""
        index = bisect_left(self.wrong, path)
        # Sorted, so the first path at or after the node's is below it if any is: one look instead of one for
        # each error.
        return index == len(self.wrong) or not self.wrong[index].startswith(path)

    def add(self, cost: int, path: str) -> None:
        """Count a rule."""
        # Saturates: an unlimited list of unlimited lists would overflow the 64 bits that Go has.
        self.cost = min(self.cost + cost, UNLIMITED)
        # Only rules that cost a hundredth of the limit are worth naming when the sum is too large.
        if cost >= SCHEMA_LIMIT // 100:
            self.rules.append((cost, path))

    def errors(self, root: str) -> Iterator[FieldError]:
        """Return the errors of rules that exceed the cost limit, the most expensive first."""
        if self.cost <= SCHEMA_LIMIT:
            return
        why = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
        # The sort is stable, so rules of the same cost keep the order of the schema.
        for _, path in sorted(self.rules, key=lambda entry: -entry[0])[:MOST_EXPENSIVE]:
            yield fields.forbidden(path, why)
        subject = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
        yield fields.forbidden(root, too_expensive(subject, self.cost, SCHEMA_LIMIT))


class Location(Struct, frozen=True):
    """Where a node stands: how often it can occur, and below which node `oldSelf` has no meaning."""

    path: str
    count: int | None = 1
    """None when nothing limits it."""

    uncorrelated: str = ""

    def below(self, step: str, factor: int | None = 1) -> Location:
        """Return the place of a child that occurs up to `factor` times in its parent."""
        count = None if self.count is None or factor is None else min(self.count * factor, UNLIMITED)
        return Location(f"{self.path}.{step}", count, self.uncorrelated)

    def without_history_below(self, path: str) -> Location:
        """Return the place without history; the highest node without it is the one to name."""
        return self if self.uncorrelated else replace(self, uncorrelated=path)


def rule_errors(schema: Json, path: str, schema_errors: list[FieldError]) -> list[FieldError]:
    """Return the errors of the rules of a schema, but of nodes that have other errors, or have them below."""
    total = RuleCosts(wrong=sorted(error.field for error in schema_errors))
    errors = list(_node(schema, Location(path), total, root=True))
    return [*errors, *total.errors(path)]


def too_expensive(subject: str, cost: int, limit: int) -> str:
    """Word a cost above its limit."""
    factor = cost / limit
    # Go prints the factor with more digits the closer it is to 1, lest it read as `1.0x`.
    shown = "more than 100x" if factor > 100 else f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
    return f"{subject} exceeds budget by factor of {shown} {LIMIT_HINT}"


def _node(node: Json, location: Location, total: RuleCosts, *, root: bool = False) -> Iterator[FieldError]:
    # The children first: a rule reports below what its children have reported.
    for child, where in _children(node, location):
        yield from _node(child, where, total)
    if node.get(RULES) and total.judges(location.path):
        yield from _rules(node, location, total, root=root)


def _children(node: Json, location: Location) -> Iterator[tuple[Json, Location]]:
    if isinstance(node.get("additionalProperties"), dict):
        yield node["additionalProperties"], location.below("additionalProperties", node.get("maxProperties"))
    for name, child in (node.get("properties") or {}).items():
        yield child, location.below(f"properties[{name}]")
    if isinstance(node.get("items"), dict):
        where = location.below("items", node.get("maxItems"))
        # Only items of a `map` list are found again in the old value, by their keys.
        loose = node.get("x-kubernetes-list-type") != "map"
        yield node["items"], where.without_history_below(location.path) if loose else where


def _rules(node: Json, location: Location, total: RuleCosts, *, root: bool) -> Iterator[FieldError]:
    shape = shape_of(node, root=root)
    if shape is None:
        yield FieldError("InternalError", f"{location.path}.{RULES}", NO_TYPES)
        return
    for i, rule in enumerate(node[RULES]):
        yield from _rule(rule, f"{location.path}.{RULES}[{i}]", shape, location, total)


def _rule(rule: Json, path: str, shape: Shape, location: Location, total: RuleCosts) -> Iterator[FieldError]:
    checked = check(rule["rule"], shape, optional_old=bool(rule.get("optionalOldSelf")))
    times = location.count if location.count is not None else REQUEST // (shape.least_bytes + 1)
    cost = min(checked.cost * times, UNLIMITED)
    if cost > RULE_LIMIT:
        yield fields.forbidden(f"{path}.rule", too_expensive("estimated rule cost", cost, RULE_LIMIT))
    total.add(cost, f"{path}.rule")
    if problem := _problem(checked, "bool", "compilation failed: ", "cel expression must evaluate to a bool"):
        yield fields.invalid(f"{path}.rule", go_rule(rule), problem)
    yield from _message(rule, path, shape, total)
    yield from _old_self(rule, path, checked, location)


def _problem(checked: CheckedRule, kind: str, prefix: str, otherwise: str) -> str:
    if checked.error:
        return prefix + checked.error
    return "" if checked.kind in {kind, "dyn"} else otherwise


def _message(rule: Json, path: str, shape: Shape, total: RuleCosts) -> Iterator[FieldError]:
    expression = rule.get("messageExpression")
    if not expression:
        return
    where = f"{path}.messageExpression"
    checked = check(expression, shape, optional_old=bool(rule.get("optionalOldSelf")))
    failed, wrong = "messageExpression compilation failed: ", "messageExpression must evaluate to a string"
    if problem := _problem(checked, "string", failed, wrong):
        yield fields.invalid(where, go_rule(rule), problem)
        return
    if checked.cost > RULE_LIMIT:
        yield fields.forbidden(
            where, too_expensive("estimated messageExpression cost", checked.cost, RULE_LIMIT)
        )
    total.add(checked.cost, where)


def _old_self(rule: Json, path: str, checked: CheckedRule, location: Location) -> Iterator[FieldError]:
    if checked.error:
        return
    if checked.uses_old and location.uncorrelated:
        why = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {location.uncorrelated}"
        yield fields.invalid(f"{path}.rule", rule["rule"], why)
    elif not checked.uses_old and rule.get("optionalOldSelf") is not None:
        why = "may not be set if oldSelf is not used in rule"
        yield fields.invalid(f"{path}.optionalOldSelf", rule["optionalOldSelf"], why)
