"""Validation of names, labels and selectors with Kubernetes' messages (AC-030, AC-036, AC-125, AC-163)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ...api.resource import Json
from .problems import Problem, forbidden, invalid, required, too_long

NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
SUBDOMAIN: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
HTTP_PATH: Final = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
LABEL_LENGTH, SUBDOMAIN_LENGTH, ANNOTATIONS_SIZE = 63, 253, 256 * 1024
PARTS: Final = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
NAME_TEXT: Final = (
    f"{PARTS} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{NAME}')"
)
VALUE_TEXT: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '({NAME})?')"
)
SUBDOMAIN_TEXT: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{SUBDOMAIN}')"
)
DOMAIN_PREFIXED: Final = 'must be a domain-prefixed path (such as "acme.io/foo")'
_NAME, _SUBDOMAIN, _PATH = (
    re.compile(rf"(?:{pattern})\Z", re.ASCII) for pattern in (NAME, SUBDOMAIN, HTTP_PATH)
)


def qualified_name(name: str) -> Iterator[str]:
    """Return the errors of a name that may have a domain in front."""
    prefix, slash, rest = name.partition("/")
    if "/" in rest:
        yield f"a valid label key {NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return
    if slash and not prefix:
        yield "prefix part must be non-empty"
    elif slash:
        yield from (f"prefix part {text}" for text in subdomain(prefix))
    local = rest if slash else prefix
    if not local:
        yield "name part must be non-empty"
    elif len(local) > LABEL_LENGTH:
        yield f"name part must be no more than {LABEL_LENGTH} bytes"
    if not _NAME.match(local):
        yield f"name part {NAME_TEXT}"


def label_value(value: str) -> Iterator[str]:
    """Return the errors of the value of a label."""
    if len(value) > LABEL_LENGTH:
        yield f"must be no more than {LABEL_LENGTH} bytes"
    if value and not _NAME.match(value):
        yield VALUE_TEXT


def subdomain(name: str) -> Iterator[str]:
    """Return the errors of the name of an object or a domain."""
    if len(name) > SUBDOMAIN_LENGTH:
        yield f"must be no more than {SUBDOMAIN_LENGTH} bytes"
    if not _SUBDOMAIN.match(name):
        yield SUBDOMAIN_TEXT


def label_name(name: str, path: str) -> Iterator[Problem]:
    """Judge the name of a label."""
    return (invalid(path, name, text) for text in qualified_name(name))


def labels(values: Mapping[str, str] | None, path: str) -> Iterator[Problem]:
    """Judge labels."""
    for name, value in sorted((values or {}).items()):
        yield from label_name(name, path)
        yield from (invalid(path, value, text) for text in label_value(value))


def annotation_names(values: Mapping[str, str] | None, path: str) -> Iterator[Problem]:
    """Judge annotations; upper case is as good as lower case in their names."""
    size = 0
    for name, value in sorted((values or {}).items()):
        yield from (invalid(path, name, text) for text in qualified_name(name.lower()))
        size += len(name) + len(value)
    if size > ANNOTATIONS_SIZE:
        yield too_long(path, ANNOTATIONS_SIZE)


def domain_prefixed(text: str, path: str) -> Iterator[Problem]:
    """Judge a name that must have a domain in front."""
    domain, _, rest = text.partition("/")
    if not domain or not rest:
        yield invalid(path, text, DOMAIN_PREFIXED)
        return
    yield from (invalid(path, domain, complaint) for complaint in subdomain(domain))
    if not _PATH.match(rest):
        yield invalid(path, rest, f"Invalid path (regex used for validation is '{HTTP_PATH}')")


def selector(value: Json, path: str) -> Iterator[Problem]:
    """Judge a label selector."""
    if not value:
        return
    yield from labels(value.get("matchLabels"), f"{path}.matchLabels")
    for index, requirement in enumerate(value.get("matchExpressions") or ()):
        yield from _requirement(requirement, f"{path}.matchExpressions[{index}]")


def _requirement(requirement: Json, path: str) -> Iterator[Problem]:
    operator, values = requirement.get("operator", ""), requirement.get("values") or ()
    if operator in {"In", "NotIn"}:
        if not values:
            yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in {"Exists", "DoesNotExist"}:
        if values:
            yield forbidden(
                f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            )
    else:
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    yield from label_name(requirement.get("key", ""), f"{path}.key")
    for index, value in enumerate(values):
        yield from (invalid(f"{path}.values[{index}]", value, text) for text in label_value(value))
