"""What each source of a volume needs (FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .....numbers.quantity import Quantity
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors, Json
from . import environment, paths

Judge = Callable[[Json, str, str], Errors]
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
VOLUME_FIELDS = frozenset(
    {"metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid"}
)
MODE = "must be a number between 0 and 0777 (octal), both inclusive"
MODES = range(0o1000)
SHORTEST_TOKEN, LONGEST_TOKEN = 600, 2**32


def inside(name: str, value: Json, path: str, account: str) -> Errors:
    """Judge a source; unknown kinds of storage are accepted unread."""
    judge = JUDGES.get(name)
    if judge:
        yield from judge(value, path, account)


def _mode(value: int | None, path: str) -> Errors:
    if value is not None and value not in MODES:
        yield fields.invalid(path, value, MODE)


def _items(value: Json, path: str) -> Errors:
    for number, one in enumerate(value.get("items") or ()):
        here = f"{path}.items[{number}]"
        if not one.get("key"):
            yield fields.required(f"{here}.key")
        if not one.get("path"):
            yield fields.required(f"{here}.path")
        yield from paths.below(one.get("path", ""), f"{here}.path")
        yield from _mode(one.get("mode"), f"{here}.mode")


def _secret(value: Json, path: str, account: str) -> Errors:
    del account
    if not value.get("secretName"):
        yield fields.required(f"{path}.secretName")
    yield from _mode(value.get("defaultMode"), f"{path}.defaultMode")
    yield from _items(value, path)


def _config_map(value: Json, path: str, account: str) -> Errors:
    del account
    if not value.get("name"):
        yield fields.required(f"{path}.name")
    yield from _mode(value.get("defaultMode"), f"{path}.defaultMode")
    yield from _items(value, path)


def _claim(value: Json, path: str, account: str) -> Errors:
    del account
    if not value.get("claimName"):
        yield fields.required(f"{path}.claimName")


def _host_path(value: Json, path: str, account: str) -> Errors:
    del account
    if not value.get("path"):
        yield fields.required(f"{path}.path")
        return
    yield from paths.no_backsteps(value["path"], f"{path}.path")
    yield from basics.optional_choice(value.get("type"), f"{path}.type", HOST_PATHS)


def _empty_dir(value: Json, path: str, account: str) -> Errors:
    del account
    limit = value.get("sizeLimit")
    if limit is not None and Quantity.of(limit).amount < 0:
        yield fields.forbidden(f"{path}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def _nfs(value: Json, path: str, account: str) -> Errors:
    del account
    for name in ("server", "path"):
        if not value.get(name):
            yield fields.required(f"{path}.{name}")
    if value.get("path") and not value["path"].startswith("/"):
        yield fields.invalid(f"{path}.path", value["path"], "must be an absolute path")


def _csi(value: Json, path: str, account: str) -> Errors:
    del account
    if not value.get("driver"):
        yield fields.required(f"{path}.driver")


def _ephemeral(value: Json, path: str, account: str) -> Errors:
    del account
    if not value.get("volumeClaimTemplate"):
        yield fields.required(f"{path}.volumeClaimTemplate")


def _downward(value: Json, path: str, account: str) -> Errors:
    del account
    yield from _mode(value.get("defaultMode"), f"{path}.defaultMode")
    for one in value.get("items") or ():
        if not one.get("path"):
            yield fields.required(f"{path}.path")
        yield from paths.below(one.get("path", ""), f"{path}.path")
        if one.get("fieldRef") is not None:
            yield from environment.field_path(
                one["fieldRef"].get("fieldPath", ""), f"{path}.fieldRef", VOLUME_FIELDS
            )
        elif one.get("resourceFieldRef") is not None:
            yield from environment.resource(
                one["resourceFieldRef"].get("resource", ""), f"{path}.resourceFieldRef"
            )
        else:
            yield fields.required(path, "one of fieldRef and resourceFieldRef is required")
        yield from _mode(one.get("mode"), f"{path}.mode")


def _projected(value: Json, path: str, account: str) -> Errors:
    yield from _mode(value.get("defaultMode"), f"{path}.defaultMode")
    for number, one in enumerate(value.get("sources") or ()):
        here = f"{path}.sources[{number}]"
        if len(one) > 1:
            yield fields.forbidden(here, "may not specify more than 1 volume type per source")
        for name in ("secret", "configMap"):
            if one.get(name) is not None:
                if not one[name].get("name"):
                    yield fields.required(f"{here}.{name}.name")
                yield from _items(one[name], f"{here}.{name}")
        if one.get("serviceAccountToken") is not None:
            yield from _token(one["serviceAccountToken"], f"{here}.serviceAccountToken", account)


def _token(value: Json, path: str, account: str) -> Errors:
    seconds = value.get("expirationSeconds", SHORTEST_TOKEN)
    if seconds < SHORTEST_TOKEN:
        yield fields.invalid(
            f"{path}.expirationSeconds", seconds, "may not specify a duration less than 10 minutes"
        )
    if seconds > LONGEST_TOKEN:
        yield fields.invalid(
            f"{path}.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds"
        )
    if not value.get("path"):
        yield fields.required(f"{path}.path")
    elif account:
        yield from paths.below(value["path"], f"{path}.path")
    if not account:
        yield fields.forbidden(path, "must not be specified when serviceAccountName is not set")


JUDGES: Mapping[str, Judge] = {
    "configMap": _config_map,
    "csi": _csi,
    "downwardAPI": _downward,
    "emptyDir": _empty_dir,
    "ephemeral": _ephemeral,
    "hostPath": _host_path,
    "nfs": _nfs,
    "persistentVolumeClaim": _claim,
    "projected": _projected,
    "secret": _secret,
}
