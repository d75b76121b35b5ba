"""Is an object's metadata allowed (FK-064…FK-071, FK-104, FK-108)."""

from __future__ import annotations

from ..api.kind import Kind
from ..api.options import manager_errors
from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError
from . import finalizers, labels, names, ownerrefs, validation_rounds

ANNOTATIONS_LIMIT = 262_144
SUBRESOURCE_LIMIT = 256
NEGATIVE = "must be greater than or equal to 0"
IMMUTABLE = (
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)


def of_new(metadata: Json, kind: Kind) -> list[FieldError]:
    """Judge the metadata of a new object."""
    rule = names.RULES[kind.strategy.name_rule]
    base, name = metadata.get("generateName"), metadata.get("name")
    problems = (
        [fields.invalid("metadata.generateName", base, why) for why in rule(names.as_prefix(base))]
        if base
        else []
    )
    if name:
        problems += [fields.invalid("metadata.name", name, why) for why in rule(name)]
    else:
        problems.append(fields.required("metadata.name", "name or generateName is required"))
    if (generation := metadata.get("generation") or 0) < 0:
        problems.append(fields.invalid("metadata.generation", generation, NEGATIVE))
    return [*problems, *content_errors(metadata, strict=validation_rounds.strict_finalizers(kind))]


def of_update(new: Json, old: Json, kind: Kind, *, of_status: bool = False) -> list[FieldError]:
    """Judge the metadata that shall replace another:
    once for all kinds, and once more by the kind's own rules.
    """
    metadata, names = new["metadata"], finalizers.of(new)
    maps, standard = _maps(metadata), finalizers.standard_errors(names)
    named, owners = [*maps, *finalizers.errors(names)], _owners(metadata.get("managedFields") or [])
    # The real server validates metadata in the common strategy and again in many kinds, and lists the
    # errors twice.
    errors_by_round = {
        validation_rounds.CHANGE: [*_of_change(new, old), *maps],
        validation_rounds.FINALIZERS: standard,
        validation_rounds.CONTENTS: [*named, *owners],
        validation_rounds.STRICTLY: [*named, *standard, *owners],
    }
    rounds = (
        validation_rounds.CONTENTS,
        validation_rounds.CHANGE,
        *validation_rounds.rounds_of(kind, of_status=of_status),
    )
    return [error for judged in rounds for error in errors_by_round[judged]]


def _of_change(new: Json, old: Json) -> list[FieldError]:
    metadata = new["metadata"]
    changed = [
        fields.invalid(f"metadata.{member}", metadata.get(member, ""), "field is immutable")
        for member in IMMUTABLE
        if metadata.get(member) != old["metadata"].get(member)
    ]
    return [*finalizers.late_errors(new, old), *changed]


def content_errors(metadata: Json, *, strict: bool) -> list[FieldError]:
    """Judge labels, annotations, owners and finalizers; `strict` insists on qualified finalizers."""
    names = metadata.get("finalizers") or []
    return [
        *_maps(metadata),
        *finalizers.errors(names),
        *(finalizers.standard_errors(names) if strict else ()),
        *_owners(metadata.get("managedFields") or []),
    ]


def _owners(entries: list[Json]) -> list[FieldError]:
    """Judge the names in managedFields; entries that make no sense never get here (FK-219)."""
    errors: list[FieldError] = []
    for index, entry in enumerate(entries):
        path = f"metadata.managedFields[{index}]"
        errors += manager_errors(entry.get("manager") or "", f"{path}.manager")
        if len((entry.get("subresource") or "").encode()) > SUBRESOURCE_LIMIT:
            errors.append(fields.too_long(f"{path}.subresource", SUBRESOURCE_LIMIT))
    return errors


def _maps(metadata: Json) -> list[FieldError]:
    return [
        *_labels(metadata.get("labels") or {}),
        *_annotations(metadata.get("annotations") or {}),
        *ownerrefs.errors(metadata.get("ownerReferences") or []),
    ]


def map_errors(member: str, values: dict[str, str]) -> list[FieldError]:
    """Judge labels or annotations alone."""
    return _labels(values) if member == "labels" else _annotations(values)


def _labels(values: dict[str, str]) -> list[FieldError]:
    path = "metadata.labels"
    errors: list[FieldError] = []
    for key, value in sorted(values.items()):
        errors += [fields.invalid(path, key, why) for why in labels.key_problems(key)]
        errors += [fields.invalid(path, value, why) for why in labels.value_problems(value)]
    return errors


def _annotations(values: dict[str, str]) -> list[FieldError]:
    path = "metadata.annotations"
    errors = [
        fields.invalid(path, key, why) for key in sorted(values) for why in labels.key_problems(key.lower())
    ]
    # The limit is for all annotations together, keys included.
    if sum(len(key.encode()) + len(value.encode()) for key, value in values.items()) > ANNOTATIONS_LIMIT:
        errors.append(fields.too_long(path, ANNOTATIONS_LIMIT))
    return errors
