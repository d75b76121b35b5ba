"""The rules of a schema, bound to the nodes they stand at and evaluated on objects (FK-268, FK-271…274).

Only nodes with rules, and the way to them, are visited. A transition rule (one that says `oldSelf`) runs when
there is an old value that belongs to the new one; other rules of an unchanged node are forgiven.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ...base.json_types import Json
from ..correlate import NO_OLD_VALUE, Correlation
from ..fields import FieldError, quote
from ..identity_cache import IdentityCache
from ..lazy_mapping import LazyMapping
from ..memberpaths import follow
from .engine import Bindings, CelEngine, CelError, CompileError, Program
from .limits import budget
from .model.values import Presenter, convert_times
from .native import NATIVE

ENGINE: CelEngine = NATIVE
# A text search, not a parse: whether a rule compares with the old value must be known of one that does not
# compile as well; names of members (`x.oldSelf`) and texts do not count.
_OLD_SELF = re.compile(r"(?<![\w.\"'])oldSelf\b")
REASONS = {
    "FieldValueForbidden": "Forbidden",
    "FieldValueRequired": "Required value",
    "FieldValueDuplicate": "Duplicate value",
}
MESSAGE_LIMIT = 5 * 1024


class ValidationRule(Struct, frozen=True, dict=True):
    """One rule of one node."""

    raw: Mapping[str, Json]
    node: Mapping[str, Json]

    @cached_property
    def transition(self) -> bool:
        """Whether the rule compares with the old value."""
        return bool(_OLD_SELF.search(self.raw["rule"]))

    @cached_property
    def optional_old(self) -> bool:
        """Whether `oldSelf` is an optional value."""
        return bool(self.raw.get("optionalOldSelf"))

    @cached_property
    def program(self) -> Program | CompileError:
        """The compiled rule."""
        try:
            return self._program(self.raw["rule"])
        except CompileError as error:
            return error

    def _program(self, text: str) -> Program:
        rule = convert_times(self.node, text, optional_old=self.optional_old)
        return ENGINE.compile(rule, optional_old=self.optional_old)

    @cached_property
    def message(self) -> str:
        """The fixed message."""
        # The rule itself stands in for a missing message (FK-272).
        return str(self.raw.get("message") or "").strip() or f"failed rule: {self.raw['rule'].strip()}"

    @cached_property
    def field_path(self) -> str:
        """The field that the rule blames, in normal form."""
        path = self.raw.get("fieldPath")
        return follow(self.node, path).path if path else ""

    def judge(self, value: Json, path: str, bindings: Bindings) -> FieldError | None:
        """Return the violation, None when the rule holds."""
        if isinstance(self.program, CompileError):
            return FieldError("FieldValueInvalid", path or "<nil>", f"rule compile error: {self.program}")
        # JSON knows no integers: a fraction in an integer's place is a double to Go, which the rule's types
        # do not allow.
        if type(value) is float and self.node.get("type") == "integer":
            return self._failure("invalid data, expected int, got float64", path)
        # Before it is evaluated, since the engine cannot be interrupted once it runs.
        self.program.turns.charge(value)
        result = self.program.eval(bindings)
        if result is True:
            return None
        if isinstance(result, CelError):
            return self._failure(result.text, path)
        return self._violation(value, path, self._text(bindings))

    def _failure(self, text: str, path: str) -> FieldError:
        about = str(self.raw.get("message") or "").strip() or self.raw["rule"].strip()
        # The real server words these two errors of the engine itself; others are passed on (FK-273).
        if text.startswith("no such overload"):
            text = f"'{text}': call arguments did not match a supported operator, function or macro signature for rule: {about}"
        elif text == budget.COST_EXCEEDED:
            text = f"'{text}': no further validation rules will be run due to call cost exceeds limit for rule: {about}"
        else:
            text = f"{text} evaluating rule: {about}"
        return FieldError(
            "FieldValueInvalid", path or "<nil>", f'Invalid value: "{self.node.get("type") or ""}": {text}'
        )

    def _violation(self, value: Json, path: str, text: str) -> FieldError:
        reason = str(self.raw.get("reason") or "FieldValueInvalid")
        path = ".".join(filter(None, (path, self.field_path))) or "<nil>"
        shown = "" if self.node.get("type") in {"object", "array"} else quote(value)
        # A duplicate shows its value and not the rule's message.
        if reason == "FieldValueDuplicate":
            return FieldError(reason, path, ": ".join(filter(None, ("Duplicate value", shown))))
        if reason in REASONS:
            return FieldError(reason, path, f"{REASONS[reason]}: {text}")
        return FieldError(reason, path, ": ".join(filter(None, ("Invalid value", shown, text))))

    def _text(self, bindings: Bindings) -> str:
        expression = self.raw.get("messageExpression")
        if not expression:
            return self.message
        try:
            outcome = self._program(expression).eval(bindings)
        except CompileError:
            return self.message
        # A message that cannot be shown in one line is as good as none: the real server falls back to
        # `message`.
        if (
            not isinstance(outcome, str)
            or not outcome.strip()
            or "\n" in outcome
            or len(outcome) > MESSAGE_LIMIT
        ):
            return self.message
        return outcome.strip()


class RuleReport(Struct, frozen=True):
    """What the rules found: errors, and what an unchanged
    value is forgiven, which becomes a warning (FK-268).

    Rules whose outcome is not needed (None) do not run.
    """

    errors: list[FieldError] | None
    forgiven: list[FieldError] | None

    @property
    def size(self) -> int:
        """How much was found."""
        return len(self.errors or ()) + len(self.forgiven or ())


class ValueLocation(Struct, frozen=True):
    """A value in an object: where, what it was before,
    and whether it stands in something that did not change.
    """

    value: Json
    path: str
    old: Json
    frozen: bool

    def member(self, name: str, path: str, correlation: Correlation) -> ValueLocation:
        """Return the spot of a member."""
        return ValueLocation(self.value[name], path, correlation.member(self.old, name), self.frozen)


Judge = Callable[[ValueLocation, RuleReport], None]


def compile_root_rules(raw: Mapping[str, Json]) -> Judge | None:
    """Return the judge of whole objects: unchanged members
    against which nothing was found are not judged again.
    """
    return _compile(raw, lambda child: _remembering(compile_rules(child)))


def compile_rules(raw: Mapping[str, Json]) -> Judge | None:
    """Return the judge of a node and of all below it; None when there is no rule."""
    return _compile(raw, compile_rules)


def _remembering(judge: Judge | None) -> Judge | None:
    if judge is None:
        return None
    good: LazyMapping[tuple[bool, bool], IdentityCache] = LazyMapping(lambda _: IdentityCache())

    def remembering(location: ValueLocation, report: RuleReport) -> None:
        # Only what this update left alone is worth the memory: a new value is judged, whatever was judged
        # before it.
        if location.value is not location.old:
            return judge(location, report)
        known_values = good[report.errors is not None, report.forgiven is not None]
        if location.value not in known_values:
            # What is good depends on which rules ran: those of errors, those of forgiven ones, or both.
            before = report.size
            judge(location, report)
            if report.size == before:
                known_values.add(location.value)
        return None

    return remembering


def _compile(raw: Mapping[str, Json], member: Callable[[Mapping[str, Json]], Judge | None]) -> Judge | None:
    own = tuple(ValidationRule(rule, raw) for rule in raw.get("x-kubernetes-validations") or ())
    correlation = Correlation.of(raw)
    below = [*_object_steps(raw, correlation, member), *_list_steps(raw, correlation)]
    if not own and not below:
        return None
    presenter = Presenter.of(raw, [str(rule.raw["rule"]) for rule in own])

    def judge(location: ValueLocation, report: RuleReport) -> None:
        # Null stands for an absent value: no rule of a node judges it.
        if location.value is None:
            return
        # Once equal, all below is equal: no member compares itself again.
        if (
            not location.frozen
            and location.old is not NO_OLD_VALUE
            and correlation.equal(location.value, location.old)
        ):
            location = replace(location, frozen=True)
        if own:
            _judge_node(own, location, correlation, presenter, report)
        for step in below:
            step(location, report)

    return judge


def _judge_node(
    rules: tuple[ValidationRule, ...],
    location: ValueLocation,
    correlation: Correlation,
    present: Presenter,
    report: RuleReport,
) -> None:
    due_rules = [
        (rule, errors) for rule in rules if (errors := _errors_for(rule, location, report)) is not None
    ]
    if not due_rules:
        return
    # Aligned only here, as the rules of most nodes are not due and pairing lists by their keys is slow.
    before = None if location.old is NO_OLD_VALUE else correlation.align(location.value, location.old)
    shown, shown_before = present(location.value), present(before)
    plain: Bindings = None
    for rule, errors in due_rules:
        # Without an old value a transition rule has nothing to compare: it holds (FK-271).
        if rule.transition and not rule.optional_old and before is None:
            continue
        if rule.optional_old:
            bindings = ENGINE.bind(shown, shown_before, optional_old=True)
        else:
            bindings = plain = plain or ENGINE.bind(shown, shown_before)
        violation = rule.judge(location.value, location.path, bindings)
        if violation:
            errors.append(violation)


def _errors_for(rule: ValidationRule, location: ValueLocation, report: RuleReport) -> list[FieldError] | None:
    """Return where the rule's violation goes; None where it is not needed."""
    return report.forgiven if location.frozen and not rule.transition else report.errors


def _object_steps(
    raw: Mapping[str, Json], correlation: Correlation, member: Callable[[Mapping[str, Json]], Judge | None]
) -> Iterator[Judge]:
    members = {name: member(child) for name, child in (raw.get("properties") or {}).items()}
    # Sorted, so that the violations come in the same order whatever order the definition has.
    judges = {name: judge for name, judge in sorted(members.items()) if judge}
    extra = raw.get("additionalProperties")
    extra_judge = compile_rules(extra) if isinstance(extra, dict) else None

    def step(location: ValueLocation, report: RuleReport) -> None:
        # A value of the wrong type has been reported by the schema already.
        if type(location.value) is not dict:
            return
        for name, judge in judges.items():
            if name in location.value:
                path = f"{location.path}.{name}" if location.path else name
                judge(location.member(name, path, correlation), report)

    def map_step(location: ValueLocation, report: RuleReport) -> None:
        if type(location.value) is dict and extra_judge:
            for name in location.value:
                extra_judge(location.member(name, f"{location.path}[{name}]", correlation), report)

    # Items of a map before its properties; a structural schema has only one of the two.
    if extra_judge:
        yield map_step
    if judges:
        yield step


def _list_steps(raw: Mapping[str, Json], correlation: Correlation) -> Iterator[Judge]:
    items = raw.get("items")
    judge = compile_rules(items) if isinstance(items, dict) else None
    if judge is None:
        return

    def step(location: ValueLocation, report: RuleReport) -> None:
        if type(location.value) is list:
            olds = correlation.items(location.value, location.old)
            for i, item in enumerate(location.value):
                judge(ValueLocation(item, f"{location.path}[{i}]", olds(i), location.frozen), report)

    yield step
