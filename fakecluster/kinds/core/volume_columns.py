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


def _short_modes(volume: Json) -> str:
    modes = member("spec", "accessModes", default=())(volume)
    return ",".join(SHORT_MODES[mode] for mode in ORDER if mode in modes)


def _claim_name(volume: Json) -> str:
    claim_ref = member("spec", "claimRef", default=None)(volume)
    return f"{claim_ref.get('namespace', '')}/{claim_ref.get('name', '')}" if claim_ref else ""


VOLUME = (
    column("Capacity", member("spec", "capacity", "storage")),
    column("Access Modes", _short_modes),
    column("Reclaim Policy", member("spec", "persistentVolumeReclaimPolicy")),
    column("Status", _phase),
    column("Claim", _claim_name),
    column("StorageClass", member("spec", "storageClassName")),
    column("VolumeAttributesClass", member("spec", "volumeAttributesClassName", default=UNSET)),
    column("Reason", member("status", "reason")),
    AGE,
    column("VolumeMode", member("spec", "volumeMode", default=UNSET), wide=True),
)
