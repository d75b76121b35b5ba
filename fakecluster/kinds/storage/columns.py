"""The columns of storage classes, drivers and attachments (FK-425)."""

from __future__ import annotations

from collections.abc import Callable

from ...api.kind import Column
from ...base.json_types import Json
from ...codec.cells import AGE, UNSET, column, join_values, member


def _name_with_default(default: str) -> Column:
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
    requests = member("spec", "tokenRequests", default=())(driver)
    return ",".join(request.get("audience", "") for request in requests) or UNSET


DRIVER = (
    _switch("attachRequired", "AttachRequired", default=True),
    _switch("podInfoOnMount", "PodInfoOnMount"),
    _switch("storageCapacity", "StorageCapacity"),
    column("TokenRequests", _tokens),
    _switch("requiresRepublish", "RequiresRepublish"),
    column("Modes", lambda obj: join_values(member("spec", "volumeLifecycleModes", default=())(obj))),
    AGE,
)
CLASS = (
    _name_with_default("storageclass.kubernetes.io/is-default-class"),
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
CSI_NODE = (
    column("Drivers", lambda obj: len(member("spec", "drivers", default=())(obj)), "integer"),
    AGE,
)
ATTRIBUTES_CLASS = (
    _name_with_default("volumeattributesclass.kubernetes.io/is-default-class"),
    column("DriverName", member("driverName")),
    AGE,
)
