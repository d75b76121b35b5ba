"""Volumes of a pod: names, exactly one source (FK-504)."""

from __future__ import annotations

from .....base.json_types import Json
from .....schema import fields
from .....schema.fields import FieldError
from ....validation import basics
from ....validation.basics import Errors
from . import volume_sources

# The order decides which of two sources is the one too many.
SOURCE_ORDER = (
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image",
)
NO_ACCOUNT = "must not be specified when serviceAccountName is not set"
ONE_SOURCE = "may not specify more than 1 volume type"


NAMES_IN_MESSAGES = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
"""Sources that the message about one too many writes otherwise."""


def judge(volumes: list[Json], path: str) -> tuple[list[FieldError], dict[str, Json]]:
    """Return the errors of a pod's volumes, and the valid volumes by name."""
    errors: list[FieldError] = []
    usable: dict[str, Json] = {}
    for number, volume in enumerate(volumes):
        item_path = f"{path}[{number}]"
        own = [
            *source(volume, item_path),
            *basics.judge_name(volume["name"], f"{item_path}.name", basics.dns_label),
        ]
        if volume["name"] in usable:
            own.append(fields.duplicate(f"{item_path}.name", volume["name"]))
        if not own:
            usable[volume["name"]] = volume
        errors += own
    return errors, usable


def source(volume: Json, path: str) -> Errors:
    """Judge that a volume has one source, and what that needs."""
    order = [name for name in SOURCE_ORDER if volume.get(name) is not None]
    if not order:
        yield fields.required(path, "must specify a volume type")
        return
    first = order[0]
    yield from volume_sources.inside(first, volume[first], f"{path}.{first}")
    for name in order[1:]:
        yield fields.forbidden(f"{path}.{NAMES_IN_MESSAGES.get(name, name)}", ONE_SOURCE)


def without_account(spec: Json, path: str) -> Errors:
    """Judge that a pod that runs as no service account asks for no token of it."""
    for number, volume in enumerate(spec.get("volumes") or () if not spec.get("serviceAccountName") else ()):
        for index, projection in enumerate((volume.get("projected") or {}).get("sources") or ()):
            if projection.get("serviceAccountToken") is not None:
                token_path = f"{path}.volumes[{number}].projected.sources[{index}].serviceAccountToken"
                yield fields.forbidden(token_path, NO_ACCOUNT)
