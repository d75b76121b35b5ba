"""The columns of PersistentVolumes and of claims on them (FK-425)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.json_types import Json
from ...codec.cells import AGE, UNSET, column, member


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
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOnce": "RWO",
    "ReadWriteOncePod": "RWOP",
}
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
