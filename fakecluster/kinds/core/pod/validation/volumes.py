"""Volumes of a pod: names, exactly one source (FK-504)."""

from __future__ import annotations

from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors, Json
from . import volume_sources

# The order decides which of two sources is the one too many.
ORDER = (
    "emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs", "iscsi", "glusterfs",
    "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc", "flexVolume", "configMap",
    "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "storageos", "projected", "scaleIO",
    "csi", "ephemeral", "image",
)  # fmt: skip
ONE_SOURCE = "may not specify more than 1 volume type"


def judged(found: list[Json], path: str, account: str) -> Errors:
    """Judge the volumes of a pod that runs as a service account."""
    seen: set[str] = set()
    for number, one in enumerate(found):
        here = f"{path}[{number}]"
        errors = [*source(one, here, account), *basics.named(one["name"], f"{here}.name", basics.dns_label)]
        if one["name"] in seen:
            errors.append(fields.duplicate(f"{here}.name", one["name"]))
        elif not errors:
            seen.add(one["name"])
        yield from errors


def names(found: list[Json], account: str) -> frozenset[str]:
    """Return the names that mounts may use: those of volumes that nothing is wrong with."""
    return frozenset(one["name"] for one in found if not any(source(one, "", account)))


def source(one: Json, path: str, account: str) -> Errors:
    """Judge that a volume has one source, and what that needs."""
    order = [name for name in ORDER if one.get(name) is not None]
    if not order:
        yield fields.required(path, "must specify a volume type")
        return
    first = order[0]
    yield from volume_sources.inside(first, one[first], f"{path}.{first}", account)
    for name in order[1:]:
        yield fields.forbidden(f"{path}.{name}", ONE_SOURCE)
