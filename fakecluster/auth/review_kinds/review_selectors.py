"""The selectors that an access review may name: judged, and reported when they cannot be read (FK-402).

Rules of roles do not look at selectors, so what they say changes no decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...base.json_types import Json
from ...kinds.validation import basics
from ...meta import labels
from ...registry.selection import labelparser
from ...schema import fields
from ...schema.fields import FieldError

SELECTORS = ("fieldSelector", "labelSelector")
RESOURCE_ATTRIBUTES = "spec.resourceAttributes"
OPERATORS_WITH_VALUES, OPERATORS_WITHOUT_VALUES = ("In", "NotIn"), ("Exists", "DoesNotExist")


def problems(attributes: Json) -> Iterator[FieldError]:
    """Yield the problems of the selectors of resource attributes."""
    for name in SELECTORS:
        selector = (attributes or {}).get(name)
        if selector is not None:
            yield from _problems(selector, f"{RESOURCE_ATTRIBUTES}.{name}", name == "labelSelector")


def describe_ignored(attributes: Json) -> str:
    """Return the text about selectors that cannot be read; empty when all can."""
    readable = {"fieldSelector": _field_read, "labelSelector": _label_read}
    texts = []
    for name in SELECTORS:
        selector = (attributes or {}).get(name)
        count = _unread(selector, readable[name], name) if selector else (0, 0)
        if count[0]:
            partly = "partially " if count[1] > count[0] else ""
            texts.append(f"{RESOURCE_ATTRIBUTES}.{name} {partly}ignored due to parse error")
    return "; ".join(texts)


def _problems(selector: Json, path: str, of_labels: bool) -> Iterator[FieldError]:
    raw, requirements = selector.get("rawSelector") or "", selector.get("requirements") or ()
    if raw and requirements:
        yield fields.invalid(f"{path}.rawSelector", raw, "may not specified at the same time as requirements")
    if not raw and not requirements:
        why = f"when {path} is specified, requirements or rawSelector is required"
        yield fields.required(f"{path}.requirements", why)
    for number, requirement in enumerate(requirements):
        yield from _requirement(requirement, f"{path}.requirements[{number}]", of_labels)


def _requirement(requirement: Json, path: str, of_labels: bool) -> Iterator[FieldError]:
    operator, values = requirement.get("operator", ""), requirement.get("values") or ()
    if operator in OPERATORS_WITH_VALUES and not values:
        yield fields.required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    if operator in OPERATORS_WITHOUT_VALUES and values:
        why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
        yield fields.forbidden(f"{path}.values", why)
    if not of_labels:
        if not requirement.get("key"):
            yield fields.required(f"{path}.key", "must be specified")
        # Values of fields are free texts; those of labels have a form.
        return
    yield from basics.label_key(requirement.get("key", ""), f"{path}.key")
    for number, value in enumerate(values):
        for problem in labels.value_problems(value):
            yield fields.invalid(f"{path}.values[{number}]", value, problem)


def _unread(selector: Json, readable: Callable[[Json], bool], name: str) -> tuple[int, int]:
    """Return how many requirements cannot be read, and how many there are."""
    requirements = selector.get("requirements") or ()
    if requirements:
        return sum(not readable(requirement) for requirement in requirements), len(requirements)
    # A raw selector counts as one requirement.
    return int(not _PARSES[name](selector.get("rawSelector") or "")), 1


def _field_read(requirement: Json) -> bool:
    return requirement.get("operator") in OPERATORS_WITH_VALUES and len(requirement.get("values") or ()) == 1


def _label_read(requirement: Json) -> bool:
    return requirement.get("operator") in {*OPERATORS_WITH_VALUES, *OPERATORS_WITHOUT_VALUES}


def _fields_parse(text: str) -> bool:
    return all("=" in requirement for requirement in text.split(",") if requirement)


def _labels_parse(text: str) -> bool:
    try:
        labelparser.parse(text)
    except labelparser.LabelSelectorError:
        return False
    return True


_PARSES: Mapping[str, Callable[[str], bool]] = {
    "fieldSelector": _fields_parse,
    "labelSelector": _labels_parse,
}
