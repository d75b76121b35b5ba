"""ProvisioningRequestConfigs, and which one an AdmissionCheck refers to (PA-010…026, PA-033, PA-034)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from reference_impl.api.resource import Json

from . import messages

DEFAULT_LIMIT: Final = 3
DEFAULT_BASE: Final = 60
DEFAULT_MAXIMUM: Final = 1800


@dataclass(frozen=True, slots=True)
class RetryStrategy:
    """How often a request is made again, and after how many seconds (PA-015)."""

    limit: int = DEFAULT_LIMIT
    base: int = DEFAULT_BASE
    maximum: int = DEFAULT_MAXIMUM

    @classmethod
    def of(cls, spec: Json) -> RetryStrategy:
        """Read it; what a server that does not default leaves out has the defaults of the API (PA-019)."""
        names = (
            ("backoffLimitCount", DEFAULT_LIMIT),
            ("backoffBaseSeconds", DEFAULT_BASE),
            ("backoffMaxSeconds", DEFAULT_MAXIMUM),
        )
        strategy = spec.get("retryStrategy") or {}
        return cls(
            *(default if strategy.get(name) is None else int(strategy[name]) for name, default in names)
        )


@dataclass(frozen=True, slots=True)
class ProvisioningConfig:
    """The configuration of a check's requests."""

    class_name: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    managed: frozenset[str] = frozenset()
    """Resources that the autoscaler provides; none named means all."""
    retry: RetryStrategy = RetryStrategy()
    labels: tuple[tuple[str, str], ...] | None = None
    """Labels of nodes with the detail that says their value; None where nothing is said of them (PA-087)."""
    merge_policy: str = ""

    @classmethod
    def of(cls, obj: Json) -> ProvisioningConfig:
        """Read a ProvisioningRequestConfig, also one without a spec (PC-23)."""
        spec = obj.get("spec") or {}
        updates = spec.get("podSetUpdates")
        pairs = ((updates or {}).get("nodeSelector")) or ()
        return cls(
            class_name=spec.get("provisioningClassName") or "",
            parameters=spec.get("parameters") or {},
            managed=frozenset(spec.get("managedResources") or ()),
            retry=RetryStrategy.of(spec),
            labels=None
            if updates is None
            else tuple((pair["key"], pair["valueFromProvisioningClassDetail"]) for pair in pairs),
            merge_policy=spec.get("podSetMergePolicy") or "",
        )


@dataclass(frozen=True, slots=True)
class ConfigReference:
    """An AdmissionCheck's reference to a configuration, or its problem."""

    name: str = ""
    problem: str = ""

    @classmethod
    def of(cls, check: Json) -> ConfigReference:
        """Read `spec.parameters`; the first problem counts (PA-026)."""
        reference = (check.get("spec") or {}).get("parameters")
        if reference is None:
            return cls(problem=messages.MISSING_REFERENCE)
        name, group, kind = (reference.get(field) or "" for field in ("name", "apiGroup", "kind"))
        if not name:
            return cls(problem=f"empty name: {messages.BAD_REFERENCE}")
        if group != messages.CONFIG_GROUP:
            return cls(problem=messages.wrong("group", group, messages.CONFIG_GROUP))
        if kind != messages.CONFIG_KIND:
            return cls(problem=messages.wrong("kind", kind, messages.CONFIG_KIND))
        return cls(name=name)


def is_ours(check: Json | None) -> bool:
    """Tell whether an AdmissionCheck is answered here."""
    spec = (check or {}).get("spec") or {}
    return bool(spec.get("controllerName") == messages.CONTROLLER_NAME)


def affects_workloads(old: Json | None, new: Json | None) -> bool:
    """Tell whether Workloads feel a change of a configuration at once:
    class, parameters, managed resources (PA-030).
    """
    if old is None or new is None:
        return True
    before, after = ProvisioningConfig.of(old), ProvisioningConfig.of(new)
    return (before.class_name, before.parameters, before.managed) != (
        after.class_name,
        after.parameters,
        after.managed,
    )
