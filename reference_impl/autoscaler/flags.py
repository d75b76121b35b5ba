"""cluster-autoscaler's command line: the flags that have a meaning here,
and those that only tune the real program (PR-100…107).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final

from reference_impl.api.address import parse_address
from reference_impl.api.duration import seconds

EXPANDERS: Final = ("least-nodes", "least-waste", "most-pods", "random")
OFF: Final = "off"
ENFORCED: Final = "enforced"
CLASSES: Final = (OFF, "permissive", ENFORCED)
TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})


class FlagError(Exception):
    """A command line that cannot be used; the text says which flag, and what was expected."""


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most of a resource in the cluster, `MIN:MAX`."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What was asked for. Times are seconds."""

    kubeconfig: str = ""
    address: str = ":8085"
    cloud_provider: str = ""
    cloud_config: str = ""
    leader_elect: bool = True
    namespace: str = "kube-system"
    status_config_map_name: str = "cluster-autoscaler-status"
    enable_provisioning_requests: bool = False
    provisioning_request_initial_backoff_time: float = 60.0
    provisioning_request_max_backoff_time: float = 600.0
    provisioning_request_max_backoff_cache_size: int = 1000
    check_capacity_batch_processing: bool = False
    check_capacity_provisioning_request_max_batch_size: int = 10
    check_capacity_provisioning_request_batch_timebox: float = 10.0
    check_capacity_processor_instance: str = ""
    scan_interval: float = 10.0
    frequent_loops_enabled: bool = True
    max_nodes_per_scaleup: int = 1000
    max_nodes_total: int = 0
    cores_total: Range = Range(0, 320_000)
    memory_total: Range = Range(0, 6_400_000)
    """GiB."""
    max_node_provision_time: float = 900.0
    max_node_startup_time: float = 900.0
    max_total_unready_percentage: float = 45.0
    ok_total_unready_count: int = 3
    initial_node_group_backoff_duration: float = 300.0
    max_node_group_backoff_duration: float = 1800.0
    node_group_backoff_reset_timeout: float = 10_800.0
    new_pod_scale_up_delay: float = 0.0
    expander: str = "least-waste"
    balance_similar_node_groups: bool = False
    balancing_ignore_label: tuple[str, ...] = ()
    provisioning_classes: str = OFF
    """Whether ProvisioningClasses count: `off`, `permissive` or `enforced` (PR-271)."""
    node_autoprovisioning_enabled: bool = False
    max_autoprovisioned_node_group_count: int = 15
    scale_down_enabled: bool = True
    scale_down_unneeded_time: float = 600.0
    scale_down_unready_time: float = 1200.0
    scale_down_delay_after_add: float = 600.0
    scale_down_delay_after_delete: float = 0.0
    scale_down_delay_after_failure: float = 180.0
    scale_down_utilization_threshold: float = 0.5
    unremovable_node_recheck_timeout: float = 300.0
    max_empty_bulk_delete: int = 10
    skip_nodes_with_system_pods: bool = True
    skip_nodes_with_local_storage: bool = True
    skip_nodes_with_custom_controller_pods: bool = True
    max_bulk_soft_taint_count: int = 10
    write_status_configmap: bool = True
    record_duplicated_events: bool = False


@dataclass(frozen=True, slots=True)
class ParsedFlags:
    """A command line: what it asks for, and what of it has no meaning here."""

    flags: Flags
    ignored: tuple[str, ...] = ()


TUNING: Final = frozenset({
    "v", "vmodule", "logtostderr", "alsologtostderr", "stderrthreshold", "log-file", "log-dir", "log-json-format", "logging-format",
    "kube-client-qps", "kube-client-burst", "kube-api-content-type", "profiling", "node-delete-delay-after-taint",
    "max-bulk-soft-taint-time", "max-inactivity", "max-failing-time", "max-nodegroup-binpacking-duration", "scale-down-simulation-timeout",
    "scale-down-non-empty-candidates-count", "scale-down-candidates-pool-ratio", "scale-down-candidates-pool-min-count", "max-graceful-termination-sec",
    "max-pod-eviction-time", "max-scale-down-parallelism", "max-drain-parallelism", "node-deletion-batcher-interval", "emit-per-nodegroup-metrics",
    "debugging-snapshot-enabled", "leader-elect-lease-duration", "leader-elect-renew-deadline",
    "leader-elect-retry-period", "leader-elect-resource-lock", "leader-elect-resource-name", "leader-elect-resource-namespace", "user-agent",
    "cluster-name", "cluster-snapshot-parallelism", "parallel-scale-up", "force-delete-unregistered-nodes", "node-info-cache-expire-time",
    "cordon-node-before-terminating", "daemonset-eviction-for-empty-nodes", "daemonset-eviction-for-occupied-nodes", "unremovable-node-recheck-timeout-jitter",
    "expendable-pods-priority-cutoff", "ignore-daemonsets-utilization", "ignore-mirror-pods-utilization", "min-replica-count", "regional",
    "scale-down-gpu-utilization-threshold", "gpu-total", "scale-up-from-zero", "enforce-node-group-min-size", "skip-nodes-with-custom-controller",
})  # fmt: skip
"""Flags that tune how the real program works, not what it does; they are taken and left aside."""


def parse(
    arguments: Sequence[str], *, defaults: Mapping[str, Any] = NOTHING, missing: Collection[str] = ()
) -> ParsedFlags:
    """Read arguments as Go's flags are written: `--name=value`,
    `--name value`, and `--name` alone for a bool.

    `missing` names fields that a release has no flag for. Raises FlagError.
    """
    chosen: dict[str, Any] = {}
    ignored: list[str] = []
    rest = list(arguments)
    while rest:
        name, value = _split(rest.pop(0))
        if name in TUNING:
            ignored.append(name)
            if value is None and rest and not rest[0].startswith("-"):
                rest.pop(0)
            continue
        field = name.replace("-", "_")
        reader = None if field in missing else _READERS.get(field)
        if reader is None:
            raise FlagError(f"unknown flag --{name}{_nearest(name)}")
        if value is None:
            value = "true" if reader is _bool else _next(name, rest)
        chosen[field] = _again(chosen.get(field), _read(name, reader, value))
    return ParsedFlags(Flags(**{**defaults, **chosen}), tuple(ignored))


def pop_switch(arguments: Sequence[str], name: str) -> tuple[bool, Sequence[str]]:
    """Take a switch of our own out of a command line: tell whether it was there, with the other arguments."""
    rest = [argument for argument in arguments if argument not in {f"--{name}", f"-{name}"}]
    return len(rest) < len(arguments), rest


def pop_flag(arguments: Sequence[str], name: str, default: str) -> tuple[str, Sequence[str]]:
    """Take a flag of our own out of a command line: return its value with the other arguments.

    Raises FlagError.
    """
    rest: list[str] = []
    value, remaining = default, list(arguments)
    while remaining:
        argument = remaining.pop(0)
        flag, equals, text = argument.partition("=")
        if flag.lstrip("-") == name and argument.startswith("-"):
            value = text if equals else _next(name, remaining)
        else:
            rest.append(argument)
    return value, rest


def _split(argument: str) -> tuple[str, str | None]:
    if not argument.startswith("-") or not argument.strip("-"):
        raise FlagError(f"unexpected argument {argument!r}: flags begin with --")
    name, equals, value = argument.lstrip("-").partition("=")
    return name, value if equals else None


def _next(name: str, rest: list[str]) -> str:
    if not rest:
        raise FlagError(f"flag --{name} needs a value: write --{name}=VALUE")
    return rest.pop(0)


def _again(before: Any, value: Any) -> Any:
    """A flag that may be given several times keeps all values, any other the last."""
    return (*before, *value) if isinstance(value, tuple) and before else value


def _read(name: str, reader: Callable[[str], Any], text: str) -> Any:
    try:
        return reader(text)
    except ValueError as error:
        raise FlagError(f"flag --{name}: {error}") from None


def _nearest(name: str) -> str:
    names = [*(reader.replace("_", "-") for reader in _READERS), *TUNING]
    near = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean --{near[0]}?" if near else ""


def _bool(text: str) -> bool:
    if text in TRUE:
        return True
    if text in FALSE:
        return False
    raise ValueError(f"{text!r} is no bool; write true or false")


def _int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no whole number") from None


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None


def _expander(text: str) -> str:
    for name in text.split(","):
        if name not in EXPANDERS:
            raise ValueError(f"{name!r} is not known: {', '.join(EXPANDERS)}")
    return text


def _classes(text: str) -> str:
    if text not in CLASSES:
        raise ValueError(f"{text!r} is not known: {', '.join(CLASSES)}")
    return text


def _address(text: str) -> str:
    parse_address(text)
    return text


def _range(text: str) -> Range:
    least, colon, most = text.partition(":")
    if not colon:
        raise ValueError(f"{text!r} is no range; write MIN:MAX, for example 0:1000")
    bounds = Range(_int(least), _int(most))
    if not 0 <= bounds.least <= bounds.most:
        raise ValueError(f"{text!r}: 0 <= MIN <= MAX was expected")
    return bounds


_BY_TYPE: Final[dict[str, Callable[[str], Any]]] = {
    "bool": _bool,
    "int": _int,
    "float": _float,
    "str": str,
    "Range": _range,
    "tuple[str, ...]": lambda text: (text,),
}
_NUMBERS: Final = frozenset({"max_total_unready_percentage", "scale_down_utilization_threshold"})
"""Numbers that are no times."""
TIMES: Final = frozenset(field.name for field in fields(Flags) if field.type == "float") - _NUMBERS
_OWN: Final[dict[str, Callable[[str], Any]]] = {
    "expander": _expander,
    "address": _address,
    "provisioning_classes": _classes,
}
_READERS: Final[dict[str, Callable[[str], Any]]] = {
    field.name: seconds if field.name in TIMES else _BY_TYPE[str(field.type)] for field in fields(Flags)
} | _OWN
