"""PersistentVolumeClaims: rules, what may change, where a claim's content comes from (FK-498, FK-504)."""

from __future__ import annotations

from decimal import Decimal

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...gotypes.golang import to_go_struct
from ...meta import labels
from ...schema import fields
from ...schema.fields import FieldError
from ..specdiff import difference
from ..validation import basics
from ..validation.basics import Errors
from .pod.validation import claims, resources

DATA_SOURCE_KINDS = (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))
"""What the older field may name."""
IMMUTABLE = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
CLASS_PATH = "spec.volumeAttributesClassName"
CLASS_APPLIED = "update to {} is forbidden when status.currentVolumeAttributesClassName is not nil"
RESIZE_STATUSES = (
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
    "NodeResizePending",
)
REFERENCE = ("apiGroup", "kind", "name")


def with_both_sources(claim: Json) -> Json:
    """Return a new claim with both fields that name a source, when one of them is there."""
    return with_both_sources_on_update(claim, {"spec": {}})


def with_both_sources_on_update(after: Json, before: Json) -> Json:
    """Return an update of a claim with both fields that name a source, when one of them is there.

    Of a claim that has had no source, what no claim can be made from is dropped.
    """
    spec = after["spec"]
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    had_source, had_reference = (
        before["spec"].get(name) is not None for name in ("dataSource", "dataSourceRef")
    )
    # A source in another namespace is a feature that is off: such a reference is dropped.
    if reference is not None and reference.get("namespace") and not had_reference:
        reference = None
    # The older field takes only what a claim can be made from.
    if not had_source and reference is None and not _is_known(source):
        source = None
    if reference is None:
        reference = source
    elif source is None and not reference.get("namespace"):
        # Both fields are filled from each other, the older one without a namespace.
        source = {name: reference[name] for name in REFERENCE if name in reference}
    rest = {name: value for name, value in spec.items() if name not in {"dataSource", "dataSourceRef"}}
    both = {"dataSource": source, "dataSourceRef": reference}
    return {**after, "spec": {**rest, **{name: value for name, value in both.items() if value is not None}}}


def _is_known(source: Json) -> bool:
    return source is not None and (source.get("apiGroup") or "", source.get("kind")) in DATA_SOURCE_KINDS


def claim(obj: Json) -> list[FieldError]:
    """Judge a PersistentVolumeClaim."""
    return list(claims.spec(obj["spec"], "spec"))


def same_claim(after: Json, before: Json) -> list[FieldError]:
    """Judge the changes of a claim: volume and class change once, the size while the claim is bound."""
    new, old = after["spec"], before["spec"]
    return [
        *_same_spec(new, old, bound=after.get("status", {}).get("phase") == "Bound"),
        *_not_smaller(new, old, before.get("status", {})),
        *basics.immutable(new.get("volumeMode"), old.get("volumeMode"), "volumeMode"),
        *_current_class(new, old, before.get("status", {})),
    ]


def _same_spec(new: Json, old: Json, *, bound: bool) -> Errors:
    # A volume or a class may be set once.
    if not old.get("volumeName") and new.get("volumeName"):
        old = {**old, "volumeName": new["volumeName"]}
    if old.get("storageClassName") is None and new.get("storageClassName") is not None:
        old = {**old, "storageClassName": new["storageClassName"]}
    go_spec = new
    if bound:
        # The size of a bound claim may change, so it is taken from the old one for the comparison.
        go_spec = _with_size(new, (old.get("resources") or {}).get("requests", {}).get("storage"))
        go_spec = {name: value for name, value in go_spec.items() if name != "volumeAttributesClassName"}
        go_spec |= {name: old[name] for name in ("volumeAttributesClassName",) if name in old}
    if go_spec != old:
        diff = difference(
            *(to_go_struct("core.v1.PersistentVolumeClaimSpec", spec) for spec in (old, go_spec))
        )
        yield fields.forbidden("spec", f"{IMMUTABLE}\n{diff}")


def _with_size(spec: Json, size: str | None) -> Json:
    requests = (spec.get("resources") or {}).get("requests")
    if requests is None or size is None:
        return spec
    return {**spec, "resources": {**spec["resources"], "requests": {**requests, "storage": size}}}


def _not_smaller(new: Json, old: Json, status: Json) -> Errors:
    """Judge that a claim shrinks only to what it has got more than."""
    after, before = (_amount((spec.get("resources") or {}).get("requests")) for spec in (new, old))
    # Shrinking is allowed only to a size above what has been provisioned.
    if after < before and after <= _amount(status.get("capacity")):
        why = "field can not be less than status.capacity"
        yield fields.forbidden("spec.resources.requests.storage", why)


def _amount(amounts: Json) -> Decimal:
    return Quantity.of((amounts or {}).get("storage", "0")).amount


def _current_class(new: Json, old: Json, status: Json) -> Errors:
    name = new.get("volumeAttributesClassName")
    if name == old.get("volumeAttributesClassName") or status.get("currentVolumeAttributesClassName") is None:
        return
    # nil and the empty text are told apart.
    if not name:
        yield fields.forbidden(CLASS_PATH, CLASS_APPLIED.format("nil" if name is None else "empty string"))


def status(after: Json, before: Json) -> list[FieldError]:
    """Judge a claim's status: what it has got, and how far its growth is."""
    del before
    status, path = after.get("status", {}), "status.allocatedResourceStatuses"
    return [
        *_quantities(status.get("capacity"), "status.capacity"),
        *(
            error
            for name, word in sorted((status.get("allocatedResourceStatuses") or {}).items())
            for error in (*_resource(name, path), *_resize(name, word, path))
        ),
        *_resource_allocation(status.get("allocatedResources") or {}, "status.allocatedResources"),
    ]


def _quantities(amounts: Json, path: str) -> Errors:
    for name, amount in (amounts or {}).items():
        if Quantity.of(amount).amount < 0:
            yield resources.negative_amount(amount, f"{path}[{name}]")


def _resize(name: str, word: str, path: str) -> Errors:
    if word not in RESIZE_STATUSES:
        # The message shows the resource where the word is wrong.
        yield fields.not_supported(path, name, sorted(RESIZE_STATUSES))


def _resource(name: str, path: str) -> Errors:
    problems = labels.key_problems(name)
    for problem in problems:
        yield fields.invalid(path, name, problem)
    if not problems and resources.is_native(name) and name != "storage":
        yield fields.not_supported(path, name, ["storage"])


def _resource_allocation(amounts: Json, path: str) -> Errors:
    for name, amount in amounts.items():
        wrong = list(_resource(name, path))
        yield from wrong or _quantities({name: amount}, path)
