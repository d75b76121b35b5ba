"""ConfigMaps and Secrets: rules and columns (FK-493, FK-504)."""

from __future__ import annotations

import base64
import re

from ...base.json_types import Json
from ...codec.cells import AGE, column, member
from ...codec.json import gojson
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors

DATA_KEY = re.compile(r"[-._a-zA-Z0-9]+")
KEY_TEXT = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',"
    "  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)
MAX_DATA_BYTES = 1024 * 1024
IMMUTABLE = "field is immutable when `immutable` is set"


def key_problems(key: str) -> list[str]:
    """Judge a key of a ConfigMap or Secret."""
    problems = [] if len(key) <= 253 else ["must be no more than 253 characters"]
    if not DATA_KEY.fullmatch(key):
        problems.append(KEY_TEXT)
    # A key becomes a file name, so these are not possible.
    if key == ".":
        problems.append("must not be '.'")
    elif key.startswith(".."):
        problems.append("must not be '..'" if key == ".." else "must not start with '..'")
    return problems


def config_map(obj: Json) -> list[fields.FieldError]:
    """Judge a ConfigMap."""
    data, binary = obj.get("data") or {}, obj.get("binaryData") or {}
    size = sum(len(text.encode()) for text in data.values()) + sum(
        _base64_size(text) for text in binary.values()
    )
    return [
        *_keys(data, "data"),
        *(
            fields.invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
            for key in data
            if key in binary
        ),
        *_keys(binary, "binaryData"),
        *([fields.too_long("[]", MAX_DATA_BYTES)] if size > MAX_DATA_BYTES else []),
    ]


def _base64_size(text: str) -> int:
    # The length of the decoded bytes without decoding them: Secrets may hold a megabyte.
    return len(text) * 3 // 4 - text.count("=")


def _keys(data: Json, path: str) -> Errors:
    # Go's maps have no order, so the real errors come in any; here they are sorted.
    for key in sorted(data):
        for problem in key_problems(key):
            yield fields.invalid(f"{path}[{key}]", key, problem)


DOCKER_CONFIG_KEYS = {
    "kubernetes.io/dockercfg": ".dockercfg",
    "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
}
SSH, SSH_KEY = "kubernetes.io/ssh-auth", "ssh-privatekey"
REQUIRED_KEYS = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/basic-auth": ("username", "password"),
    SSH: (SSH_KEY,),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}


def unreadable_pair(new: Json, old: Json) -> list[str]:
    """Warn of a pair for TLS in which there is nothing that could be one."""
    del old
    if new.get("type") != "kubernetes.io/tls":
        return []
    pair = (("tls.crt", "certificate"), ("tls.key", "key"))
    texts = {title: base64.b64decode((new.get("data") or {}).get(key, "")) for key, title in pair}
    empty = next((title for title, text in texts.items() if b"-----BEGIN " not in text), "")
    return [f"tls: failed to find any PEM data in {empty} input"] if empty else []


def secret(obj: Json) -> list[fields.FieldError]:
    """Judge a Secret."""
    data = obj.get("data") or {}
    size = sum(_base64_size(text) for text in data.values())
    kind, account = obj.get("type", ""), "kubernetes.io/service-account.name"
    missing = [name for name in REQUIRED_KEYS.get(kind, ()) if name not in data]
    # SSH keys must not be empty, while other required keys only have to be there.
    if kind == SSH and not data.get(SSH_KEY):
        missing = [SSH_KEY]
    if kind == "kubernetes.io/basic-auth" and len(missing) == 1:
        # Either of username and password is enough for basic-auth.
        missing = []
    owned = kind != "kubernetes.io/service-account-token" or obj["metadata"].get("annotations", {}).get(
        account
    )
    return [
        *_keys(data, "data"),
        *([fields.too_long("data", MAX_DATA_BYTES)] if size > MAX_DATA_BYTES else []),
        *([] if owned else [fields.required(f"metadata.annotations[{account}]")]),
        *(fields.required(f"data[{name}]") for name in missing),
        *_docker_config(kind, data),
    ]


def _docker_config(kind: str, data: Json) -> Errors:
    name = DOCKER_CONFIG_KEYS.get(kind, "")
    # The content of a Secret is not shown, not even in an error.
    if name in data and (why := gojson.problem(base64.b64decode(data[name]))):
        yield fields.invalid(f"data[{name}]", "<secret contents redacted>", why)


def judge_config_map_update(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge an update of a ConfigMap: its immutable data, then the object."""
    return [*_same_data(after, before), *config_map(after)]


def _same_data(after: Json, before: Json) -> list[fields.FieldError]:
    # Judged by the old object: setting the flag and changing data is one allowed update.
    if not before.get("immutable"):
        return []
    changed = [name for name in ("data", "binaryData") if (after.get(name) or {}) != (before.get(name) or {})]
    unset = [] if after.get("immutable") else [fields.forbidden("immutable", IMMUTABLE)]
    return [*unset, *(fields.forbidden(name, IMMUTABLE) for name in changed)]


def judge_secret_update(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge an update of a Secret, which keeps its type, and its data when that is immutable."""
    # The type comes first, as in ValidateSecretUpdate.
    kind = basics.immutable(after.get("type"), before.get("type"), "type")
    return [*kind, *_same_data(after, before), *secret(after)]


CONFIG_MAP = (
    column("Data", lambda obj: len(obj.get("data") or ()) + len(obj.get("binaryData") or ())),
    AGE,
)
SECRET = (column("Type", member("type")), column("Data", lambda obj: len(obj.get("data") or ())), AGE)
