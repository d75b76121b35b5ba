"""What a claim on a volume asks for: in PersistentVolumeClaims and in templates of them (FK-498, FK-504)."""

from __future__ import annotations

from collections.abc import Sequence

from .....base.json_types import Json
from .....base.numbers.quantity import Quantity
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from ....validation.template_metadata import template_metadata

MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
READ_WRITE_ONCE_POD = "ReadWriteOncePod"
VOLUME_MODES = ("Block", "Filesystem")
CLAIM = "PersistentVolumeClaim"
REFERENCE = ("apiGroup", "kind", "name")


def spec(value: Json, path: str) -> Errors:
    """Judge the spec of a claim."""
    modes = value.get("accessModes") or []
    if not modes:
        # The order of the fields is the order of the causes in the answer.
        yield fields.required(f"{path}.accessModes", "at least 1 access mode is required")
    yield from basics.label_selector(value.get("selector"), f"{path}.selector")
    yield from access(modes, f"{path}.accessModes")
    requests = (value.get("resources") or {}).get("requests") or {}
    yield from storage(requests.get("storage"), f"{path}.resources[storage]")
    yield from class_name(value, path, "storageClassName")
    yield from basics.optional_choice(value.get("volumeMode"), f"{path}.volumeMode", VOLUME_MODES)
    for name in ("dataSource", "dataSourceRef"):
        if value.get(name) is not None:
            yield from _source(value[name], f"{path}.{name}")
    yield from _alike(value.get("dataSource"), value.get("dataSourceRef"), path)
    yield from class_name(value, path, "volumeAttributesClassName")


def template(value: Json, path: str) -> Errors:
    """Judge the template of a claim, whose metadata are labels and annotations alone."""
    yield from template_metadata(value.get("metadata") or {}, f"{path}.metadata")
    yield from spec(value.get("spec") or {}, f"{path}.spec")


def access(modes: Sequence[str], path: str) -> Errors:
    """Judge how a volume may be mounted."""
    for mode in modes:
        # Each mode is judged at the path of the list: the real validation does not count them.
        yield from basics.optional_choice(mode, path, MODES)
    # A mode that is unknown has an error of its own and does not count as another one.
    if READ_WRITE_ONCE_POD in modes and any(mode in MODES and mode != READ_WRITE_ONCE_POD for mode in modes):
        yield fields.forbidden(path, "may not use ReadWriteOncePod with other access modes")


def storage(amount: str | None, path: str) -> Errors:
    """Judge the storage request of a claim."""
    if amount is None:
        yield fields.required(path)
    elif Quantity.of(amount).amount <= 0:
        yield fields.invalid(path, amount, "must be greater than zero")


def class_name(value: Json, path: str, member: str) -> Errors:
    """Judge the name of a class in a member of a spec."""
    yield from basics.optional_name(value.get(member), f"{path}.{member}", basics.dns_subdomain)


def _source(value: Json, path: str) -> Errors:
    for name in ("name", "kind"):
        if not value.get(name):
            yield fields.required(f"{path}.{name}")
    group = value.get("apiGroup") or ""
    # Only claims are sources without a group; volume snapshots and the like need theirs.
    if not group and value.get("kind", "") != CLAIM:
        why = f"must be '{CLAIM}' when referencing the default apiGroup"
        yield fields.invalid(path, value.get("kind", ""), why)
    yield from basics.optional_name(group, f"{path}.apiGroup", basics.dns_subdomain)
    yield from basics.optional_name(value.get("namespace"), f"{path}.namespace", basics.dns_label)


def _alike(source: Json, reference: Json, path: str) -> Errors:
    """Judge that both ways to name a source name the same; messages show the path as an empty struct."""
    if source is None or reference is None:
        return
    if reference.get("namespace"):
        # A namespace is asked of `dataSourceRef` alone, so two sources cannot match then.
        yield fields.invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified")
    elif any(source.get(name) != reference.get(name) for name in REFERENCE):
        yield fields.invalid(path, {}, "must match dataSourceRef")
