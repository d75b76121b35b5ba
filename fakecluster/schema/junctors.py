"""`anyOf`, `oneOf`, `allOf` and `not`, with the errors of the best alternative (FK-264).

The same error of several alternatives is told once, as every error of an object is (`CompiledSchema.values`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..base.json_types import Json
from ..base.work_budget import spend
from .correlate import NO_OLD_VALUE
from .fields import FieldError, invalid
from .scalars import Step

Check = Callable[..., int]
Compile = Callable[[Mapping[str, Json]], Check]


def steps(raw: Mapping[str, Json], compile_checks: Compile) -> Iterable[Step]:
    """Return one step for each junctor that a node has, in the order in which they are reported."""
    makers: tuple[tuple[str, Callable[[tuple[Check, ...]], Step]], ...] = (
        ("anyOf", _any_of),
        ("oneOf", _one_of),
        ("allOf", _all_of),
    )
    for name, make in makers:
        if raw.get(name):
            yield make(tuple(compile_checks(schema) for schema in raw[name]))
    if isinstance(raw.get("not"), dict):
        yield _not(compile_checks(raw["not"]))


def _composite(path: str, rule: str) -> FieldError:
    return invalid("<nil>", "", f'"{path}" must {rule}')


def _try(check: Check, value: Json, path: str) -> tuple[int, list[FieldError]]:
    spend("alternatives of schemas", 1)
    errors: list[FieldError] = []
    return check(value, path, errors, NO_OLD_VALUE), errors


def _any_of(alternatives: tuple[Check, ...]) -> Step:
    def step(value: Json, path: str, errors: list[FieldError], _: Json) -> int:
        failures = []
        for check in alternatives:
            passed, own_errors = _try(check, value, path)
            if not own_errors:
                return passed
            failures.append((passed, own_errors))
        return _report(errors, _composite(path, "validate at least one schema (anyOf)"), failures)

    return step


def _one_of(alternatives: tuple[Check, ...]) -> Step:
    def step(value: Json, path: str, errors: list[FieldError], _: Json) -> int:
        results = [_try(check, value, path) for check in alternatives]
        fitting = [passed for passed, own_errors in results if not own_errors]
        if len(fitting) == 1:
            return fitting[0]
        rule = "validate one and only one schema (oneOf). "
        if fitting:
            errors.append(_composite(path, f"{rule}Found {len(fitting)} valid alternatives"))
            return 0
        return _report(errors, _composite(path, f"{rule}Found none valid"), results)

    return step


def _report(
    errors: list[FieldError], summary: FieldError, failures: list[tuple[int, list[FieldError]]]
) -> int:
    passed, best = max(failures, key=lambda failure: failure[0])
    errors += [summary, *best]
    return passed


def _all_of(alternatives: tuple[Check, ...]) -> Step:
    def step(value: Json, path: str, errors: list[FieldError], _: Json) -> int:
        results = [_try(check, value, path) for check in alternatives]
        for _passed, own_errors in results:
            errors += own_errors
        fitting = sum(not own_errors for _passed, own_errors in results)
        if fitting < len(results):
            errors.append(
                _composite(path, "validate all the schemas (allOf)" + ("" if fitting else ". None validated"))
            )
        return sum(passed for passed, _errors in results)

    return step


def _not(forbidden: Check) -> Step:
    def step(value: Json, path: str, errors: list[FieldError], _: Json) -> int:
        if not _try(forbidden, value, path)[1]:
            errors.append(_composite(path, "not validate the schema (not)"))
        return 0

    return step
