"""What becomes of a PersistentVolumeClaim: bound, pending, or lost (FK-504)."""

from __future__ import annotations

from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Stored
from .binding import bind
from .matching import best, class_of, is_claimed_by, mismatch
from .storage import BIND_COMPLETED, Storage, annotate, annotation

SELECTED_NODE = "volume.kubernetes.io/selected-node"
PROVISIONERS = ("volume.beta.kubernetes.io/storage-provisioner", "volume.kubernetes.io/storage-provisioner")
NO_PROVISIONER = "kubernetes.io/no-provisioner"
NO_CLASS = "no persistent volumes available for this claim and no storage class is set"
FIRST_CONSUMER = "waiting for first consumer to be created before binding"
EXTERNAL_PROVISIONING = (
    "Waiting for a volume to be created either by the external provisioner '{}' or manually by the system administrator. If"
    " volume creation is delayed, please verify that the provisioner is running and correctly registered."
)
LOST_EVENTS = {
    "reference": (
        "ClaimLost",
        "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!",
    ),
    "volume": ("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!"),
    "misbound": ("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly"),
}


class ClaimSync:
    """Brings claims forward."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._messages: dict[str, str] = {}
        """What was recorded last of claims that wait, by their uid."""

    def sync(self, claim: Stored) -> Steps[None]:
        """Bring one claim forward. Raises StatusError."""
        if annotation(claim.object, BIND_COMPLETED) is not None:
            yield from self._keep(claim)
        elif claim.object["spec"].get("volumeName"):
            yield from self._bind_named(claim)
        else:
            yield from self._find(claim)

    def _find(self, claim: Stored) -> Steps[None]:
        """Bind a claim to the best volume, or wait for one."""
        name = class_of(claim.object)
        storage_class = self._storage.storage_class(name)
        delayed = is_delayed(storage_class) and annotation(claim.object, SELECTED_NODE) is None
        volume = best(claim.object, self._storage.volumes(), delayed=is_delayed(storage_class))
        stored = self._storage.volume(volume["metadata"]["name"]) if volume else None
        if stored:
            yield from bind(self._storage, stored, claim)
        elif delayed:
            yield from self._wait(claim, "WaitForFirstConsumer", FIRST_CONSUMER)
        elif not name:
            yield from self._wait(claim, "FailedBinding", NO_CLASS)
        else:
            yield from self._provision(claim, name, storage_class)

    def _provision(self, claim: Stored, name: str, storage_class: Json | None) -> Steps[None]:
        """Leave a claim to the provisioner of its class."""
        if storage_class is None:
            missing = f'storageclass.storage.k8s.io "{name}" not found'
            yield from self._wait(claim, "ProvisioningFailed", missing, warns=True)
            return
        provisioner = storage_class["provisioner"]
        if provisioner == NO_PROVISIONER:
            unknown = f"no volume plugin matched name: {provisioner}"
            yield from self._wait(claim, "ProvisioningFailed", unknown, warns=True)
            return
        marked = annotate(claim.object, **dict.fromkeys(PROVISIONERS, provisioner))
        if marked == claim.object:
            return
        yield from self._storage.record(
            claim.object, "ExternalProvisioning", EXTERNAL_PROVISIONING.format(provisioner)
        )
        yield from self._storage.update(claim, marked)

    def _bind_named(self, claim: Stored) -> Steps[None]:
        """Bind a claim to the volume that it names, if it can have it."""
        name = claim.object["spec"]["volumeName"]
        volume = self._storage.volume(name)
        if volume is None:
            yield from self._pend(claim)
        elif is_claimed_by(volume.object, claim.object):
            yield from bind(self._storage, volume, claim)
        elif volume.object["spec"].get("claimRef"):
            taken = f'volume "{name}" already bound to a different claim.'
            yield from self._wait(claim, "FailedBinding", taken, warns=True)
        elif problem := mismatch(volume.object, claim.object):
            message = f'Cannot bind to requested volume "{name}": {problem}'
            yield from self._wait(claim, "VolumeMismatch", message, warns=True)
        else:
            yield from bind(self._storage, volume, claim)

    def _keep(self, claim: Stored) -> Steps[None]:
        """Finish the binding of a claim, or find that it is lost."""
        name = claim.object["spec"].get("volumeName")
        volume = self._storage.volume(name) if name else None
        if volume is None:
            yield from self._lose(claim, *LOST_EVENTS["volume" if name else "reference"])
        elif not volume.object["spec"].get("claimRef") or is_claimed_by(volume.object, claim.object):
            yield from bind(self._storage, volume, claim)
        else:
            yield from self._lose(claim, *LOST_EVENTS["misbound"])

    def _wait(self, claim: Stored, reason: str, message: str, *, warns: bool = False) -> Steps[None]:
        """Record why a claim waits, when that changes."""
        if self._messages.get(claim.uid) != message:
            self._messages[claim.uid] = message
            yield from self._storage.record(claim.object, reason, message, "Warning" if warns else "Normal")
        yield from self._pend(claim)

    def _pend(self, claim: Stored) -> Steps[None]:
        yield from self._storage.update_status(claim, claim.object, {"phase": "Pending"})

    def _lose(self, claim: Stored, reason: str, message: str) -> Steps[None]:
        if (yield from self._storage.update_status(claim, claim.object, {"phase": "Lost"})):
            yield from self._storage.record(claim.object, reason, message, "Warning")


def is_delayed(storage_class: Json | None) -> bool:
    """Tell whether claims of a class wait for a pod."""
    return storage_class is not None and storage_class.get("volumeBindingMode") == "WaitForFirstConsumer"
