"""The rules of a schema, bound to the nodes they stand at and evaluated on objects (FK-268, FK-271…274).

Only nodes with rules, and the way to them, are visited. A transition rule (one that says `oldSelf`) runs when there is an
old value that belongs to the new one; other rules of an unchanged node are forgiven.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..correlate import ABSENT, Correlation
from ..fields import FieldError, quoted
from .engine import Bindings, CelError, CompileError, Program, engine
from .values import Presenter

Json = Any
_OLD_SELF = re.compile(r"(?<![\w.\"'])oldSelf\b")
REASONS = {
    "FieldValueForbidden": "Forbidden",
    "FieldValueRequired": "Required value",
    "FieldValueDuplicate": "Duplicate value",
}
MESSAGE_LIMIT = 5 * 1024


@dataclass(frozen=True)
class Rule:
    """One rule of one node."""

    raw: Mapping[str, Json]
    type: str

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
            return engine().compile(self.raw["rule"], optional_old=self.optional_old)
        except CompileError as error:
            return error

    @cached_property
    def message(self) -> str:
        """The fixed message."""
        return str(self.raw.get("message") or "").strip() or f"failed rule: {self.raw['rule'].strip()}"

    def judge(self, value: Json, path: str, bindings: Bindings) -> FieldError | None:
        """Return the violation, None when the rule holds."""
        if isinstance(self.program, CompileError):
            return FieldError("FieldValueInvalid", path or "<nil>", f"rule compile error: {self.program}")
        result = self.program.eval(bindings)
        if result is True:
            return None
        if isinstance(result, CelError):
            return self._failed(result.text, path)
        return self._violated(value, path + str(self.raw.get("fieldPath") or ""), self._text(bindings))

    def _failed(self, text: str, path: str) -> FieldError:
        about = str(self.raw.get("message") or "").strip() or self.raw["rule"].strip()
        if text.startswith("no such overload"):
            text = f"'{text}': call arguments did not match a supported operator, function or macro signature for rule: {about}"
        else:
            text = f"{text} evaluating rule: {about}"
        return FieldError("FieldValueInvalid", path or "<nil>", f'Invalid value: "{self.type}": {text}')

    def _violated(self, value: Json, path: str, text: str) -> FieldError:
        reason = str(self.raw.get("reason") or "FieldValueInvalid")
        path = path.removeprefix(".") or "<nil>"
        shown = "" if isinstance(value, dict | list) else quoted(value)
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
            found = engine().compile(expression, optional_old=self.optional_old).eval(bindings)
        except CompileError:
            return self.message
        if not isinstance(found, str) or not found.strip() or "\n" in found or len(found) > MESSAGE_LIMIT:
            return self.message
        return found.strip()


Judge = Callable[[Json, str, Json, list[FieldError]], None]


def compile_rules(raw: Mapping[str, Json]) -> Judge | None:
    """Return `judge(value, path, old, errors)` for a node and all below it; None when there is no rule."""
    own = tuple(Rule(one, type_name(raw)) for one in raw.get("x-kubernetes-validations") or ())
    below = [*_object_steps(raw), *_list_steps(raw)]
    if not own and not below:
        return None
    correlation = Correlation.of(raw)
    presenter = Presenter.of(raw, [str(rule.raw["rule"]) for rule in own])

    def judge(value: Json, path: str, old: Json, errors: list[FieldError]) -> None:
        if value is None:
            return
        if own:
            errors.extend(_judge_node(own, value, path, old, correlation, presenter))
        for step in below:
            step(value, path, old, errors)

    return judge


def type_name(raw: Mapping[str, Json]) -> str:
    """Return the word for a node's type in messages."""
    return str(raw.get("type") or "")


def _judge_node(
    rules: tuple[Rule, ...], value: Json, path: str, old: Json, correlation: Correlation, present: Presenter
) -> Iterator[FieldError]:
    before = None if old is ABSENT else old
    shown, shown_before = present(value), present(before)
    plain: Bindings = None
    for rule in rules:
        if rule.transition and not rule.optional_old and before is None:
            continue
        if not rule.transition and before is not None and value == before:
            continue
        if rule.optional_old:
            bindings = engine().bind(shown, shown_before, optional_old=True)
        else:
            bindings = plain = plain or engine().bind(shown, shown_before)
        found = rule.judge(value, path, bindings)
        if found and (rule.transition or before is None or not correlation.equal(value, before)):
            yield found


def _object_steps(raw: Mapping[str, Json]) -> Iterator[Judge]:
    members = {name: compile_rules(child) for name, child in (raw.get("properties") or {}).items()}
    judges = {name: judge for name, judge in members.items() if judge}
    extra = raw.get("additionalProperties")
    others = compile_rules(extra) if isinstance(extra, Mapping) else None
    correlation = Correlation.of(raw)

    def step(value: Json, path: str, old: Json, errors: list[FieldError]) -> None:
        if type(value) is not dict:
            return
        for name, judge in judges.items():
            if name in value:
                judge(value[name], f"{path}.{name}" if path else name, correlation.member(old, name), errors)

    def map_step(value: Json, path: str, old: Json, errors: list[FieldError]) -> None:
        if type(value) is dict and others:
            for name, child in value.items():
                if name not in members:
                    others(child, f"{path}[{name}]", correlation.member(old, name), errors)

    if judges:
        yield step
    if others:
        yield map_step


def _list_steps(raw: Mapping[str, Json]) -> Iterator[Judge]:
    items = raw.get("items")
    judge = compile_rules(items) if isinstance(items, Mapping) else None
    if judge is None:
        return
    correlation = Correlation.of(raw)

    def step(value: Json, path: str, old: Json, errors: list[FieldError]) -> None:
        if type(value) is list:
            olds = correlation.items(value, old)
            for i, item in enumerate(value):
                judge(item, f"{path}[{i}]", olds(i), errors)

    yield step
