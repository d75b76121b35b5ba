"""Checks of strings, numbers and lengths, worded as the real server words them (FK-263…266)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from ..base.json_types import Json
from ..base.numbers.floats import go_float
from ..base.work_budget import TooMuchWork
from .fields import FieldError, invalid, too_long, too_many, type_invalid
from .formats import NUMBER_FORMATS, check_of, format_of
from .patterns import has_match

SINGLE_MOST = 3.4028234663852886e38
Step = Callable[[Any, str, list[FieldError], Any], int]


# Go's json.Marshal sorts the keys of a map.
def json_text(value: Json) -> str:
    """Render JSON compactly with sorted keys, as Go does."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def invalid_value(path: str, value: Json, rule: str) -> FieldError:
    """Return an `Invalid value` whose text names the path and the rule."""
    return invalid(path or "<nil>", value, f"{path} in body {rule}")


def string_steps(raw: Mapping[str, Json]) -> tuple[Step, ...]:
    """Return the checks of a string:
    lengths and pattern stop at the first violation, the format comes after.
    """
    tests = tuple(filter(None, (_max_length(raw), _min_length(raw), _pattern(raw))))

    # One error for a string, in this order, as the library returns at the first; the format is another
    # validator.
    def first(value: str, path: str, errors: list[FieldError], _: Json) -> int:
        error = next(filter(None, (test(value, path) for test in tests)), None)
        if error:
            errors.append(error)
        return 0

    return (*((first,) if tests else ()), *_format_steps(raw))


def _max_length(raw: Mapping[str, Json]) -> Callable[[str, str], FieldError | None] | None:
    most = raw.get("maxLength")
    if most is None:
        return None
    return lambda value, path: too_long(path or "<nil>", most) if len(value) > most else None


def _min_length(raw: Mapping[str, Json]) -> Callable[[str, str], FieldError | None] | None:
    least = raw.get("minLength")
    if least is None:
        return None
    rule = f"should be at least {least} chars long"
    return lambda value, path: invalid_value(path, value, rule) if len(value) < least else None


def _pattern(raw: Mapping[str, Json]) -> Callable[[str, str], FieldError | None] | None:
    text = raw.get("pattern")
    if not text:
        return None
    rule = f"should match '{text}'"

    def judge(value: str, path: str) -> FieldError | None:
        try:
            # A text that is too long for its pattern is refused: an answer that comes too late is none.
            return None if has_match(text, value) else invalid_value(path, value, rule)
        except TooMuchWork as error:
            return invalid(path or "<nil>", "", str(error))

    return judge


def _format_steps(raw: Mapping[str, Json]) -> tuple[Step, ...]:
    name = format_of(raw)
    # A format such as `double` belongs to numbers and says nothing of a string.
    if not name or raw.get("type") in NUMBER_FORMATS:
        return ()
    check = check_of(name)

    def step(value: str, path: str, errors: list[FieldError], _: Json) -> int:
        if not check(value):
            errors.append(
                type_invalid(
                    path or "<nil>", value, f"{path} in body must be of type {name}: {json_text(value)}"
                )
            )
        return 0

    return (step,)


def number_steps(raw: Mapping[str, Json]) -> tuple[Step, ...]:
    """Return the checks of a number: range of its type, multipleOf, minimum, maximum."""
    limits = [limit for limit in (_multiple(raw), _maximum(raw), _minimum(raw)) if limit]
    return (*_range_steps(raw), *limits)


def _range_steps(raw: Mapping[str, Json]) -> tuple[Step, ...]:
    format_ = format_of(raw)
    if raw.get("type") == "number" and format_ == "float":
        return (_single_precision,)
    if raw.get("type") != "integer":
        return ()
    bound = 2**31 if format_ == "int32" else 2**63
    kind = f"with format {format_}" if format_ else "(default format)"

    def step(value: float, path: str, errors: list[FieldError], _: Json) -> int:
        # A float may stand for an integer when it is one.
        fraction = isinstance(value, float) and not (value.is_integer() and abs(value) < bound)
        if fraction or not -bound <= value < bound:
            # The library has no path in these errors, so the path stands in the text.
            errors.append(invalid("<nil>", "", f"Checked value must be of type integer {kind} in {path}"))
        return 0

    return (step,)


def _single_precision(value: float, path: str, errors: list[FieldError], _: Json) -> int:
    if abs(value) > SINGLE_MOST:
        errors.append(
            invalid("<nil>", "", f"Checked value must be of type number with format float in {path}")
        )
    return 0


def _multiple(raw: Mapping[str, Json]) -> Step | None:
    factor = raw.get("multipleOf")
    if not factor:
        return None
    return _limit(lambda value: _whole(value / factor), f"should be a multiple of {go_number(factor)}")


def _whole(value: float) -> bool:
    # A quotient of floats is rarely exact: 0.3 / 0.1 is not 3.
    return math.isclose(value, round(value), rel_tol=1e-9, abs_tol=1e-9)


def _maximum(raw: Mapping[str, Json]) -> Step | None:
    most = raw.get("maximum")
    if most is None:
        return None
    if raw.get("exclusiveMaximum"):
        return _limit(lambda value: value < most, f"should be less than {go_number(most)}")
    return _limit(lambda value: value <= most, f"should be less than or equal to {go_number(most)}")


def _minimum(raw: Mapping[str, Json]) -> Step | None:
    least = raw.get("minimum")
    if least is None:
        return None
    if raw.get("exclusiveMinimum"):
        return _limit(lambda value: value > least, f"should be greater than {go_number(least)}")
    return _limit(lambda value: value >= least, f"should be greater than or equal to {go_number(least)}")


def _limit(holds: Callable[[float], bool], rule: str) -> Step:
    def step(value: float, path: str, errors: list[FieldError], _: Json) -> int:
        if not holds(value):
            errors.append(invalid_value(path, value, rule))
        return 0

    return step


def go_number(value: float) -> str:
    """Print the limit of a schema as its messages do: whole numbers in full."""
    number = float(value)
    if number.is_integer() and abs(number) < 1e21:
        return str(int(number))
    return go_float(number)


def length_steps(raw: Mapping[str, Json]) -> tuple[Step, ...]:
    """Return the checks of a list as a whole."""
    least, most, unique = raw.get("minItems"), raw.get("maxItems"), raw.get("uniqueItems")

    def step(value: list[Json], path: str, errors: list[FieldError], _: Json) -> int:
        if least is not None and len(value) < least:
            errors.append(invalid_value(path, len(value), f"should have at least {least} items"))
        if most is not None and len(value) > most:
            errors.append(too_many(path or "<nil>", len(value), most))
        if unique and len({json_text(item) for item in value}) < len(value):
            errors.append(invalid_value(path, "", "shouldn't contain duplicates"))
        return 0

    return (step,) if least is not None or most is not None or unique else ()
