"""PersistentVolumes: validation of new ones and of updates (FK-498, FK-504)."""

from __future__ import annotations

import posixpath

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ...schema.fields import FieldError
from ..specdiff import difference
from ..validation import basics
from ..validation.basics import Errors
from .pod.validation import claims, paths, placement, resources, storage_sources, volume_sources

RECLAIM = ("Delete", "Recycle", "Retain")
# The order decides which of two sources is the one too many.
SOURCES = (
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
)
NAMES_IN_MESSAGES = {"cephfs": "cephFS"}
"""Sources that the message about one too many writes otherwise."""
ONE_SOURCE = "may not specify more than 1 volume type"
SECRETS = (
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
)
STABLE_LABEL_OF_BETA = {
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
}
"""Labels of nodes whose names were beta; any other may become an empty name."""
IMMUTABLE_BUT_BETA_LABELS = "field is immutable, except for updating from beta label to GA"


def with_time_of_phase(new: Json, old: Json, current_time: str) -> Json:
    """Return a volume with the lastPhaseTransitionTime of its phase, unless the client sets it."""
    status, before = new.get("status") or {}, old.get("status") or {}
    since, phase_since = status.get("lastPhaseTransitionTime"), before.get("lastPhaseTransitionTime")
    # A client may set the time itself, but an unchanged phase keeps its time.
    if status.get("phase") == before.get("phase"):
        time = since or phase_since
    else:
        time = current_time if since in (None, phase_since) else since
    return {**new, "status": {**status, "lastPhaseTransitionTime": time}} if time != since else new


def volume(obj: Json) -> list[FieldError]:
    """Judge a PersistentVolume."""
    spec = obj["spec"]
    modes = spec.get("accessModes") or []
    return [
        *([] if modes else [fields.required("spec.accessModes")]),
        *claims.access(modes, "spec.accessModes"),
        *_capacity(spec.get("capacity")),
        *_reclaim_policy(spec.get("persistentVolumeReclaimPolicy")),
        *_affinity(spec.get("nodeAffinity")),
        *_sources(spec),
        *_recycle_policy(spec),
        *claims.class_name(spec, "spec", "storageClassName"),
        *basics.optional_choice(spec.get("volumeMode"), "spec.volumeMode", claims.VOLUME_MODES),
        *_attributes(spec),
    ]


def judge_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a PersistentVolume: the errors of the object twice, then immutable fields."""
    new, old = after["spec"], before["spec"]
    return [
        # The strategy validates the object, and ValidatePersistentVolumeUpdate begins with the same: messages
        # of updates have each error twice.
        *volume(after),
        *volume(after),
        *_same_source(new, old),
        *basics.immutable(new.get("volumeMode"), old.get("volumeMode"), "volumeMode"),
        *_same_affinity(new.get("nodeAffinity"), old.get("nodeAffinity")),
        *_same_attributes(new, old),
    ]


def _capacity(amounts: Json) -> Errors:
    path = "spec.capacity"
    if not amounts:
        yield fields.required(path)
    # A volume has storage and nothing else.
    if "storage" not in (amounts or {}) or len(amounts) > 1:
        yield fields.not_supported(path, amounts, ["storage"])
    for name, amount in (amounts or {}).items():
        value = Quantity.of(amount).amount
        # A negative amount is wrong twice.
        if value < 0:
            yield resources.negative_amount(amount, f"{path}[{name}]")
        if value <= 0:
            yield fields.invalid(f"{path}[{name}]", amount, "must be greater than zero")


def _reclaim_policy(policy: str | None) -> Errors:
    yield from basics.optional_choice(policy, "spec.persistentVolumeReclaimPolicy", RECLAIM)


def _affinity(value: Json) -> Errors:
    if value is None:
        return
    if value.get("required") is None:
        yield fields.required("spec.nodeAffinity.required", "must specify required node constraints")
    else:
        yield from placement.node_selector(value["required"], "spec.nodeAffinity.required")


def _sources(spec: Json) -> Errors:
    names = [name for name in SOURCES if spec.get(name) is not None]
    for index, name in enumerate(names):
        # A flexVolume is judged even beside another source.
        if index and name != "flexVolume":
            yield fields.forbidden(f"spec.{NAMES_IN_MESSAGES.get(name, name)}", ONE_SOURCE)
        else:
            yield from _source(name, spec)
    if not names:
        yield fields.required("spec", "must specify a volume type")


def _source(name: str, spec: Json) -> Errors:
    path, value = f"spec.{name}", spec[name]
    if name == "csi":
        yield from _driven(value, path)
    elif name == "local":
        yield from _local(value, path)
        if spec.get("nodeAffinity") is None:
            yield fields.required("spec.nodeAffinity", "Local volume requires node affinity")
    elif name == "hostPath":
        yield from volume_sources.host_path(value, path)
    else:
        yield from storage_sources.judge(name, value, path)


def _local(value: Json, path: str) -> Errors:
    if not value.get("path"):
        yield fields.required(f"{path}.path")
    else:
        yield from paths.no_backsteps(value["path"], f"{path}.path")


def _driven(value: Json, path: str) -> Errors:
    yield from volume_sources.driver(value.get("driver", ""), f"{path}.driver")
    if not value.get("volumeHandle"):
        yield fields.required(f"{path}.volumeHandle")
    for name in SECRETS:
        if value.get(name) is not None:
            member_path = f"{path}.{name}"
            yield from basics.judge_name(
                value[name].get("name", ""), f"{member_path}.name", basics.dns_subdomain
            )
            yield from basics.judge_name(
                value[name].get("namespace", ""), f"{member_path}.namespace", basics.dns_label
            )


def _recycle_policy(spec: Json) -> Errors:
    path = (spec.get("hostPath") or {}).get("path", "")
    # The cleaned path: `//` is the root as well.
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle" and posixpath.normpath(path) == "/":
        why = "may not be 'recycle' for a hostPath mount of '/'"
        yield fields.forbidden("spec.persistentVolumeReclaimPolicy", why)


def _attributes(spec: Json) -> Errors:
    name = spec.get("volumeAttributesClassName")
    if name is None:
        return
    if not name:
        yield fields.required("spec.volumeAttributesClassName", "an empty string is disallowed")
    yield from claims.class_name(spec, "spec", "volumeAttributesClassName")
    if spec.get("csi") is None:
        yield fields.required("spec.csi", "has to be specified when using volumeAttributesClassName")


def _same_source(new: Json, old: Json) -> Errors:
    """Judge that the source stays; a driver's secret for growing volumes may be added."""
    after, before = ({name: spec[name] for name in SOURCES if name in spec} for spec in (new, old))
    grows = "controllerExpandSecretRef"
    # Adding the secret is allowed once.
    if "csi" in after and "csi" in before and grows not in before["csi"]:
        after["csi"] = {name: value for name, value in after["csi"].items() if name != grows}
    if after != before:
        path = "spec.persistentvolumesource"
        diff = difference(
            *(to_go_struct("core.v1.PersistentVolumeSource", source) for source in (before, after))
        )
        yield fields.forbidden(path, f"{path} is immutable after creation\n{diff}")


def _same_affinity(new: Json, old: Json) -> Errors:
    # Beta labels may become the stable ones, term by term.
    if old is not None and new != old and _with_stable_labels(old, new) != new:
        go_struct = None if new is None else to_go_struct("core.v1.VolumeNodeAffinity", new)
        yield fields.invalid("nodeAffinity", go_struct, IMMUTABLE_BUT_BETA_LABELS)


def _with_stable_labels(old: Json, new: Json) -> Json:
    """Return an affinity with labels under the stable names that the new one uses for them."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [_with_stable_labels(*pair) for pair in zip(old, new, strict=True)]
    if not isinstance(old, dict) or not isinstance(new, dict):
        return old
    if old.get("key") and new.get("key", "") == STABLE_LABEL_OF_BETA.get(old["key"], ""):
        return {**old, "key": new.get("key", "")}
    return {name: _with_stable_labels(value, new.get(name)) for name, value in old.items()}


def _same_attributes(new: Json, old: Json) -> Errors:
    if old.get("volumeAttributesClassName") is not None and new.get("volumeAttributesClassName") is None:
        why = "update from non-nil value to nil is forbidden"
        yield fields.forbidden("spec.volumeAttributesClassName", why)
