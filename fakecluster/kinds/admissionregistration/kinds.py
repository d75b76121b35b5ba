"""The kinds of `admissionregistration.k8s.io`: rows, defaults and columns (FK-301, FK-304, FK-425)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Column, Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, UNSET, column, member
from ..default_rules import Defaulter, both, constants
from ..row import CATEGORY_EXTENSIONS, STATUS, row

if TYPE_CHECKING:
    from . import policies, policy_bindings, reserved_names, webhooks
else:
    policies = LazyModule(".policies", __package__)
    policy_bindings = LazyModule(".policy_bindings", __package__)
    reserved_names = LazyModule(".reserved_names", __package__)
    webhooks = LazyModule(".webhooks", __package__)

WEBHOOK_COLUMNS = (column("Webhooks", lambda obj: len(obj.get("webhooks") or ()), "integer"), AGE)
WEBHOOK_DEFAULTS = constants(
    failurePolicy="Fail", matchPolicy="Equivalent", namespaceSelector={}, objectSelector={}, timeoutSeconds=10
)
DEFAULTS: Mapping[str, Defaulter] = {
    "admissionregistration.v1.MatchResources": constants(
        matchPolicy="Equivalent", namespaceSelector={}, objectSelector={}
    ),
    "admissionregistration.v1.MutatingAdmissionPolicySpec": constants(failurePolicy="Fail"),
    "admissionregistration.v1.MutatingWebhook": both(WEBHOOK_DEFAULTS, constants(reinvocationPolicy="Never")),
    "admissionregistration.v1.NamedRuleWithOperations": constants(scope="*"),
    "admissionregistration.v1.RuleWithOperations": constants(scope="*"),
    "admissionregistration.v1.ServiceReference": constants(port=443),
    "admissionregistration.v1.ValidatingAdmissionPolicySpec": constants(failurePolicy="Fail"),
    "admissionregistration.v1.ValidatingWebhook": WEBHOOK_DEFAULTS,
}


def _parameter_kind(policy: Json) -> str:
    param_kind = member("spec", "paramKind", default=None)(policy)
    return f"{param_kind.get('apiVersion', '')}/{param_kind.get('kind', '')}" if param_kind else UNSET


def _parameters(binding: Json) -> str:
    param_ref = member("spec", "paramRef", default=None)(binding)
    if not param_ref:
        return UNSET
    name = param_ref.get("name") or "*"
    return f"{param_ref['namespace']}/{name}" if param_ref.get("namespace") else str(name)


def _policy(counted: str, shown: str) -> tuple[Column, ...]:
    return (
        column(shown, lambda obj: len(member("spec", counted, default=())(obj)), "integer"),
        column("ParamKind", _parameter_kind),
        AGE,
    )


POLICY_BINDING_COLUMNS = (
    column("PolicyName", member("spec", "policyName")),
    column("ParamRef", _parameters),
    AGE,
)
MUTATING_POLICY_COLUMNS = _policy("mutations", "Mutations")
VALIDATING_POLICY_COLUMNS = _policy("validations", "Validations")


KINDS: tuple[Kind, ...] = (
    row(
        "admissionregistration.v1.MutatingAdmissionPolicy",
        "mutatingadmissionpolicies",
        warnings=reserved_names.warnings,
        storage_version="v1beta1",
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policies.mutating,
        columns=MUTATING_POLICY_COLUMNS,
    ),
    row(
        "admissionregistration.v1.MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
        storage_version="v1beta1",
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policy_bindings.mutating,
        warnings=policy_bindings.warn_unevaluated,
        columns=POLICY_BINDING_COLUMNS,
    ),
    row(
        "admissionregistration.v1.MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        warnings=reserved_names.warnings,
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
        validate=webhooks.mutating,
        columns=WEBHOOK_COLUMNS,
    ),
    row(
        "admissionregistration.v1.ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        warnings=reserved_names.warnings,
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policies.validating,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        validate_status=policies.status,
        columns=VALIDATING_POLICY_COLUMNS,
    ),
    row(
        "admissionregistration.v1.ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policy_bindings.validating,
        warnings=policy_bindings.with_parameters,
        columns=POLICY_BINDING_COLUMNS,
    ),
    row(
        "admissionregistration.v1.ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        warnings=reserved_names.warnings,
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
        validate=webhooks.validating,
        columns=WEBHOOK_COLUMNS,
    ),
)
