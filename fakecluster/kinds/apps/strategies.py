"""How workloads replace their pods: update strategies and retention (FK-500)."""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers.integers import parse_capped
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from ..validation.percentages import PERCENT, at_most_all, count_or_percent


def deployment(spec: Json) -> Errors:
    """Judge a Deployment's strategy."""
    value, path = spec.get("strategy") or {}, "spec.strategy"
    rolling = value.get("rollingUpdate")
    if value.get("type") == "Recreate":
        if rolling is not None:
            yield fields.forbidden(
                f"{path}.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"
            )
    elif value.get("type") == "RollingUpdate":
        yield from _rolling(rolling or {}, f"{path}.rollingUpdate")
    else:
        # Go passes the whole struct as the bad value, so the message prints all its fields.
        go_struct = to_go_struct("apps.v1.DeploymentStrategy", value)
        yield fields.not_supported(path, go_struct, ["Recreate", "RollingUpdate"])


def _rolling(value: Json, path: str) -> Errors:
    surge, unavailable = value.get("maxSurge", 0), value.get("maxUnavailable", 0)
    yield from count_or_percent(unavailable, f"{path}.maxUnavailable")
    yield from count_or_percent(surge, f"{path}.maxSurge")
    if _number(surge) == 0 and _number(unavailable) == 0:
        yield fields.invalid(f"{path}.maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0")
    yield from at_most_all(unavailable, f"{path}.maxUnavailable")


def _number(value: Json) -> int:
    if isinstance(value, str):
        return parse_capped(value[:-1]) if PERCENT.fullmatch(value) else 0
    return int(value)


def stateful_set(spec: Json) -> Errors:
    """Judge how a StatefulSet starts and replaces pods and what becomes of claims."""
    policy = spec.get("podManagementPolicy")
    if not policy:
        yield fields.required("spec.podManagementPolicy")
    elif policy not in {"OrderedReady", "Parallel"}:
        yield fields.invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    yield from _stateful_update(spec.get("updateStrategy") or {}, "spec.updateStrategy")
    retention = spec.get("persistentVolumeClaimRetentionPolicy") or {}
    for name in ("whenDeleted", "whenScaled"):
        path = f"spec.persistentVolumeClaimRetentionPolicy.{name}"
        yield from basics.optional_choice(retention.get(name), path, ("Retain", "Delete"))


def _stateful_update(value: Json, path: str) -> Errors:
    kind, rolling = value.get("type"), value.get("rollingUpdate")
    if kind == "OnDelete" and rolling is not None:
        go_struct = to_go_struct("apps.v1.RollingUpdateStatefulSetStrategy", rolling)
        yield fields.invalid(
            f"{path}.rollingUpdate", go_struct, "only allowed for updateStrategy 'RollingUpdate'"
        )
    elif kind == "RollingUpdate":
        yield from basics.not_negative((rolling or {}).get("partition"), f"{path}.rollingUpdate.partition")
    elif kind not in {"OnDelete", "RollingUpdate"}:
        go_struct = to_go_struct("apps.v1.StatefulSetUpdateStrategy", value)
        yield fields.invalid(path, go_struct, "must be 'RollingUpdate' or 'OnDelete'")


def daemon_set(spec: Json) -> Errors:
    """Judge a DaemonSet's strategy."""
    value = spec.get("updateStrategy") or {}
    if value.get("type") not in {"RollingUpdate", "OnDelete"}:
        go_struct = to_go_struct("apps.v1.DaemonSetUpdateStrategy", value)
        yield fields.not_supported("spec.updateStrategy", go_struct, ["RollingUpdate", "OnDelete"])
        return
    if value["type"] == "RollingUpdate":
        yield from _daemon_rolling(value.get("rollingUpdate") or {}, "spec.updateStrategy.rollingUpdate")


def _daemon_rolling(value: Json, path: str) -> Errors:
    surge, unavailable = value.get("maxSurge", 0), value.get("maxUnavailable", 0)
    for name, amount in (("maxUnavailable", unavailable), ("maxSurge", surge)):
        yield from count_or_percent(amount, f"{path}.{name}")
        yield from at_most_all(amount, f"{path}.{name}")
    if _number(unavailable) and _number(surge):
        yield fields.invalid(f"{path}.maxSurge", surge, "may not be set when maxUnavailable is non-zero")
    elif not _number(unavailable) and not _number(surge):
        yield fields.required(f"{path}.maxUnavailable", "cannot be 0 when maxSurge is 0")
