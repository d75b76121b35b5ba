"""PersistentVolumes and the claims on them: rules, where a claim's content comes from, columns (FK-498,
FK-504).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...codec.cells import AGE, UNSET, column, member
from ...gotypes.golang import shown
from ...numbers.quantity import Quantity
from ...schema import fields
from ...schema.fields import FieldError
from ..specdiff import difference
from ..validation import basics
from ..validation.basics import Errors, Json
from .pod.validation import placement, volume_sources

KNOWN = (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))
"""What the older field may name."""
MEMBERS = ("apiGroup", "kind", "name")


def sourced(claim: Json) -> Json:
    """Return a new claim with both fields, when one of them is there."""
    spec = claim.get("spec") or {}
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    if source is not None and (source.get("apiGroup") or "", source.get("kind")) not in KNOWN:
        source = None
    if source is not None and reference is None:
        reference = source
    elif source is None and reference is not None and not reference.get("namespace"):
        source = {name: reference.get(name) for name in MEMBERS}
    rest = {name: value for name, value in spec.items() if name not in {"dataSource", "dataSourceRef"}}
    both = {"dataSource": source, "dataSourceRef": reference}
    return {**claim, "spec": {**rest, **{name: one for name, one in both.items() if one is not None}}}


CLAIM = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
ALONE = "ReadWriteOncePod"
VOLUME_MODES = ("Block", "Filesystem")
RECLAIM = ("Delete", "Recycle", "Retain")
NOT_SOURCES = frozenset({
    "capacity", "accessModes", "claimRef", "persistentVolumeReclaimPolicy", "storageClassName", "mountOptions", "volumeMode",
    "nodeAffinity", "volumeAttributesClassName",
})  # fmt: skip


def claim(obj: Json) -> list[FieldError]:
    """Judge a PersistentVolumeClaim."""
    spec = obj["spec"]
    return [
        *_modes(spec.get("accessModes") or [], "at least 1 access mode is required"),
        *basics.label_selector(spec.get("selector"), "spec.selector"),
        *_storage((spec.get("resources") or {}).get("requests", {}).get("storage"), "spec.resources[storage]"),
        *basics.optional_name(spec.get("storageClassName"), "spec.storageClassName", basics.dns_subdomain),
        *basics.optional_choice(spec.get("volumeMode"), "spec.volumeMode", VOLUME_MODES),
        *basics.optional_name(spec.get("volumeAttributesClassName"), "spec.volumeAttributesClassName", basics.dns_subdomain),
    ]  # fmt: skip


def _storage(amount: str | None, path: str) -> Errors:
    if amount is None:
        yield fields.required(path)
    elif Quantity.of(amount).amount <= 0:
        yield fields.invalid(path, amount, "must be greater than zero")


def same_claim(new: Json, old: Json) -> list[FieldError]:
    """Judge that a claim is unchanged; while it waits for a volume, one may be put in and a class filled
    in.
    """
    before = old["spec"]
    after = new["spec"]
    if not before.get("volumeName"):
        before = {**before, "volumeName": after.get("volumeName")} if after.get("volumeName") else before
        if not before.get("storageClassName") and after.get("storageClassName"):
            before = {**before, "storageClassName": after["storageClassName"]}
    if after == before:
        return []
    diff = difference(*(shown("core.v1.PersistentVolumeClaimSpec", one) for one in (before, after)))
    return [fields.forbidden("spec", f"{CLAIM}\n{diff}")]


def volume(obj: Json) -> list[FieldError]:
    """Judge a PersistentVolume."""
    spec = obj["spec"]
    capacity = spec.get("capacity")
    policy = spec.get("persistentVolumeReclaimPolicy")
    return [
        *_modes(spec.get("accessModes") or [], ""),
        *_capacity(capacity),
        *_sources(spec),
        *basics.optional_choice(policy, "spec.persistentVolumeReclaimPolicy", RECLAIM),
        *_recycling(spec, policy),
        *basics.optional_name(spec.get("storageClassName"), "spec.storageClassName", basics.dns_subdomain),
        *basics.optional_choice(spec.get("volumeMode"), "spec.volumeMode", VOLUME_MODES),
        *_affinity(spec.get("nodeAffinity")),
    ]


def _capacity(found: Json) -> Errors:
    if not found:
        yield fields.required("spec.capacity")
    if "storage" not in (found or {}):
        yield fields.not_supported("spec.capacity", found or {}, ["storage"])
    else:
        yield from _storage(found["storage"], "spec.capacity[storage]")


def _sources(spec: Json) -> Errors:
    given = [name for name in spec if name not in NOT_SOURCES]
    if not given:
        yield fields.required("spec", "must specify a volume type")
        return
    yield from volume_sources.inside(given[0], spec[given[0]], f"spec.{given[0]}", "")
    for name in given[1:]:
        yield fields.forbidden(f"spec.{name}", "may not specify more than 1 volume type")


def _recycling(spec: Json, policy: str | None) -> Errors:
    if policy == "Recycle" and (spec.get("hostPath") or {}).get("path") == "/":
        why = "may not be 'recycle' for a hostPath mount of '/'"
        yield fields.forbidden("spec.persistentVolumeReclaimPolicy", why)


def _affinity(value: Json) -> Errors:
    if value is None:
        return
    if value.get("required") is None:
        yield fields.required("spec.nodeAffinity.required", "must specify required node constraints")
    else:
        yield from placement.node_selector(value["required"], "spec.nodeAffinity.required")


def same_source(new: Json, old: Json) -> list[FieldError]:
    """Judge that a volume keeps its source and its mode; its policy is judged once more."""
    after, before = (
        {name: value for name, value in one["spec"].items() if name not in NOT_SOURCES} for one in (new, old)
    )
    told = "spec.persistentvolumesource"
    changed = []
    if after != before:
        diff = difference(*(shown("core.v1.PersistentVolumeSource", one) for one in (before, after)))
        changed = [fields.forbidden(told, f"{told} is immutable after creation\n{diff}")]
    policy = new["spec"].get("persistentVolumeReclaimPolicy")
    return [
        *basics.optional_choice(policy, "spec.persistentVolumeReclaimPolicy", RECLAIM),
        *changed,
        *basics.immutable(new["spec"].get("volumeMode"), old["spec"].get("volumeMode"), "volumeMode"),
    ]


def _modes(found: list[str], detail: str) -> Errors:
    if not found:
        yield fields.required("spec.accessModes", detail)
    for one in found:
        yield from basics.optional_choice(one, "spec.accessModes", MODES)
    if ALONE in found and len(found) > 1:
        yield fields.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes")


def _bound(cell: Callable[[Json], Json]) -> Callable[[Json], Json]:
    """Return a cell that is empty while a claim has no volume."""
    return lambda obj: cell(obj) if member("spec", "volumeName")(obj) else ""


CLAIM_COLUMNS = (
    column(
        "Status",
        lambda obj: (
            "Terminating" if "deletionTimestamp" in obj["metadata"] else member("status", "phase")(obj)
        ),
    ),
    column("Volume", member("spec", "volumeName")),
    column("Capacity", _bound(member("status", "capacity", "storage"))),
    column("Access Modes", _bound(lambda obj: ",".join(member("status", "accessModes", default=())(obj)))),
    column("StorageClass", member("spec", "storageClassName")),
    column("VolumeAttributesClass", member("spec", "volumeAttributesClassName", default=UNSET)),
    AGE,
    column("VolumeMode", member("spec", "volumeMode", default=UNSET), wide=True),
)
SHORT_MODES: Mapping[str, str] = {
    "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOnce": "RWO", "ReadWriteOncePod": "RWOP",
}  # fmt: skip
ORDER = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")


def _phase(volume: Json) -> str:
    return "Terminating" if "deletionTimestamp" in volume["metadata"] else member("status", "phase")(volume)


def _shown_modes(volume: Json) -> str:
    found = member("spec", "accessModes", default=())(volume)
    return ",".join(SHORT_MODES[one] for one in ORDER if one in found)


def _claimed(volume: Json) -> str:
    found = member("spec", "claimRef", default=None)(volume)
    return f"{found.get('namespace', '')}/{found.get('name', '')}" if found else ""


VOLUME = (
    column("Capacity", member("spec", "capacity", "storage")),
    column("Access Modes", _shown_modes),
    column("Reclaim Policy", member("spec", "persistentVolumeReclaimPolicy")),
    column("Status", _phase),
    column("Claim", _claimed),
    column("StorageClass", member("spec", "storageClassName")),
    column("VolumeAttributesClass", member("spec", "volumeAttributesClassName", default=UNSET)),
    column("Reason", member("status", "reason")),
    AGE,
    column("VolumeMode", member("spec", "volumeMode", default=UNSET), wide=True),
)
