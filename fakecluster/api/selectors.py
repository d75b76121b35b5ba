"""Label and field selectors: parsed once, then asked of every object (FK-133, FK-134, FK-135)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..schema.fields import go_quote
from . import status
from .kinds import Kind
from .labels import key_problems, value_problems
from .outcome import Request

Json = Any
Operator = Literal["in", "notin", "exists", "absent", "gt", "lt"]
TOKEN = re.compile(r"\s*(?:(!=|==|[=!,()<>])|([^\s=!,()<>]+))")
EXPECTED = "in, notin, =, ==, !=, gt, lt"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One condition on a label or a field."""

    key: str
    operator: Operator
    values: frozenset[str] = frozenset()

    def matches(self, values: Mapping[str, str]) -> bool:
        """Whether the condition holds; an absent key satisfies `notin` and `absent` only."""
        found = values.get(self.key)
        if found is None:
            return self.operator in {"notin", "absent"}
        return TESTS[self.operator](found, self.values)


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else None


def _compares(sign: int) -> Callable[[str, frozenset[str]], bool]:
    def test(found: str, wanted: frozenset[str]) -> bool:
        number = _number(found)
        return number is not None and (number - int(next(iter(wanted)))) * sign > 0

    return test


TESTS: Mapping[Operator, Callable[[str, frozenset[str]], bool]] = {
    "in": lambda found, wanted: found in wanted,
    "notin": lambda found, wanted: found not in wanted,
    "exists": lambda found, wanted: True,  # noqa: ARG005
    "absent": lambda found, wanted: False,  # noqa: ARG005
    "gt": _compares(1),
    "lt": _compares(-1),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What a list, a watch or a deletecollection is restricted to."""

    labels: tuple[Requirement, ...] = ()
    fields: tuple[Requirement, ...] = ()
    readers: Mapping[str, Callable[[Json], str]] | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing is excluded."""
        return not self.labels and not self.fields

    @property
    def only_name(self) -> str:
        """The one name that can match, empty when there may be several."""
        for one in self.fields:
            if one.key == "metadata.name" and one.operator == "in":
                return next(iter(one.values))
        return ""

    def matches(self, obj: Json) -> bool:
        """Whether the object is selected."""
        metadata = obj["metadata"]
        labels = metadata.get("labels") or {}
        if not all(one.matches(labels) for one in self.labels):
            return False
        return all(one.matches({one.key: self._field(obj, one.key)}) for one in self.fields)

    def _field(self, obj: Json, key: str) -> str:
        if key in {"metadata.name", "metadata.namespace"}:
            return str(obj["metadata"].get(key[9:], ""))
        return (self.readers or {})[key](obj)


EVERYTHING = Selection()


def of(request: Request, kind: Kind) -> Selection:
    """Return the selection a request asks for. Raises 400."""
    labels, fields = request.option("labelSelector"), request.option("fieldSelector")
    if not labels and not fields:
        return EVERYTHING
    return Selection(
        labels=parse_labels(labels or ""), fields=parse_fields(fields or "", kind), readers=kind.selectable
    )


def parse_labels(text: str) -> tuple[Requirement, ...]:
    """Parse a label selector. Raises 400 with the parser's words (FK-133)."""
    return _LabelParser(text).requirements()


def parse_fields(text: str, kind: Kind) -> tuple[Requirement, ...]:
    """Parse a field selector against the kind's fields. Raises 400 (FK-134)."""
    parts = [part for part in re.split(r"(?<!\\),", text) if part]
    return tuple(_field_requirement(part, kind) for part in parts)


def _field_requirement(text: str, kind: Kind) -> Requirement:
    match = re.match(r"((?:[^=!\\]|\\.)*)(!=|==|=)(.*)", text, re.DOTALL)
    if not match:
        raise status.bad_request(f"invalid selector: '{text}'; can't understand '{text}'")
    key, sign, value = match.groups()
    if key not in {"metadata.name", "metadata.namespace"} and key not in kind.selectable:
        raise status.bad_request(unknown_field(key, kind))
    plain = re.sub(r"\\([\\,=])", r"\1", value)
    return Requirement(key, "notin" if sign == "!=" else "in", frozenset({plain}))


OWN_CONVERSION = frozenset(
    {"pods", "secrets", "events", "namespaces", "nodes", "services", "replicationcontrollers"}
)


def unknown_field(key: str, kind: Kind) -> str:
    """Word the refusal of a field selector, which differs by who converts the label (FK-134)."""
    if kind.custom or (kind.group in {"", "events.k8s.io"} and kind.plural in OWN_CONVERSION):
        return f"field label not supported: {key}"
    if kind.selectable:
        return f"field label {go_quote(key)} not supported for {kind.kind}"
    return f'{go_quote(key)} is not a known field selector: only "metadata.name", "metadata.namespace"'


class _LabelParser:
    """Reads tokens left to right, as the grammar of set-based requirements wants."""

    def __init__(self, text: str) -> None:
        self._tokens = [a or b for a, b in TOKEN.findall(text)]
        self._at = 0

    def requirements(self) -> tuple[Requirement, ...]:
        if not self._tokens:
            return ()
        found = [self._requirement()]
        while self._peek() == ",":
            self._next()
            found.append(self._requirement())
        if self._peek():
            raise _unparsable(f"found '{self._peek()}', expected: ',' or 'end of string'")
        return tuple(sorted(found, key=lambda one: one.key))

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _requirement(self) -> Requirement:
        negated = self._peek() == "!"
        if negated:
            self._next()
        key = self._key()
        if negated:
            return _checked(Requirement(key, "absent"))
        if self._peek() in {"", ","}:
            return _checked(Requirement(key, "exists"))
        return _checked(self._operation(key))

    def _key(self) -> str:
        token = self._next()
        if not token or token in "=!,()<>==!=":
            raise _unparsable(f"found '{token}', expected: identifier")
        return token

    def _operation(self, key: str) -> Requirement:
        sign = self._next()
        if sign in {"in", "notin"}:
            return Requirement(key, "in" if sign == "in" else "notin", self._set())
        if sign in {"=", "==", "!="}:
            return Requirement(key, "notin" if sign == "!=" else "in", frozenset({self._exact()}))
        if sign in {">", "<"}:
            return Requirement(key, "gt" if sign == ">" else "lt", frozenset({self._exact()}))
        raise _unparsable(f"found '{sign}', expected: {EXPECTED}")

    def _exact(self) -> str:
        if self._peek() in {"", ","}:
            return ""
        token = self._next()
        if token in {"(", ")", "=", "==", "!=", "!", "<", ">"}:
            raise _unparsable(f"found '{token}', expected: identifier")
        return token

    def _set(self) -> frozenset[str]:
        if self._next() != "(":
            raise _unparsable(
                f"found '{self._tokens[self._at - 1] if self._at <= len(self._tokens) else ''}', expected: '('"
            )
        values, value = set(), ""
        while (token := self._next()) not in {")", ""}:
            if token == ",":
                values.add(value)
                value = ""
            else:
                value = token
        if not token:
            raise _unparsable("found '', expected: ',' or ')'")
        return frozenset({*values, value})


def _unparsable(why: str) -> status.StatusError:
    return status.bad_request(f"unable to parse requirement: {why}")


def _checked(one: Requirement) -> Requirement:
    for problem in key_problems(one.key):
        raise _unparsable(f"key: Invalid value: {go_quote(one.key)}: {problem}")
    if one.operator in {"gt", "lt"} and _number(next(iter(one.values))) is None:
        value = go_quote(next(iter(one.values)))
        raise _unparsable(
            f"values[0]: Invalid value: {value}: for 'Gt', 'Lt' operators, the value must be an integer"
        )
    for index, value in enumerate(sorted(one.values)):
        for problem in value_problems(value):
            raise _unparsable(f"values[{index}][{one.key}]: Invalid value: {go_quote(value)}: {problem}")
    return one
