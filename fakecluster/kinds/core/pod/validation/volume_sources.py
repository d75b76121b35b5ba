"""What each source of a volume needs (FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .....base.json_types import Json
from .....base.numbers.quantity import Quantity
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from . import claims, files, paths, storage_sources

Judge = Callable[[Json, str], Errors]
HOST_PATHS = (
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
)
PULL = ("Always", "IfNotPresent", "Never")
LONGEST_DRIVER = 63


def inside(name: str, value: Json, path: str) -> Errors:
    """Judge a source."""
    judge = JUDGES.get(name)
    yield from judge(value, path) if judge else storage_sources.judge(name, value, path)


def _secret(value: Json, path: str) -> Errors:
    if not value.get("secretName"):
        yield fields.required(f"{path}.secretName")
    yield from files.mode(value.get("defaultMode"), f"{path}.defaultMode")
    yield from files.items(value, path)


def _config_map(value: Json, path: str) -> Errors:
    if not value.get("name"):
        yield fields.required(f"{path}.name")
    yield from files.mode(value.get("defaultMode"), f"{path}.defaultMode")
    yield from files.items(value, path)


def _claim(value: Json, path: str) -> Errors:
    if not value.get("claimName"):
        yield fields.required(f"{path}.claimName")


def host_path(value: Json, path: str) -> Errors:
    """Judge a place on a node."""
    if not value.get("path"):
        yield fields.required(f"{path}.path")
        return
    yield from paths.no_backsteps(value["path"], f"{path}.path")
    yield from basics.optional_choice(value.get("type"), f"{path}.type", HOST_PATHS)


def _empty_dir(value: Json, path: str) -> Errors:
    limit = value.get("sizeLimit")
    if limit is not None and Quantity.of(limit).amount < 0:
        yield fields.forbidden(f"{path}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def _csi(value: Json, path: str) -> Errors:
    yield from driver(value.get("driver", ""), f"{path}.driver")
    secret = value.get("nodePublishSecretRef")
    if secret is not None and not secret.get("name"):
        yield fields.required(f"{path}.nodePublishSecretRef.name")
    elif secret is not None:
        yield from basics.optional_name(secret["name"], f"{path}.name", basics.dns_subdomain)


def driver(name: str, path: str) -> Errors:
    """Judge the name of a driver."""
    if not name:
        yield fields.required(path)
        return
    if len(name) > LONGEST_DRIVER:
        yield fields.too_long(path, LONGEST_DRIVER)
    for problem in basics.dns_subdomain(name.lower()):
        yield fields.invalid(path, name, problem)


def _ephemeral(value: Json, path: str) -> Errors:
    if value.get("volumeClaimTemplate") is None:
        yield fields.required(f"{path}.volumeClaimTemplate")
    else:
        yield from claims.template(value["volumeClaimTemplate"], f"{path}.volumeClaimTemplate")


def _image(value: Json, path: str) -> Errors:
    yield from basics.choice(value.get("pullPolicy"), f"{path}.pullPolicy", PULL)


JUDGES: Mapping[str, Judge] = {
    "configMap": _config_map,
    "csi": _csi,
    "downwardAPI": files.downward,
    "emptyDir": _empty_dir,
    "ephemeral": _ephemeral,
    "hostPath": host_path,
    "image": _image,
    "persistentVolumeClaim": _claim,
    "projected": files.judge_projections,
    "secret": _secret,
}
