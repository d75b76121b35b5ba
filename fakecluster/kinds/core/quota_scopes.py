"""Scopes of a ResourceQuota: which there are, what they can count, which exclude each other (FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...schema import fields
from ..validation.basics import Errors
from .pod.validation import resources

COMPUTE = frozenset(
    {"pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
)
CLAIMS = frozenset({"persistentvolumeclaims", "requests.storage"})
RESOURCES_OF_SCOPE = {
    "Terminating": COMPUTE,
    "NotTerminating": COMPUTE,
    "BestEffort": frozenset({"pods"}),
    "NotBestEffort": COMPUTE,
    "PriorityClass": COMPUTE,
    "CrossNamespacePodAffinity": COMPUTE,
    "VolumeAttributesClass": CLAIMS,
}
OPPOSITE_SCOPES = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
WITHOUT_VALUES = frozenset(
    {"BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"}
)
ONLY_EXISTS = (
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
    "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
)
NO_VALUE = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
A_VALUE = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"


def judge_scopes(names: list[str], hard: Json) -> Errors:
    """Judge the plain list of scopes."""
    path = "spec.scopes"
    for scope in names:
        if scope not in RESOURCES_OF_SCOPE:
            yield fields.invalid(path, names, "unsupported scope")
        for _ in _uncountable(scope, hard):
            yield fields.invalid(path, names, "unsupported scope applied to resource")
    yield from _conflicts(set(names), path, names)


def judge_selector(spec: Json, hard: Json) -> Errors:
    """Judge the scope selector."""
    path, scope_names = "spec.scopeSelector.matchExpressions", set()
    for expression in (spec.get("scopeSelector") or {}).get("matchExpressions") or ():
        name = expression.get("scopeName", "")
        scope_names.add(name)
        if name not in RESOURCES_OF_SCOPE:
            yield fields.invalid(f"{path}.scopeName", name, "unsupported scope")
        for _ in _uncountable(name, hard):
            yield fields.invalid(
                f"{path}.scopeName", spec["scopeSelector"], "unsupported scope applied to resource"
            )
        yield from _operator(expression, name, path)
    yield from _conflicts(scope_names, path, spec.get("scopes"))


def _uncountable(scope: str, hard: Json) -> list[str]:
    """Return the resources of a quota that the server knows and the scope cannot count."""
    counted = RESOURCES_OF_SCOPE.get(scope, resources.KNOWN_RESOURCES)
    return [name for name in sorted(hard) if name in resources.KNOWN_RESOURCES and name not in counted]


def _operator(expression: Json, name: str, path: str) -> Errors:
    operator, values = expression.get("operator", ""), expression.get("values") or []
    if name in WITHOUT_VALUES and operator != "Exists":
        yield fields.invalid(f"{path}.operator", operator, ONLY_EXISTS)
    if operator in {"In", "NotIn"}:
        if not values:
            yield fields.required(f"{path}.values", NO_VALUE)
    elif operator not in {"Exists", "DoesNotExist"}:
        yield fields.invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif values:
        yield fields.invalid(f"{path}.values", values, A_VALUE)


def _conflicts(scope_names: set[str], path: str, go_value: Json) -> Errors:
    for pair in OPPOSITE_SCOPES:
        if set(pair) <= scope_names:
            yield fields.invalid(path, go_value, "conflicting scopes")
