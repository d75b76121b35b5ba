"""Label and field selectors of a request: parsed once,
then asked of every object (FK-133, FK-134, FK-135).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from ...api import status
from ...api.kind import Kind
from ...api.outcome import Request
from ...base.json_types import Json
from ...base.work_budget import spend
from ...schema.fields import go_quote
from . import field_terms, labelparser
from .field_terms import Term
from .labelparser import Requirement

COMMON_FIELDS = frozenset({"metadata.name", "metadata.namespace"})
MAX_TERMS, FREE_TERMS = 20_000, 50
"""Terms and values of the selectors of a request; how many of them need not be counted."""
RESOURCE_SLICES = ("resource.k8s.io", "resourceslices")
NAME_ONLY = frozenset({"metadata.name"})
OWN_CONVERSION = frozenset(
    {
        *(
            ("", name)
            for name in (
                "pods",
                "secrets",
                "events",
                "namespaces",
                "nodes",
                "services",
                "replicationcontrollers",
            )
        ),
        ("events.k8s.io", "events"),
        ("certificates.k8s.io", "certificatesigningrequests"),
        RESOURCE_SLICES,
    }
)
"""Kinds that word the refusal of a field label themselves (FK-134)."""


class Selection(Struct, frozen=True):
    """What a list, a watch or a deletecollection is restricted to."""

    labels: tuple[Requirement, ...] = ()
    fields: tuple[Requirement, ...] = ()
    readers: Mapping[str, Callable[[Json], str]] = field(default_factory=dict)

    @property
    def everything(self) -> bool:
        """Whether nothing is excluded."""
        return not self.labels and not self.fields

    def matches(self, obj: Json) -> bool:
        """Whether the object is selected. Raises TooMuchWork."""
        # Many terms times many objects are work that the request has to pay for.
        terms = len(self.labels) + len(self.fields)
        if terms > FREE_TERMS:
            spend("terms of selectors", terms)
        labels = obj["metadata"].get("labels") or {}
        return all(requirement.matches(labels) for requirement in self.labels) and all(
            requirement.matches({requirement.key: self._field(obj, requirement.key)})
            for requirement in self.fields
        )

    def value_of(self, key: str) -> str:
        """Return the value that the fields want for a key, empty when they want none."""
        return next(
            (
                min(requirement.values)
                for requirement in self.fields
                if requirement.key == key and requirement.operator == "in"
            ),
            "",
        )

    def names(self, name: str) -> bool:
        """Whether the fields, if there are any, let exactly this name through."""
        name_requirements = [
            requirement
            for requirement in self.fields
            if requirement.key == "metadata.name" and requirement.operator == "in"
        ]
        return not self.fields or (bool(name_requirements) and name_requirements[0].values == {name})

    def _field(self, obj: Json, key: str) -> str:
        if key in COMMON_FIELDS:
            return str(obj["metadata"].get(key.removeprefix("metadata."), ""))
        return self.readers[key](obj)


EVERYTHING = Selection()


def of(request: Request, kind: Kind) -> Selection:
    """Return the selection a request asks for. Raises 400, 413."""
    labels, fields = request.option("labelSelector"), request.option("fieldSelector")
    if not labels and not fields:
        return EVERYTHING
    # Before they are parsed, which takes time for each term.
    if (labels or "").count(",") + (fields or "").count(",") > MAX_TERMS:
        raise status.too_large(f"limit is {MAX_TERMS} terms of a selector")
    try:
        label_requirements = labelparser.parse(labels or "")
    except labelparser.LabelSelectorError as error:
        raise status.bad_request(str(error)) from error
    return Selection(
        labels=label_requirements,
        fields=parse_fields(fields or "", kind),
        readers=kind.presentation.selectable,
    )


def parse_fields(text: str, kind: Kind) -> tuple[Requirement, ...]:
    """Parse a field selector against the kind's fields. Raises 400 (FK-134)."""
    try:
        terms = field_terms.parse(text)
    except field_terms.FieldSelectorError as error:
        raise status.bad_request(str(error)) from error
    # An empty term, such as of `=`, is no condition.
    requirements = [requirement for term in terms if not (requirement := _requirement(term)).empty]
    for requirement in requirements:
        if requirement.key not in _common(kind) and requirement.key not in kind.presentation.selectable:
            raise status.bad_request(_unknown_field(requirement.key, kind))
    return tuple(requirements)


def _common(kind: Kind) -> frozenset[str]:
    """Return the fields by which every kind can be selected; messages of refusals leave the namespace out for
    kinds without one (FK-134).
    """
    return COMMON_FIELDS if kind.namespaced or not _words_refusals(kind) else NAME_ONLY


def _words_refusals(kind: Kind) -> bool:
    return kind.custom or (kind.group, kind.plural) in OWN_CONVERSION


def _requirement(term: Term) -> Requirement:
    return Requirement(term.key, "notin" if term.negated else "in", frozenset({term.value}))


# Each source of the refusal has words of its own (FK-134).
def _unknown_field(key: str, kind: Kind) -> str:
    if (kind.group, kind.plural) == RESOURCE_SLICES:
        return f"field label not supported for {kind.api_version}, Kind={kind.kind}: {key}"
    if _words_refusals(kind):
        return f"field label not supported: {key}"
    if kind.presentation.selectable:
        return f"field label {go_quote(key)} not supported for {kind.kind}"
    return f'{go_quote(key)} is not a known field selector: only "metadata.name", "metadata.namespace"'
