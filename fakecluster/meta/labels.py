"""Label keys and values, annotation and finalizer names:
qualified names and their errors (FK-068, FK-069).
"""

from __future__ import annotations

import re

from ..base.caching import cache_short_texts
from .names import length_problem, subdomain_problems

NAME_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
VALUE_FORMAT = f"({NAME_FORMAT})?"
NAME_TEXT = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{NAME_FORMAT}')"
)
SHAPE_TEXT = (
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    f"character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{NAME_FORMAT}') with an optional "
    "DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    f"'{VALUE_FORMAT}')"
)


@cache_short_texts(4096)
def key_problems(key: str) -> tuple[str, ...]:
    """Judge a qualified name: an optional DNS prefix, a slash, a name."""
    segments = key.split("/")
    if len(segments) > 2:
        return (SHAPE_TEXT,)
    name = segments[-1]
    return (*(_prefix_problems(segments[0]) if len(segments) == 2 else ()), *_name_problems(name))


@cache_short_texts(4096)
def value_problems(value: str) -> tuple[str, ...]:
    """Judge a label's value."""
    problems = [length_problem(value, 63, "bytes")]
    if not re.fullmatch(VALUE_FORMAT, value):
        problems.append(VALUE_TEXT)
    return tuple(filter(None, problems))


def _prefix_problems(prefix: str) -> list[str]:
    if not prefix:
        return ["prefix part must be non-empty"]
    return [f"prefix part {problem}" for problem in subdomain_problems(prefix, "bytes")]


def _name_problems(name: str) -> list[str]:
    problems = [] if name else ["name part must be non-empty"]
    if too_long := length_problem(name, 63, "bytes"):
        problems.append(f"name part {too_long}")
    if not re.fullmatch(NAME_FORMAT, name):
        problems.append(f"name part {NAME_TEXT}")
    return problems
