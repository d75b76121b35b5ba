"""Requests of a claim for devices (FK-504)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from operator import methodcaller

from ...base.json_types import Json
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from . import qualified_names, taints
from .bounded_collections import judge_list, judge_set

MOST_REQUESTS = MOST_SELECTORS = 32
MOST_ALTERNATIVES = 8
ONE_TYPE = "exactly one of `exactly` or `firstAvailable` is required"
NOT_A_REQUEST = (
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
)
MODES = ("All", "ExactCount")
by_name = methodcaller("get", "name", "")


def request_names(requests: list[Json]) -> set[str]:
    """Return how other members of a claim may refer to its requests."""
    return {by_name(request) for request in requests} | {
        f"{by_name(request)}/{by_name(alternative)}"
        for request in requests
        for alternative in request.get("firstAvailable") or ()
    }


def references(values: list[Json] | None, path: str, names: Collection[str]) -> Errors:
    """Judge names that refer to requests, each of them once."""
    yield from judge_set(values, MOST_REQUESTS, path, partial(reference, names=names))


def reference(name: str, path: str, names: Collection[str]) -> Errors:
    """Judge a name that refers to a request, or to an alternative of one."""
    segments = name.split("/")
    for segment in segments if len(segments) <= 2 else ():
        yield from qualified_names.label(segment, path)
    if name not in names:
        yield fields.invalid(path, name, NOT_A_REQUEST)


def requests(values: list[Json] | None, path: str) -> Errors:
    """Judge all requests of a claim."""
    yield from judge_set(values, MOST_REQUESTS, path, _request, by_name)


def selectors(values: list[Json] | None, path: str) -> Errors:
    """Judge selectors of devices."""
    yield from judge_list(values, MOST_SELECTORS, path, _selector)


def _request(value: Json, path: str) -> Errors:
    exact, alternatives = value.get("exactly"), value.get("firstAvailable")
    yield from qualified_names.label(by_name(value), f"{path}.name")
    if exact is None and not alternatives:
        yield fields.required(path, ONE_TYPE)
    elif exact is not None and alternatives:
        yield fields.invalid(path, None, f"{ONE_TYPE}, but multiple fields are set")
    elif exact is not None:
        yield from _devices(exact, f"{path}.exactly")
    else:
        inner_path = f"{path}.firstAvailable"
        yield from judge_set(alternatives, MOST_ALTERNATIVES, inner_path, _alternative, by_name)


def _alternative(value: Json, path: str) -> Errors:
    yield from qualified_names.label(by_name(value), f"{path}.name")
    yield from _devices(value, path)


def _devices(value: Json, path: str) -> Errors:
    name = value.get("deviceClassName", "")
    yield from basics.judge_name(name, f"{path}.deviceClassName", basics.dns_subdomain)
    yield from selectors(value.get("selectors"), f"{path}.selectors")
    mode, count = value.get("allocationMode", "ExactCount"), value.get("count", 0)
    if mode == "All" and count:
        yield fields.invalid(f"{path}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount":
        yield from basics.positive(count, f"{path}.count", "must be greater than zero")
    yield from basics.optional_choice(mode, f"{path}.allocationMode", MODES)
    for number, toleration in enumerate(value.get("tolerations") or ()):
        yield from taints.toleration(toleration, f"{path}.tolerations[{number}]")


def _selector(value: Json, path: str) -> Errors:
    from ...schema.cel import devices  # few clusters have any

    if value.get("cel") is None:
        yield fields.required(f"{path}.cel")
    elif problem := devices.problem(value["cel"].get("expression", ""), f"{path}.cel.expression"):
        yield problem
