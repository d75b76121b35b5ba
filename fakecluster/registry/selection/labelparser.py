"""The grammar of label selectors, with the parser's own words for what it cannot read (FK-133)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from ...base.numbers.integers import fits, parse_int
from ...meta.labels import key_problems, value_problems
from ...schema import fields
from ...schema.fields import FieldError

Operator = Literal["in", "notin", "exists", "absent", "gt", "lt"]
TOKEN = re.compile(r"\s*(?:(!=|==|[=!,()<>])|([^\s=!,()<>]+))")
SYMBOLS = frozenset({"!=", "==", "=", "!", ",", "(", ")", "<", ">"})
OPERATORS: Mapping[str, Operator] = {
    "in": "in",
    "notin": "notin",
    "=": "in",
    "==": "in",
    "!=": "notin",
    ">": "gt",
    "<": "lt",
}
EXPECTED_OPERATORS = "in, notin, =, ==, !=, gt, lt"


class LabelSelectorError(Exception):
    """The selector does not follow the grammar; the text is the parser's."""


class Requirement(Struct, frozen=True):
    """One condition on a label or a field."""

    key: str
    operator: Operator
    values: frozenset[str] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether it names nothing and wants nothing, which is no condition on a field."""
        return not self.key and self.values == {""}

    def matches(self, values: Mapping[str, str]) -> bool:
        """Whether the condition holds; an absent key satisfies `notin` and `absent` only."""
        # An absent key is not in any set, hence `notin` holds for it.
        value = values.get(self.key)
        if value is None:
            return self.operator in {"notin", "absent"}
        return OPERATOR_TESTS[self.operator](value, self.values)


def _compares(sign: int) -> Callable[[str, frozenset[str]], bool]:
    def test(value: str, operands: frozenset[str]) -> bool:
        # Gt and Lt compare integers: a label with another value matches neither.
        return is_number(value) and (parse_int(value) - parse_int(next(iter(operands)))) * sign > 0

    return test


OPERATOR_TESTS: Mapping[Operator, Callable[[str, frozenset[str]], bool]] = {
    "in": lambda value, operands: value in operands,
    "notin": lambda value, operands: value not in operands,
    "exists": lambda _value, _operands: True,
    "absent": lambda _value, _operands: False,
    "gt": _compares(1),
    "lt": _compares(-1),
}


def is_number(text: str) -> bool:
    """Whether a label's value can be compared as a whole number."""
    return fits(text, 64)


def parse(text: str) -> tuple[Requirement, ...]:
    """Return the requirements of a selector. Raises LabelSelectorError."""
    return _Parser(text).requirements()


class _Parser:
    """Reads tokens left to right; the empty one is the end."""

    def __init__(self, text: str) -> None:
        self._tokens = [symbol or word for symbol, word in TOKEN.findall(text.rstrip())]
        self._at = 0

    def requirements(self) -> tuple[Requirement, ...]:
        requirement_list: list[Requirement] = []
        while word := self._peek():
            if word != "!" and not self._is_word(word):
                raise LabelSelectorError(f"found '{word}', expected: !, identifier, or 'end of string'")
            requirement_list.append(self._parse_requirement())
            self._separator()
        return tuple(requirement_list)

    def _separator(self) -> None:
        lexeme = self._next()
        if lexeme not in {"", ","}:
            # A comma at the end promises another requirement.
            raise LabelSelectorError(f"found '{lexeme}', expected: ',' or 'end of string'")
        if lexeme == "," and self._peek() != "!" and not self._is_word(self._peek()):
            raise LabelSelectorError(f"found '{self._peek()}', expected: identifier after ','")

    def _parse_requirement(self) -> Requirement:
        try:
            return self._requirement()
        except LabelSelectorError as error:
            raise LabelSelectorError(f"unable to parse requirement: {error}") from error

    def _requirement(self) -> Requirement:
        negated = self._peek() == "!"
        if negated:
            self._next()
        key = self._word()
        # Judged after the word is read: a key that is no key is another error than none at all.
        _refuse(
            [fields.invalid("<nil>", key, "; ".join(problems))] if (problems := key_problems(key)) else []
        )
        if negated:
            return Requirement(key, "absent")
        if self._peek() in {"", ","}:
            return Requirement(key, "exists")
        return self._comparison(key)

    def _comparison(self, key: str) -> Requirement:
        sign = self._next()
        if sign not in OPERATORS:
            raise LabelSelectorError(f"found '{sign}', expected: {EXPECTED_OPERATORS}")
        values = self._set() if sign in {"in", "notin"} else {self._exact()}
        requirement = Requirement(key, OPERATORS[sign], frozenset(values))
        _refuse(_value_errors(requirement))
        return requirement

    def _exact(self) -> str:
        # `a=` and `a=,b` compare with the empty text.
        return "" if self._peek() in {"", ","} else self._word()

    def _set(self) -> set[str]:
        opening = self._next()
        if opening != "(":
            raise LabelSelectorError(f"found '{opening}' expected: '('")
        if self._peek() not in {")", ","} and not self._is_word(self._peek()):
            raise LabelSelectorError(f"found '{self._peek()}', expected: ',', ')' or identifier")
        # Two commas, or one before the bracket, stand for the empty text.
        values, value = set(), ""
        while (lexeme := self._next()) != ")":
            if lexeme == ",":
                values.add(value)
                value = ""
            elif value or not self._is_word(lexeme):
                raise LabelSelectorError(f"found '{lexeme}', expected: ',' or ')'")
            else:
                value = lexeme
        return {*values, value}

    def _word(self) -> str:
        lexeme = self._next()
        if not self._is_word(lexeme):
            raise LabelSelectorError(f"found '{lexeme}', expected: identifier")
        return lexeme

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        lexeme = self._peek()
        self._at += 1
        return lexeme

    @staticmethod
    def _is_word(lexeme: str) -> bool:
        return bool(lexeme) and lexeme not in SYMBOLS


def _value_errors(requirement: Requirement) -> list[FieldError]:
    values = sorted(requirement.values)
    odd = requirement.operator in {"gt", "lt"} and not is_number(values[0])
    detail = "for 'Gt', 'Lt' operators, the value must be an integer"
    return ([fields.invalid("values[0]", values[0], detail)] if odd else []) + [
        fields.invalid(f"values[{index}][{requirement.key}]", value, "; ".join(problems))
        for index, value in enumerate(values)
        if (problems := value_problems(value))
    ]


def _refuse(errors: list[FieldError]) -> None:
    if errors:
        texts = [str(error) for error in errors]
        raise LabelSelectorError(texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")
