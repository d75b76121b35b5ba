"""Value checks of a schema, compiled to closures once per node (FK-263, FK-264, FK-266).

A check appends its violations and returns how many checks it passed: `anyOf` and `oneOf` report the
alternative that came furthest, as the real server does. `old` is the correlated value before an update; the
errors of an unchanged node are forgotten (ratcheting, FK-268).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..base.json_types import Json
from ..base.work_budget import spend
from . import junctors, scalars
from .correlate import NO_OLD_VALUE, Correlation
from .fields import FieldError, not_supported, required, too_many, type_invalid
from .formats import format_of
from .identity_cache import CACHED_LEVELS, IdentityCache, is_worth
from .lazy_mapping import LazyMapping
from .scalars import Step

Errors = list[FieldError]
Check = Callable[..., int]
Compile = Callable[[Mapping[str, Json]], Check]

NAMES: Mapping[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def compile_root(raw: Mapping[str, Json]) -> Check:
    """Return the check of whole objects: parts that were found good are not checked again."""
    return _compile(raw, 0)


def compile_checks(raw: Mapping[str, Json]) -> Check:
    """Return `check(value, path, errors, old=ABSENT) -> passed` for a schema node and all below it."""
    return _compile(raw, CACHED_LEVELS)


def _part(raw: Mapping[str, Json], level: int) -> Check:
    """Return the check of a part of an object, so many levels below its root."""
    check = _compile(raw, level)
    return _remembering(check) if is_worth(raw, level) else check


def _remembering(check: Check) -> Check:
    good = IdentityCache()

    def remembering(value: Json, path: str, errors: Errors, old: Json = NO_OLD_VALUE) -> int:
        if value in good:
            return 1
        before = len(errors)
        passed = check(value, path, errors, old)
        if len(errors) == before:
            good.add(value)
        return passed

    return remembering


def _compile(raw: Mapping[str, Json], level: int) -> Check:
    correlation = Correlation.of(raw)
    by_type: LazyMapping[type, tuple[Step, ...]] = LazyMapping(
        lambda python_type: tuple(_steps(raw, python_type, correlation, level))
    )

    def check(value: Json, path: str, errors: Errors, old: Json = NO_OLD_VALUE) -> int:
        before, passed = len(errors), 1
        for step in by_type[type(value)]:
            passed += step(value, path, errors, old)
        # Ratcheting comes last: whether the value changed is asked only where something is wrong (FK-268).
        if len(errors) > before and old is not NO_OLD_VALUE and correlation.is_unchanged(value, old):
            del errors[before:]
        return passed

    return check


def _steps(
    raw: Mapping[str, Json], python_type: type, correlation: Correlation, level: int
) -> Iterator[Step]:
    """Yield the steps for values of one Python type, in the order in which they are reported."""
    yield from _type_steps(raw, python_type)
    if python_type is not type(None):
        yield from junctors.steps(raw, compile_checks)
    if python_type is str:
        yield from scalars.string_steps(raw)
    elif python_type in (int, float):
        yield from scalars.number_steps(raw)
    elif python_type is list:
        yield from _list_steps(raw, correlation, level)
    yield from _enum_steps(raw)
    if python_type is dict:
        yield from _object_steps(raw, correlation, level)


def types_of(raw: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the JSON types that a node allows; empty when any."""
    # Takes the place of `type`, which such a node does not have.
    if raw.get("x-kubernetes-int-or-string"):
        return ("integer", "string")
    return (str(raw["type"]),) if raw.get("type") else ()


def _type_steps(raw: Mapping[str, Json], python_type: type) -> tuple[Step, ...]:
    """The type decides per Python type, so most nodes need no step at all;
    None and whole floats are the exceptions.
    """
    types, name = types_of(raw), NAMES[python_type]
    # JSON Schema counts an integer as a number, not the other way round.
    if not types or name in types or (name == "integer" and "number" in types):
        return _int64_steps(raw, types) if python_type is int else ()
    # Only `nullable` lets a null pass a type.
    if python_type is type(None) and raw.get("nullable"):
        return ()
    format_ = format_of(raw)
    # A text or a list with a format is left to the check of the format.
    if python_type in (str, list) and format_ and not {"number", "integer"} & set(types):
        return ()
    return (_wrong_type(types, name, format_, python_type),)


def _wrong_type(types: tuple[str, ...], name: str, format_: str, python_type: type) -> Step:
    expected, got = ",".join(types), name
    # For these the library names the expected format instead of the type.
    if format_ and python_type in (bool, dict):
        expected, got = format_, ""
    elif format_ and python_type is float:
        expected, got = format_, "float64"

    def step(value: Json, path: str, errors: Errors, _: Json) -> int:
        # A float without a fraction is an integer to JSON, up to where floats count every integer.
        if python_type is float and value.is_integer() and "integer" in types and abs(value) < 2**53:
            return 1
        errors.append(_type_error(path, expected, got))
        return 0

    return step


def _int64_steps(raw: Mapping[str, Json], types: tuple[str, ...]) -> tuple[Step, ...]:
    """Numbers above int64 are floats to the real server."""
    if "integer" not in types:
        return ()
    as_float = _wrong_type(types, "number", format_of(raw), float)

    def step(value: int, path: str, errors: Errors, old: Json) -> int:
        return 1 if -(2**63) <= value < 2**63 else as_float(float(value), path, errors, old)

    return (step,)


def _type_error(path: str, expected: str, got: str) -> FieldError:
    return type_invalid(path or "<nil>", got, f'{path} in body must be of type {expected}: "{got}"')


def _enum_steps(raw: Mapping[str, Json]) -> tuple[Step, ...]:
    allowed = raw.get("enum")
    if not allowed:
        return ()
    # The message lists the values as JSON, and texts without quotes.
    shown = [entry if isinstance(entry, str) else scalars.json_text(entry) for entry in allowed]

    texts = frozenset(entry for entry in allowed if isinstance(entry, str))

    def step(value: Json, path: str, errors: Errors, _: Json) -> int:
        # A set answers for texts; the rest is compared one by one, as 1, 1.0 and true are equal in Python.
        if type(value) is str and value in texts:
            return 0
        spend("values of enumerations", len(allowed))
        if value is None or not any(
            entry == value and isinstance(entry, bool) == isinstance(value, bool) for entry in allowed
        ):
            errors.append(not_supported(path or "<nil>", value, shown))
        return 0

    return (step,)


def _list_steps(raw: Mapping[str, Json], correlation: Correlation, level: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    if isinstance(raw.get("items"), dict):
        check = _part(raw["items"], level + 1)

        def items(value: list[Json], path: str, errors: Errors, old: Json) -> int:
            olds = correlation.items(value, old)
            return sum(check(item, f"{path}[{i}]", errors, olds(i)) for i, item in enumerate(value))

        steps.append(items)
    return (*steps, *scalars.length_steps(raw))


def _object_steps(raw: Mapping[str, Json], correlation: Correlation, level: int) -> tuple[Step, ...]:
    least, most = raw.get("minProperties"), raw.get("maxProperties")
    properties, extra = raw.get("properties") or {}, raw.get("additionalProperties")
    extra_check = compile_checks(extra) if isinstance(extra, dict) else None
    checks: LazyMapping[str, Check | None] = LazyMapping(
        lambda name: _part(properties[name], level + 1) if name in properties else extra_check
    )
    needed = tuple(raw.get("required") or ())

    def step(value: dict[str, Json], path: str, errors: Errors, old: Json) -> int:
        # Too few or too many properties end the check: the library does not look at the members then.
        if least is not None and len(value) < least:
            errors.append(scalars.invalid_value(path, len(value), f"should have at least {least} properties"))
            return 0
        if most is not None and len(value) > most:
            errors.append(too_many(path or "<nil>", len(value), most))
            return 0
        passed, prefix = 0, path and path + "."
        for name, child in value.items():
            check = checks[name] if name in properties else extra_check
            if check is not None:
                passed += check(child, prefix + name, errors, correlation.member(old, name))
        if needed:
            # A list of required names is as long as its author likes.
            spend("alternatives of schemas", len(needed))
            errors.extend(required(prefix + name) for name in needed if name not in value)
        return passed

    return (step,) if properties or extra_check or needed or least is not None or most is not None else ()
