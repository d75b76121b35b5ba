"""What becomes of a PersistentVolume: available, bound, released, reclaimed, or failed (FK-504)."""

from __future__ import annotations

import re

from ...api.steps import Steps
from ...store import Stored
from .storage import BOUND_BY_CONTROLLER, PROVISIONED_BY, Storage, annotation

DELETABLE_PATH = re.compile(r"/tmp/.+")  # noqa: S108 - of nodes that are not there
NOT_DELETABLE = "host_path deleter only supports /tmp/.+ but received provided {}"
NO_DELETER = 'error getting deleter volume plugin for volume "{}": no deletable volume plugin matched'
NO_RECYCLER = "No recycler plugin found for the volume!"
RECYCLABLE_SOURCES = ("hostPath", "nfs")
UNRECLAIMED_PHASES = frozenset({"Released", "Failed"})


class VolumeSync:
    """Brings volumes forward."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def sync(self, volume: Stored) -> Steps[None]:
        """Bring one volume forward. Raises StatusError."""
        reference = volume.object["spec"].get("claimRef")
        if not reference or not reference.get("uid"):
            yield from self._set_phase(volume, "Available")
            return
        claim = self._storage.claim(reference.get("namespace", ""), reference.get("name", ""))
        if claim is None or claim.uid != reference["uid"]:
            yield from self._release(volume)
        elif claim.object["spec"].get("volumeName") == volume.name[1]:
            yield from self._set_phase(volume, "Bound")
        elif claim.object["spec"].get("volumeName"):
            yield from self._let_go(volume)

    def _let_go(self, volume: Stored) -> Steps[None]:
        """Take a volume back from a claim that is bound to another one."""
        spec = volume.object["spec"]
        if (
            annotation(volume.object, PROVISIONED_BY)
            and spec.get("persistentVolumeReclaimPolicy") == "Delete"
        ):
            yield from self._release(volume)
        else:
            yield from self._unbind(volume)

    def _release(self, volume: Stored) -> Steps[None]:
        """Reclaim a volume whose claim is gone."""
        if volume.object.get("status", {}).get("phase") not in UNRECLAIMED_PHASES:
            yield from self._set_phase(volume, "Released")
            return
        policy = volume.object["spec"].get("persistentVolumeReclaimPolicy")
        if volume.object["status"]["phase"] == "Failed" or "deletionTimestamp" in volume.object["metadata"]:
            return
        if policy == "Delete":
            yield from self._delete(volume)
        elif policy == "Recycle":
            yield from self._recycle(volume)

    def _delete(self, volume: Stored) -> Steps[None]:
        spec, provisioner = volume.object["spec"], annotation(volume.object, PROVISIONED_BY)
        path = (spec.get("hostPath") or {}).get("path")
        if path and DELETABLE_PATH.fullmatch(path):
            yield from self._storage.delete(volume)
        elif path:
            yield from self._fail(volume, "VolumeFailedDelete", NOT_DELETABLE.format(path))
        elif provisioner is None and not spec.get("csi"):
            yield from self._fail(volume, "VolumeFailedDelete", NO_DELETER.format(volume.name[1]))

    def _recycle(self, volume: Stored) -> Steps[None]:
        if not any(volume.object["spec"].get(source) for source in RECYCLABLE_SOURCES):
            yield from self._fail(volume, "VolumeFailedRecycle", NO_RECYCLER)
            return
        yield from self._storage.record(volume.object, "VolumeRecycled", "Volume recycled")
        yield from self._unbind(volume)

    def _unbind(self, volume: Stored) -> Steps[None]:
        """Make a volume available again; the claim that a user reserved it for may come back."""
        spec, reference = volume.object["spec"], volume.object["spec"]["claimRef"]
        rest = {name: value for name, value in spec.items() if name != "claimRef"}
        changed = volume.object
        if annotation(volume.object, BOUND_BY_CONTROLLER) is None:
            reserved = {
                name: reference[name]
                for name in ("apiVersion", "kind", "namespace", "name")
                if name in reference
            }
            changed = {**changed, "spec": {**rest, "claimRef": reserved}}
        else:
            annotations = dict(changed["metadata"]["annotations"])
            del annotations[BOUND_BY_CONTROLLER]
            changed = {
                **changed,
                "metadata": {**changed["metadata"], "annotations": annotations},
                "spec": rest,
            }
        written = yield from self._storage.update(volume, changed)
        yield from self._storage.update_status(volume, written, {"phase": "Available"})

    def _fail(self, volume: Stored, reason: str, message: str) -> Steps[None]:
        if (yield from self._set_phase(volume, "Failed", message)):
            yield from self._storage.record(volume.object, reason, message, "Warning")

    def _set_phase(self, volume: Stored, phase: str, message: str = "") -> Steps[bool]:
        status = volume.object.get("status") or {}
        if status.get("phase") == phase:
            return False
        rest = {name: value for name, value in status.items() if name not in {"message", "reason"}}
        changed = {**rest, "phase": phase, **({"message": message} if message else {})}
        return (yield from self._storage.update_status(volume, volume.object, changed))
