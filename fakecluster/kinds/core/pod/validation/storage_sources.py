"""What the sources of volumes outside of the cluster need, in pods and in PersistentVolumes (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from . import paths

Judge = Callable[[Json, str], Errors]
REQUIRED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "awsElasticBlockStore": ("volumeID",),
    "azureDisk": ("diskName", "diskURI"),
    "azureFile": ("secretName", "shareName"),
    "cephfs": ("monitors",),
    "cinder": ("volumeID",),
    "flexVolume": ("driver",),
    "gcePersistentDisk": ("pdName",),
    "gitRepo": ("repository",),
    "glusterfs": ("endpoints", "path"),
    "iscsi": ("targetPortal",),
    "nfs": ("server", "path"),
    "photonPersistentDisk": ("pdID",),
    "portworxVolume": ("volumeID",),
    "rbd": ("monitors", "image"),
    "scaleIO": ("gateway", "system", "volumeName"),
    "vsphereVolume": ("volumePath",),
}
BYTE_RANGE = "must be between 0 and 255, inclusive"
HOST_PORTS = "must be a host:port pair or multiple pairs separated by commas"
NAMES = {
    "iqn": re.compile(r"iqn\.[0-9]{4}-[0-9]{2}\.([0-9A-Za-z.-]+)(:[^,;*&$|\s]+)$"),
    "eui": re.compile(r"^eui.[0-9A-Za-z]{16}$"),
    "naa": re.compile(r"^naa.[0-9A-Za-z]{32}$"),
}
CACHING = ("None", "ReadOnly", "ReadWrite")
DISKS = ("Dedicated", "Managed", "Shared")
MANAGED_DISK_PATH = (
    "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
)
BLOB = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
RESERVED = (".kubernetes.io", ".k8s.io")


def judge(name: str, value: Json, path: str) -> Errors:
    """Judge a source; `path` is where messages say it is."""
    where = path.removesuffix("gcePersistentDisk") + "persistentDisk" if name == "gcePersistentDisk" else path
    for member in REQUIRED_FIELDS.get(name, ()):
        if not value.get(member):
            yield fields.required(f"{where}.{member}")
    if rule := SOURCE_RULES.get(name):
        yield from rule(value, where)


def _byte(value: int | None, path: str) -> Errors:
    if value is not None and not 0 <= value <= 255:
        yield fields.invalid(path, value, BYTE_RANGE)


def _partition(value: Json, path: str) -> Errors:
    partition = value.get("partition")
    if partition is not None and not 0 <= partition <= 255:
        yield fields.invalid(f"{path}.partition", partition, "must be between 1 and 255, inclusive")


def _nfs(value: Json, path: str) -> Errors:
    if not value.get("path", "").startswith("/"):
        yield fields.invalid(f"{path}.path", value.get("path", ""), "must be an absolute path")


def _iscsi(value: Json, path: str) -> Errors:
    if not value.get("iqn"):
        yield fields.required(f"{path}.iqn")
    else:
        yield from _initiator(value["iqn"], f"{path}.iqn")
    yield from _byte(value.get("lun"), f"{path}.lun")
    if (value.get("chapAuthDiscovery") or value.get("chapAuthSession")) and value.get("secretRef") is None:
        yield fields.required(f"{path}.secretRef")
    if value.get("initiatorName") is not None:
        yield from _initiator(value["initiatorName"], f"{path}.initiatorname")


def _initiator(name: str, path: str) -> Errors:
    pattern = NAMES.get(name[:3])
    in_pod = ".volumes[" in path
    if pattern is None:
        why = "must be valid format starting with iqn, eui, or naa" if in_pod else "must be valid format"
        yield fields.invalid(path, name, why)
    elif not pattern.search(name):
        yield fields.invalid(path, name, "must be valid format")


def _fibre_channel(value: Json, path: str) -> Errors:
    targets, ids, lun = value.get("targetWWNs"), value.get("wwids"), value.get("lun")
    if not targets and not ids:
        yield fields.required(f"{path}.targetWWNs", "must specify either targetWWNs or wwids, but not both")
    if targets and ids:
        why = "targetWWNs and wwids can not be specified simultaneously"
        yield fields.invalid(f"{path}.targetWWNs", targets, why)
    if targets and lun is None:
        yield fields.required(f"{path}.lun", "lun is required if targetWWNs is specified")
    elif targets:
        yield from _byte(lun, f"{path}.lun")


def _quobyte(value: Json, path: str) -> Errors:
    registry = value.get("registry", "")
    if not registry:
        yield fields.required(f"{path}.registry", HOST_PORTS)
    elif len(value.get("tenant", "")) > 64:
        why = "must be a UUID and may not exceed a length of 64 characters"
        yield fields.required(f"{path}.tenant", why)
    else:
        for pair in registry.split(","):
            if pair.count(":") != 1:
                yield fields.invalid(f"{path}.registry", registry, HOST_PORTS)
    if not value.get("volume"):
        yield fields.required(f"{path}.volume")


def _glusterfs(value: Json, path: str) -> Errors:
    namespace, where = value.get("endpointsNamespace"), f"{path}.endpointsNamespace"
    if namespace == "":
        why = "if the endpointnamespace is set, it must be a valid namespace name"
        yield fields.invalid(where, namespace, why)
    yield from basics.optional_name(namespace, where, basics.dns_label)


def _flocker(value: Json, path: str) -> Errors:
    name, uid = value.get("datasetName", ""), value.get("datasetUUID", "")
    if not name and not uid:
        yield fields.required(path, "one of datasetName and datasetUUID is required")
    if name and uid:
        why = "datasetName and datasetUUID can not be specified simultaneously"
        yield fields.invalid(path, "resource", why)
    if "/" in name:
        yield fields.invalid(f"{path}.datasetName", name, "must not contain '/'")


def _flex(value: Json, path: str) -> Errors:
    for key in sorted(value.get("options") or {}):
        if ("." + key.partition("/")[0].lower()).endswith(RESERVED):
            why = "kubernetes.io and k8s.io namespaces are reserved"
            yield fields.invalid(f"{path}.options[{key}]", key, why)


def _azure_disk(value: Json, path: str) -> Errors:
    yield from basics.optional_choice(value.get("cachingMode"), f"{path}.cachingMode", CACHING)
    yield from basics.optional_choice(value.get("kind"), f"{path}.kind", DISKS)
    kind, address = value.get("kind"), value.get("diskURI", "")
    if kind == "Managed" and not address.startswith("/subscriptions/"):
        yield fields.not_supported(f"{path}.diskURI", address, [MANAGED_DISK_PATH])
    if kind not in {None, "Managed"} and not address.startswith("https://"):
        yield fields.not_supported(f"{path}.diskURI", address, [BLOB])


def _azure_file(value: Json, path: str) -> Errors:
    if value.get("secretNamespace") == "":
        yield fields.required(f"{path}.secretNamespace")


def _git(value: Json, path: str) -> Errors:
    yield from paths.descending(value.get("directory", ""), f"{path}.directory")


def _storage_os(value: Json, path: str) -> Errors:
    yield from basics.judge_name(value.get("volumeName", ""), f"{path}.volumeName", basics.dns_label)
    yield from basics.optional_name(value.get("volumeNamespace"), f"{path}.volumeNamespace", basics.dns_label)
    yield from _secret(value, path)


def _secret(value: Json, path: str) -> Errors:
    """Judge a reference to a Secret, which names its namespace outside of pods."""
    reference = value.get("secretRef")
    if reference is None:
        return
    for name in ("name",) if ".volumes[" in path else ("name", "namespace"):
        if not reference.get(name):
            yield fields.required(f"{path}.secretRef.{name}")


SOURCE_RULES: Mapping[str, Judge] = {
    "awsElasticBlockStore": _partition,
    "azureDisk": _azure_disk,
    "azureFile": _azure_file,
    "cinder": _secret,
    "fc": _fibre_channel,
    "flexVolume": _flex,
    "flocker": _flocker,
    "gcePersistentDisk": _partition,
    "gitRepo": _git,
    "glusterfs": _glusterfs,
    "iscsi": _iscsi,
    "nfs": _nfs,
    "quobyte": _quobyte,
    "storageos": _storage_os,
}
