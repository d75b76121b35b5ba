"""Small rules that many fields share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...base.json_types import Json
from ...meta import labels, names
from ...schema import fields
from ...schema.fields import FieldError

Errors = Iterator[FieldError]
Problems = Callable[[str], Sequence[str]]
PORT_RANGE = "must be between 1 and 65535, inclusive"
PORT_NAME = re.compile(r"[-a-z0-9]+")
INT32_MAX = 2**31 - 1
PATH = re.compile(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")
MANAGER_LIMIT = 63


def judge_name(value: str, path: str, problems: Problems) -> Errors:
    """Judge a name that must be there."""
    if not value:
        yield fields.required(path)
        return
    for problem in problems(value):
        yield fields.invalid(path, value, problem)


def optional_name(value: str | None, path: str, problems: Problems) -> Errors:
    """Judge a name that may be missing."""
    for problem in problems(value) if value else ():
        yield fields.invalid(path, value, problem)


def nonempty_name(value: str | None, path: str, problems: Problems) -> Errors:
    """Judge a name that may be missing, but not empty."""
    for problem in problems(value) if value is not None else ():
        yield fields.invalid(path, value, problem)


def choice(value: str | None, path: str, allowed: Sequence[str]) -> Errors:
    """Judge a word of a closed list that must be there."""
    if not value:
        yield fields.required(path)
    elif value not in allowed:
        yield fields.not_supported(path, value, list(allowed))


def domain_path(value: str, path: str) -> Errors:
    """Judge a domain with a path behind it."""
    domain, _, rest = value.partition("/")
    if not domain or not rest:
        yield fields.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    for problem in names.subdomain_problems(domain):
        yield fields.invalid(path, domain, problem)
    if not PATH.fullmatch(rest):
        yield fields.invalid(path, rest, f"Invalid path (regex used for validation is '{PATH.pattern}')")


def judge_manager(value: str | None, path: str) -> Errors:
    """Judge the name in managedBy: a domain and a path."""
    if value is None:
        return
    if not value:
        yield fields.required(path)
        return
    yield from domain_path(value, path)
    if len(value) > MANAGER_LIMIT:
        yield fields.too_long(path, MANAGER_LIMIT)


def invalid_whole(path: str, detail: str) -> FieldError:
    """A value is not allowed, and the message does not show it."""
    return FieldError("FieldValueInvalid", path, f"Invalid value: {detail}")


def optional_choice(value: str | None, path: str, allowed: Sequence[str]) -> Errors:
    """Judge a word of a closed list that may be missing."""
    if value is not None and value not in allowed:
        yield fields.not_supported(path, value, list(allowed))


def not_negative(value: int | None, path: str) -> Errors:
    """Judge a number that may be zero."""
    if value is not None and value < 0:
        yield fields.invalid(path, value, "must be greater than or equal to 0")


def positive(value: int | None, path: str, detail: str = "must be greater than 0") -> Errors:
    """Judge a number that may not be zero."""
    if value is not None and value <= 0:
        yield fields.invalid(path, value, detail)


def at_most(value: int | None, path: str, limit: int) -> Errors:
    """Judge a number with an upper limit."""
    if value is not None and value > limit:
        yield fields.invalid(path, value, f"must be less than or equal to {limit}")


def port(value: int, path: str) -> Errors:
    """Judge a port number."""
    if not 1 <= value <= 65535:
        yield fields.invalid(path, value, PORT_RANGE)


def port_or_name(value: Json, path: str) -> Errors:
    """Judge a port given as number or name."""
    if isinstance(value, str):
        yield from optional_name(value or " ", path, port_name_problems)
    else:
        yield from port(value, path)


def port_name_problems(value: str) -> list[str]:
    """Judge a port's name."""
    rules = (
        (len(value) <= 15, "must be no more than 15 characters"),
        (
            bool(PORT_NAME.fullmatch(value)),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        ),
        (bool(re.search("[a-z]", value)), "must contain at least one letter (a-z)"),
        ("--" not in value, "must not contain consecutive hyphens"),
        (not value.startswith("-") and not value.endswith("-"), "must not begin or end with a hyphen"),
    )
    return [text for holds, text in rules if not holds]


def unique(values: Iterable[str], path: str, member: str = "") -> Errors:
    """Judge that values differ; the path of a repeated one is its index and member."""
    names: set[str] = set()
    for number, value in enumerate(values):
        if value in names:
            yield fields.duplicate(f"{path}[{number}]{member}", value)
        names.add(value)


def label_map(values: dict[str, str] | None, path: str) -> Errors:
    """Judge labels."""
    for key, value in sorted((values or {}).items()):
        for problem in labels.key_problems(key):
            yield fields.invalid(path, key, problem)
        for problem in labels.value_problems(value):
            yield fields.invalid(path, value, problem)


def label_key(value: str, path: str) -> Errors:
    """Judge the key of a label."""
    for problem in labels.key_problems(value):
        yield fields.invalid(path, value, problem)


def immutable(new: Json, old: Json, path: str, detail: str = "field is immutable") -> Errors:
    """Judge that a value stays."""
    if new != old:
        yield fields.invalid(path, new, detail)


def label_selector(selector: Json, path: str) -> Errors:
    """Judge a label selector."""
    if not selector:
        return
    yield from label_map(selector.get("matchLabels"), f"{path}.matchLabels")
    for number, expression in enumerate(selector.get("matchExpressions") or ()):
        yield from requirement(expression, f"{path}.matchExpressions[{number}]")


def requirement(expression: Json, path: str, *, compares: bool = False, any_value: bool = False) -> Errors:
    """Judge a requirement on a label; one that `compares` may ask for more or less than a number, and one of
    `any_value` for values that no label has.
    """
    operator, values = expression.get("operator", ""), expression.get("values") or []
    if operator in {"In", "NotIn"}:
        if not values:
            yield fields.required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in {"Exists", "DoesNotExist"}:
        if values:
            yield fields.forbidden(
                f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            )
    elif compares and operator in {"Gt", "Lt"}:
        if len(values) != 1:
            yield fields.required(
                f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'"
            )
    else:
        yield fields.invalid(f"{path}.operator", operator, "not a valid selector operator")
    yield from label_key(expression.get("key", ""), f"{path}.key")
    for number, value in enumerate(() if any_value else values):
        for problem in labels.value_problems(value):
            yield fields.invalid(f"{path}.values[{number}]", value, problem)


def matches(selector: Json, labels: dict[str, str]) -> bool:
    """Tell whether labels match a selector; an absent selector matches nothing."""
    if selector is None:
        return False
    match_labels = selector.get("matchLabels") or {}
    expressions = selector.get("matchExpressions") or ()
    return all(labels.get(key) == value for key, value in match_labels.items()) and all(
        _holds(expression, labels) for expression in expressions
    )


def _holds(expression: Json, labels: dict[str, str]) -> bool:
    value, values = labels.get(expression["key"]), expression.get("values") or []
    return {
        "In": value is not None and value in values,
        "NotIn": value is None or value not in values,
        "Exists": value is not None,
        "DoesNotExist": value is None,
    }.get(expression["operator"], False)


dns_label = names.label_problems
dns_subdomain = names.subdomain_problems
