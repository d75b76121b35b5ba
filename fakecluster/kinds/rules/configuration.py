"""ConfigMaps, Secrets, leases, priority classes, quotas, disruption budgets: small kinds with few rules (FK-493, FK-499, FK-504)."""

from __future__ import annotations

import base64
import re

from ...codec.json import gojson
from ...gotypes.golang import shown
from ...schema import fields
from . import basics, conditions, strategies
from .basics import Errors, Json

KEY = re.compile(r"[-._a-zA-Z0-9]+")
KEY_TEXT = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',"
    "  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)
SIZE = 1024 * 1024
IMMUTABLE = "field is immutable when `immutable` is set"
SYSTEM = "priority class names with 'system-' prefix are reserved for system use only"
HIGHEST = 1_000_000_000
COUNTS = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")
SYSTEM_CLASSES = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


def key_problems(key: str) -> list[str]:
    """Judge a key of a ConfigMap or Secret."""
    problems = [] if len(key) <= 253 else ["must be no more than 253 characters"]
    if not KEY.fullmatch(key):
        problems.append(KEY_TEXT)
    if key == ".":
        problems.append("must not be '.'")
    elif key.startswith(".."):
        problems.append("must not be '..'" if key == ".." else "must not start with '..'")
    return problems


def config_map(obj: Json) -> list[fields.FieldError]:
    """Judge a ConfigMap."""
    data, binary = obj.get("data") or {}, obj.get("binaryData") or {}
    size = sum(len(one.encode()) for one in data.values()) + sum(_decoded(one) for one in binary.values())
    return [
        *_keys(data, "data"),
        *(fields.invalid(f"data[{key}]", key, "duplicate of key present in binaryData") for key in data if key in binary),
        *_keys(binary, "binaryData"),
        *([fields.too_long("[]", SIZE)] if size > SIZE else []),
    ]  # fmt: skip


def _decoded(text: str) -> int:
    return len(text) * 3 // 4 - text.count("=")


def _keys(data: Json, path: str) -> Errors:
    for key in sorted(data):
        for problem in key_problems(key):
            yield fields.invalid(f"{path}[{key}]", key, problem)


DOCKER = {
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
    texts = {said: base64.b64decode((new.get("data") or {}).get(name, "")) for name, said in pair}
    empty = next((said for said, text in texts.items() if b"-----BEGIN " not in text), "")
    return [f"tls: failed to find any PEM data in {empty} input"] if empty else []


def secret(obj: Json) -> list[fields.FieldError]:
    """Judge a Secret."""
    data = obj.get("data") or {}
    size = sum(_decoded(one) for one in data.values())
    kind, account = obj.get("type", ""), "kubernetes.io/service-account.name"
    missing = [name for name in REQUIRED_KEYS.get(kind, ()) if name not in data]
    if kind == SSH and not data.get(SSH_KEY):
        missing = [SSH_KEY]
    if kind == "kubernetes.io/basic-auth" and len(missing) == 1:
        missing = []
    owned = kind != "kubernetes.io/service-account-token" or obj["metadata"].get("annotations", {}).get(
        account
    )
    return [
        *_keys(data, "data"),
        *([fields.too_long("data", SIZE)] if size > SIZE else []),
        *([] if owned else [fields.required(f"metadata.annotations[{account}]")]),
        *(fields.required(f"data[{name}]") for name in missing),
        *_docker_config(kind, data),
    ]


def _docker_config(kind: str, data: Json) -> Errors:
    name = DOCKER.get(kind, "")
    if name in data and (why := gojson.problem(base64.b64decode(data[name]))):
        yield fields.invalid(f"data[{name}]", "<secret contents redacted>", why)


def same_data(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that what is immutable stays."""
    if not before.get("immutable"):
        return []
    changed = [name for name in ("data", "binaryData") if (after.get(name) or {}) != (before.get(name) or {})]
    unset = [] if after.get("immutable") else [fields.forbidden("immutable", IMMUTABLE)]
    return [*unset, *(fields.forbidden(name, IMMUTABLE) for name in changed)]


def same_secret(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that a Secret keeps its type, and its data when that is immutable."""
    return [*basics.immutable(after.get("type"), before.get("type"), "type"), *same_data(after, before)]


def lease(obj: Json) -> list[fields.FieldError]:
    """Judge a Lease."""
    spec = obj.get("spec", {})
    return [
        *basics.positive(spec.get("leaseDurationSeconds"), "spec.leaseDurationSeconds"),
        *basics.not_negative(spec.get("leaseTransitions"), "spec.leaseTransitions"),
    ]


def priority_class(obj: Json) -> list[fields.FieldError]:
    """Judge a PriorityClass."""
    name, value = obj["metadata"].get("name", ""), obj["value"]
    policy = basics.optional_choice(
        obj.get("preemptionPolicy"), "preemptionPolicy", ("PreemptLowerPriority", "Never")
    )
    if name.startswith("system-"):
        if SYSTEM_CLASSES.get(name) != value:
            return [
                fields.forbidden("metadata.name", SYSTEM + f". error: {_system_problem(name)}"),
                *policy,
            ]
        return list(policy)
    if value > HIGHEST:
        return [
            fields.forbidden("value", f"maximum allowed value of a user defined priority is {HIGHEST}"),
            *policy,
        ]
    return list(policy)


def _system_problem(name: str) -> str:
    if name not in SYSTEM_CLASSES:
        return f"{name} is not a known system priority class"
    return f"value of {name} PriorityClass must be {SYSTEM_CLASSES[name]}"


def same_priority(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that value and policy of a PriorityClass stay."""
    value = (
        []
        if after["value"] == before["value"]
        else [fields.forbidden("value", "may not be changed in an update.")]
    )
    return [
        *value,
        *basics.immutable(after.get("preemptionPolicy"), before.get("preemptionPolicy"), "preemptionPolicy"),
    ]


def disruption_budget(obj: Json) -> list[fields.FieldError]:
    """Judge a PodDisruptionBudget."""
    spec = obj.get("spec", {})
    both = spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None
    why = "minAvailable and maxUnavailable cannot be both set"
    whole = [fields.invalid("spec", shown("policy.v1.PodDisruptionBudgetSpec", spec), why)] if both else []
    return [
        *whole,
        *(
            error
            for name in ("minAvailable", "maxUnavailable")
            for error in _amount(spec.get(name), f"spec.{name}")
        ),
        *basics.label_selector(spec.get("selector"), "spec.selector"),
        *basics.optional_choice(
            spec.get("unhealthyPodEvictionPolicy"),
            "spec.unhealthyPodEvictionPolicy",
            ("AlwaysAllow", "IfHealthyBudget"),
        ),
    ]


def _amount(value: Json, path: str) -> Errors:
    if value is not None:
        yield from strategies.count_or_percent(value, path)
        yield from strategies.at_most_all(value, path)


def disruption_status(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge a PodDisruptionBudget's status."""
    del old
    status = new.get("status", {})
    return [
        *(error for name in COUNTS for error in basics.not_negative(status.get(name), f"status.{name}")),
        *conditions.full(status.get("conditions") or [], "status.conditions"),
    ]
