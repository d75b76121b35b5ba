"""Bindings of admission policies (FK-304, FK-320).

What nothing evaluates is stored with a Warning: mutations, and policies with parameters.
"""

from __future__ import annotations

from ...base.json_types import Json
from ...meta import names
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.basics import Errors
from ..validation.duplicates import repeats
from . import reserved_names
from .policies import match_resources, mutable_operations

NOT_EVALUATED_WARNING = (
    "this server stores mutating admission policies and their bindings but does not evaluate them"
)
WITH_PARAMETERS = "this server does not evaluate admission policies that have parameters"
ACTIONS = ("Audit", "Deny", "Warn")
NOT_FOUND = ["Deny", "Allow"]
DENY_AND_WARN = "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)"
NAME_AND_SELECTOR = "name and selector are mutually exclusive"


def validating(obj: Json) -> list[FieldError]:
    """Judge a ValidatingAdmissionPolicyBinding."""
    return [
        *_binding(obj.get("spec") or {}),
        *_actions((obj.get("spec") or {}).get("validationActions") or []),
    ]


def mutating(obj: Json) -> list[FieldError]:
    """Judge a MutatingAdmissionPolicyBinding."""
    spec = obj.get("spec") or {}
    return [*_binding(spec), *mutable_operations(spec.get("matchResources") or {}, "spec.matchResources")]


def warn_unevaluated(new: Json, old: Json) -> list[str]:
    """Return the warnings for a binding of a mutating policy."""
    return [*reserved_names.warnings(new, old), *([NOT_EVALUATED_WARNING] if old is None else [])]


def with_parameters(new: Json, old: Json) -> list[str]:
    """Return the warnings for a binding of a validating policy."""
    has_parameters = (new.get("spec") or {}).get("paramRef") is not None
    return [
        *reserved_names.warnings(new, old),
        *([WITH_PARAMETERS] if old is None and has_parameters else []),
    ]


def _binding(spec: Json) -> Errors:
    name = spec.get("policyName") or ""
    if not name:
        yield fields.required("spec.policyName")
    for problem in basics.dns_subdomain(name) if name else ():
        yield fields.invalid("spec.policyName", name, problem)
    if spec.get("paramRef") is not None:
        yield from _param_ref(spec["paramRef"], "spec.paramRef")
    if spec.get("matchResources") is not None:
        yield from match_resources(spec["matchResources"], "spec.matchResources")


def _param_ref(param_ref: Json, path: str) -> Errors:
    name, selector, action = (
        param_ref.get("name") or "",
        param_ref.get("selector"),
        param_ref.get("parameterNotFoundAction"),
    )
    for problem in names.path_problems(name) if name else ():
        yield fields.invalid(f"{path}.name", name, problem)
    if name and selector is not None:
        yield fields.forbidden(f"{path}.name", NAME_AND_SELECTOR)
    yield from basics.label_selector(selector, f"{path}.selector")
    if name and selector is not None:
        yield fields.forbidden(f"{path}.selector", NAME_AND_SELECTOR)
    if not name and selector is None:
        yield fields.required(path, "one of name or selector must be specified")
    if not action:
        yield fields.required(f"{path}.parameterNotFoundAction")
    elif action not in NOT_FOUND:
        yield fields.not_supported(f"{path}.parameterNotFoundAction", action, NOT_FOUND)


def _actions(actions: list[str]) -> Errors:
    path = "spec.validationActions"
    repeated = repeats(actions)
    for number, action in enumerate(actions):
        yield from basics.optional_choice(action, f"{path}[{number}]", ACTIONS)
        if number in repeated:
            yield fields.duplicate(f"{path}[{number}]", action)
    if {"Deny", "Warn"} <= set(actions):
        yield fields.invalid(path, actions, DENY_AND_WARN)
    if not actions:
        yield fields.required(path, "at least one validation action is required")
