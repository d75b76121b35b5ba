"""The kinds of `storage.k8s.io`: stored and shown, acted on by nothing in this cluster (FK-504)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.lazy_modules import LazyModule
from ..default_rules import Defaulter, constants
from ..row import STATUS, row
from . import columns

if TYPE_CHECKING:
    from . import validation, warnings
else:
    validation = LazyModule(".validation", __package__)
    warnings = LazyModule(".warnings", __package__)

DEFAULTS: Mapping[str, Defaulter] = {
    "storage.v1.CSIDriverSpec": constants(
        attachRequired=True,
        podInfoOnMount=False,
        storageCapacity=False,
        fsGroupPolicy="ReadWriteOnceWithFSType",
        volumeLifecycleModes=["Persistent"],
        requiresRepublish=False,
        seLinuxMount=False,
    ),
    "storage.v1.StorageClass": constants(reclaimPolicy="Delete", volumeBindingMode="Immediate"),
}
KINDS: tuple[Kind, ...] = (
    row(
        "storage.v1.CSIDriver",
        "csidrivers",
        warnings=warnings.driver,
        unconditional_update=False,
        returns_deleted=True,
        namespaced=False,
        prepare=validation.without_gated,
        prepare_update=validation.keep_gated,
        validate=validation.driver,
        validate_update=validation.same_driver,
        columns=columns.DRIVER,
    ),
    row(
        "storage.v1.CSINode",
        "csinodes",
        unconditional_update=False,
        returns_deleted=True,
        namespaced=False,
        validate=validation.node,
        validate_update=validation.same_drivers,
        columns=columns.CSI_NODE,
    ),
    row(
        "storage.v1.CSIStorageCapacity",
        "csistoragecapacities",
        warnings=warnings.capacity,
        unconditional_update=False,
        validate=validation.capacity,
        validate_update=validation.same_capacity,
    ),
    row(
        "storage.v1.StorageClass",
        "storageclasses",
        warnings=warnings.storage_class,
        short="sc",
        namespaced=False,
        returns_deleted=True,
        validate=validation.storage_class,
        validate_update=validation.same_class,
        columns=columns.CLASS,
    ),
    row(
        "storage.v1.VolumeAttachment",
        "volumeattachments",
        unconditional_update=False,
        returns_deleted=True,
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        validate=validation.attachment,
        validate_update=validation.same_attachment,
        columns=columns.ATTACHMENT,
    ),
    row(
        "storage.v1.VolumeAttributesClass",
        "volumeattributesclasses",
        short="vac",
        returns_deleted=True,
        namespaced=False,
        validate=validation.attributes_class,
        judge_update=validation.judge_attributes_update,
        columns=columns.ATTRIBUTES_CLASS,
    ),
)
