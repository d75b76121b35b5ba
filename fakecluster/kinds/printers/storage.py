"""The columns of volumes, their classes and drivers, and of claims on devices (FK-425)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...api.kind import Column
from ...codec.cells import AGE, UNSET, column, joined, member

Json = Any
MODES: Mapping[str, str] = {
    "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOnce": "RWO", "ReadWriteOncePod": "RWOP",
}  # fmt: skip
ORDER = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")


def _phase(volume: Json) -> str:
    return "Terminating" if "deletionTimestamp" in volume["metadata"] else member("status", "phase")(volume)


def _modes(volume: Json) -> str:
    found = member("spec", "accessModes", default=())(volume)
    return ",".join(MODES[one] for one in ORDER if one in found)


def _claim(volume: Json) -> str:
    found = member("spec", "claimRef", default=None)(volume)
    return f"{found.get('namespace', '')}/{found.get('name', '')}" if found else ""


def _named(default: str) -> Column:
    """Return the name of a class, which says whether it is the default."""

    def cell(obj: Json) -> str:
        marked = (obj["metadata"].get("annotations") or {}).get(default) == "true"
        name = str(obj["metadata"].get("name", ""))
        return f"{name} (default)" if marked else name

    return column_of_name(cell)


def column_of_name(cell: Callable[[Json], Json]) -> Column:
    """Return the first column of a kind that does not simply show the name."""
    return Column(name="Name", format="name", cell=lambda obj, _: cell(obj))


def _switch(name: str, shown: str, *, default: bool = False) -> Column:
    return column(shown, member("spec", name, default=default), "boolean")


def _tokens(driver: Json) -> str:
    found = member("spec", "tokenRequests", default=())(driver)
    return ",".join(one.get("audience", "") for one in found) or UNSET


def _claim_state(claim: Json) -> str:
    deleted = "deletionTimestamp" in claim["metadata"]
    words = ["deleted"] if deleted else []
    if member("status", "allocation", default=None)(claim) is None:
        words += [] if deleted else ["pending"]
    else:
        words += ["allocated", *(["reserved"] if member("status", "reservedFor")(claim) else [])]
    return ",".join(words)


GROUP, DEVICES = "storage.k8s.io", "resource.k8s.io"
VOLUME = (
    column("Capacity", member("spec", "capacity", "storage")),
    column("Access Modes", _modes),
    column("Reclaim Policy", member("spec", "persistentVolumeReclaimPolicy")),
    column("Status", _phase),
    column("Claim", _claim),
    column("StorageClass", member("spec", "storageClassName")),
    column("VolumeAttributesClass", member("spec", "volumeAttributesClassName", default=UNSET)),
    column("Reason", member("status", "reason")),
    AGE,
    column("VolumeMode", member("spec", "volumeMode", default=UNSET), wide=True),
)
DRIVER = (
    _switch("attachRequired", "AttachRequired", default=True),
    _switch("podInfoOnMount", "PodInfoOnMount"),
    _switch("storageCapacity", "StorageCapacity"),
    column("TokenRequests", _tokens),
    _switch("requiresRepublish", "RequiresRepublish"),
    column("Modes", lambda obj: joined(member("spec", "volumeLifecycleModes", default=())(obj))),
    AGE,
)
CLASS = (
    _named("storageclass.kubernetes.io/is-default-class"),
    column("Provisioner", member("provisioner")),
    column("ReclaimPolicy", member("reclaimPolicy", default="Delete")),
    column("VolumeBindingMode", member("volumeBindingMode", default="Immediate")),
    column("AllowVolumeExpansion", member("allowVolumeExpansion", default=False)),
    AGE,
)
ATTACHMENT = (
    column_of_name(lambda obj: obj["metadata"].get("name", "")),
    Column(name="Attacher", format="name", cell=lambda obj, _: member("spec", "attacher")(obj)),
    column("PV", member("spec", "source", "persistentVolumeName")),
    column("Node", member("spec", "nodeName")),
    column("Attached", member("status", "attached", default=False), "boolean"),
    AGE,
)
TABLES: dict[tuple[str, str], tuple[Column, ...]] = {
    ("", "persistentvolumes"): VOLUME,
    (GROUP, "csidrivers"): DRIVER,
    (GROUP, "csinodes"): (
        column("Drivers", lambda obj: len(member("spec", "drivers", default=())(obj)), "integer"), AGE,
    ),
    (GROUP, "storageclasses"): CLASS,
    (GROUP, "volumeattachments"): ATTACHMENT,
    (GROUP, "volumeattributesclasses"): (
        _named("volumeattributesclass.kubernetes.io/is-default-class"), column("DriverName", member("driverName")), AGE,
    ),
    (DEVICES, "resourceclaims"): (column("State", _claim_state), AGE),
    (DEVICES, "resourceslices"): (
        column("Node", member("spec", "nodeName")), column("Driver", member("spec", "driver")),
        column("Pool", member("spec", "pool", "name")), AGE,
    ),
}  # fmt: skip
