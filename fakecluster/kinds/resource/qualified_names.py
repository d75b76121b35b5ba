"""Names of drivers, pools, attributes and capacities of devices (FK-504)."""

from __future__ import annotations

import re

from ...meta import names
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors

DRIVER_LIMIT_BYTES = 63
IDENTIFIER_LIMIT_BYTES = 32
POOL_LIMIT_BYTES = 253
QUALIFIED_LIMIT_BYTES = DRIVER_LIMIT_BYTES + 1 + IDENTIFIER_LIMIT_BYTES
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
IDENTIFIER_TEXT = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' "
    "(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"
)
NOT_FULLY_QUALIFIED = "a fully qualified name must be a domain and a name separated by a slash"


def driver(name: str, path: str) -> Errors:
    """Judge the name of a driver, which may have capital letters."""
    if not name:
        yield fields.required(path)
        return
    if len(name.encode()) > DRIVER_LIMIT_BYTES:
        yield fields.too_long(path, DRIVER_LIMIT_BYTES)
    for problem in basics.dns_subdomain(name.lower()):
        yield fields.invalid(path, name, problem)


def pool(name: str, path: str) -> Errors:
    """Judge the name of a pool: subdomains with slashes between them."""
    if not name:
        yield fields.required(path)
        return
    if len(name.encode()) > POOL_LIMIT_BYTES:
        yield fields.too_long(path, POOL_LIMIT_BYTES)
    for segment in name.split("/"):
        for problem in basics.dns_subdomain(segment):
            yield fields.invalid(path, segment, problem)


def label(name: str, path: str) -> Errors:
    """Judge the name of a device, a request or a set of counters."""
    for problem in names.label_problems(name):
        yield fields.invalid(path, name, problem)


def nonempty_label(name: str, path: str) -> Errors:
    """Judge a name that is said to be missing when it is empty."""
    yield from basics.judge_name(name, path, names.label_problems)


def judge(name: str, path: str) -> Errors:
    """Judge a name with or without a domain; the real server accepts all that has more than one slash."""
    segments = name.split("/")
    if len(segments) > 2:
        return
    if len(segments) == 2:
        if segments[0]:
            yield from driver(segments[0], path)
        else:
            yield fields.invalid(path, "", "the domain must not be empty")
        if not segments[1]:
            yield fields.invalid(path, "", "the name must not be empty")
            return
    yield from _identifier(segments[-1], path)


def fully_qualified_name(name: str, path: str) -> Errors:
    """Judge a name that must have a domain."""
    yield from judge(name, path)
    if "/" not in name:
        yield fields.invalid(path, name, NOT_FULLY_QUALIFIED)


def _identifier(name: str, path: str) -> Errors:
    if len(name.encode()) > IDENTIFIER_LIMIT_BYTES:
        yield fields.too_long(path, IDENTIFIER_LIMIT_BYTES)
    if not IDENTIFIER.fullmatch(name):
        yield fields.invalid(path, name, IDENTIFIER_TEXT)
