"""cluster-autoscaler's command line: how its flags are read, and what they ask for (PR-100…107)."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from reference_impl.api.address import parse_address
from reference_impl.api.duration import seconds

from .flag_table import ALL, FlagRow, FlagType

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
class ResourceRange:
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
    cores_total: ResourceRange = ResourceRange(0, 320_000)
    memory_total: ResourceRange = ResourceRange(0, 6_400_000)
    """GiB."""
    max_node_provision_time: float = 900.0
    max_node_startup_time: float = 900.0
    max_total_unready_percentage: float = 45.0
    ok_total_unready_count: int = 3
    initial_node_group_backoff_duration: float = 300.0
    max_node_group_backoff_duration: float = 1800.0
    node_group_backoff_reset_timeout: float = 10_800.0
    new_pod_scale_up_delay: float = 0.0
    scale_up_from_zero: bool = True
    salvo_scale_up: bool = False
    salvo_scale_up_budget: float = 60.0
    expander: str = "least-waste"
    balance_similar_node_groups: bool = False
    balancing_ignore_label: tuple[str, ...] = ()
    balancing_label: tuple[str, ...] = ()
    memory_difference_ratio: float = 0.015
    max_allocatable_difference_ratio: float = 0.05
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
    max_scale_down_parallelism: int = 10
    scale_down_unready_enabled: bool = True
    ignore_daemonsets_utilization: bool = False
    ignore_mirror_pods_utilization: bool = False
    skip_nodes_with_system_pods: bool = True
    skip_nodes_with_local_storage: bool = True
    skip_nodes_with_custom_controller_pods: bool = True
    max_bulk_soft_taint_count: int = 10
    write_status_configmap: bool = True
    record_duplicated_events: bool = False


@dataclass(frozen=True, slots=True)
class ParsedFlags:
    """A command line: what it asks for, and which of its flags do not do all that they say."""

    flags: Flags
    without_effect: tuple[FlagRow, ...] = ()
    overwritten: tuple[FlagRow, ...] = ()
    """Those of which only the last value counts, as it does in the real one."""


def parse(
    arguments: Sequence[str],
    *,
    defaults: Mapping[str, Any] = NOTHING,
    rows: Mapping[str, FlagRow] = ALL,
) -> ParsedFlags:
    """Read arguments as Go's flags are written: `--name=value`,
    `--name value`, and `--name` alone for a bool.

    `rows` are the flags that a release has. Raises FlagError.
    """
    chosen: dict[str, Any] = {}
    without_effect: dict[str, FlagRow] = {}
    overwritten: dict[str, FlagRow] = {}
    read_names: set[str] = set()
    rest = list(arguments)
    while rest:
        name, value = _split(rest.pop(0))
        row = rows.get(name)
        if row is None:
            raise FlagError(f"unknown flag --{name}{_nearest(name, rows)}")
        if value is None:
            value = "true" if row.type == "bool" else _next(name, rest)
        read = _read(row, value)
        if name in read_names and row.type != "texts":
            overwritten[name] = row
        read_names.add(name)
        if row.without:
            without_effect[name] = row
        else:
            chosen[row.field] = _again(chosen.get(row.field), read)
    return ParsedFlags(
        Flags(**{**defaults, **chosen}), tuple(without_effect.values()), tuple(overwritten.values())
    )


def defaults_of(rows: Mapping[str, FlagRow]) -> Mapping[str, Any]:
    """Return the fields whose default is another than that of the newest release (finding X8)."""
    newest = Flags()
    read = {row.field: _read(row, row.default) for row in rows.values() if not row.without and row.default}
    return MappingProxyType({name: value for name, value in read.items() if value != getattr(newest, name)})


def pop_switch(arguments: Sequence[str], name: str) -> tuple[bool, Sequence[str]]:
    """Take a switch of our own out of a command line: tell whether it was there, with the other arguments."""
    rest = [argument for argument in arguments if argument not in {f"--{name}", f"-{name}"}]
    return len(rest) < len(arguments), rest


def pop_flag(arguments: Sequence[str], name: str, default: str) -> tuple[str, Sequence[str]]:
    """Take a flag of our own out of a command line: return its value with the other arguments.

    Raises FlagError.
    """
    rest: list[str] = []
    value, remaining, is_given = default, list(arguments), False
    while remaining:
        argument = remaining.pop(0)
        flag, equals, text = argument.partition("=")
        if flag.lstrip("-") == name and argument.startswith("-"):
            if is_given:
                raise FlagError(f"flag --{name} is given twice: it takes one value")
            is_given = True
            value = text if equals else _next(name, remaining)
        else:
            rest.append(argument)
    return value, rest


def _split(argument: str) -> tuple[str, str | None]:
    if not argument.startswith("-") or not argument.strip("-"):
        raise FlagError(f"unexpected argument {argument!r}: flags begin with --")
    name, equals, value = argument.lstrip("-").partition("=")
    # As in the real one, whose flags of klog have underscores.
    return name.replace("_", "-"), value if equals else None


def _next(name: str, rest: list[str]) -> str:
    if not rest:
        raise FlagError(f"flag --{name} needs a value: write --{name}=VALUE")
    return rest.pop(0)


def _again(before: Any, value: Any) -> Any:
    """A flag that may be given several times keeps all values, any other the last."""
    return (*before, *value) if isinstance(value, tuple) and before else value


def _read(row: FlagRow, text: str) -> Any:
    try:
        return _READERS.get(row.name, _BY_TYPE[row.type])(text)
    except ValueError as error:
        raise FlagError(f"flag --{row.name}: {error}") from None


def _nearest(name: str, rows: Mapping[str, FlagRow]) -> str:
    near = difflib.get_close_matches(name, rows, n=1)
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


def _range(text: str) -> ResourceRange:
    least, colon, most = text.partition(":")
    if not colon:
        raise ValueError(f"{text!r} is no range; write MIN:MAX, for example 0:1000")
    bounds = ResourceRange(_int(least), _int(most))
    if not 0 <= bounds.least <= bounds.most:
        raise ValueError(f"{text!r}: 0 <= MIN <= MAX was expected")
    return bounds


_BY_TYPE: Final[Mapping[FlagType, Callable[[str], Any]]] = MappingProxyType(
    {
        "bool": _bool,
        "duration": seconds,
        "float": _float,
        "int": _int,
        "range": _range,
        "text": str,
        "texts": lambda text: (text,),
    }
)
_READERS: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {"expander": _expander, "address": _address, "provisioning-classes": _classes}
)
"""Flags whose text has to be more than of their type."""
