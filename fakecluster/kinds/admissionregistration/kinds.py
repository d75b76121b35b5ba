"""The kinds of `admissionregistration.k8s.io`: rows and defaults (FK-301, FK-304)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.lazy_modules import LazyModule
from ..default_rules import Defaulter, both, constants
from ..row import EXTENSIONS, STATUS, row
from . import columns

if TYPE_CHECKING:
    from . import policies, policy_bindings, reserved_names, webhooks
else:
    policies = LazyModule(".policies", __package__)
    policy_bindings = LazyModule(".policy_bindings", __package__)
    reserved_names = LazyModule(".reserved_names", __package__)
    webhooks = LazyModule(".webhooks", __package__)

WEBHOOK = constants(
    failurePolicy="Fail", matchPolicy="Equivalent", namespaceSelector={}, objectSelector={}, timeoutSeconds=10
)
DEFAULTS: Mapping[str, Defaulter] = {
    "admissionregistration.v1.MatchResources": constants(
        matchPolicy="Equivalent", namespaceSelector={}, objectSelector={}
    ),
    "admissionregistration.v1.MutatingAdmissionPolicySpec": constants(failurePolicy="Fail"),
    "admissionregistration.v1.MutatingWebhook": both(WEBHOOK, constants(reinvocationPolicy="Never")),
    "admissionregistration.v1.NamedRuleWithOperations": constants(scope="*"),
    "admissionregistration.v1.RuleWithOperations": constants(scope="*"),
    "admissionregistration.v1.ServiceReference": constants(port=443),
    "admissionregistration.v1.ValidatingAdmissionPolicySpec": constants(failurePolicy="Fail"),
    "admissionregistration.v1.ValidatingWebhook": WEBHOOK,
}
KINDS: tuple[Kind, ...] = (
    row(
        "admissionregistration.v1.MutatingAdmissionPolicy",
        "mutatingadmissionpolicies",
        warnings=reserved_names.warnings,
        storage_version="v1beta1",
        categories=EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policies.mutating,
        columns=columns.MUTATING_POLICY,
    ),
    row(
        "admissionregistration.v1.MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
        storage_version="v1beta1",
        categories=EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policy_bindings.mutating,
        warnings=policy_bindings.warn_unevaluated,
        columns=columns.POLICY_BINDING,
    ),
    row(
        "admissionregistration.v1.MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        warnings=reserved_names.warnings,
        categories=EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
        validate=webhooks.mutating,
        columns=columns.WEBHOOKS,
    ),
    row(
        "admissionregistration.v1.ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        warnings=reserved_names.warnings,
        categories=EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policies.validating,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        validate_status=policies.status,
        columns=columns.VALIDATING_POLICY,
    ),
    row(
        "admissionregistration.v1.ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        categories=EXTENSIONS,
        namespaced=False,
        generation="spec",
        unconditional_update=False,
        validate=policy_bindings.validating,
        warnings=policy_bindings.with_parameters,
        columns=columns.POLICY_BINDING,
    ),
    row(
        "admissionregistration.v1.ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        warnings=reserved_names.warnings,
        categories=EXTENSIONS,
        namespaced=False,
        generation="all",
        unconditional_update=False,
        validate=webhooks.validating,
        columns=columns.WEBHOOKS,
    ),
)
