"""Admission policies (FK-304, FK-320): judged as the real server does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...base.json_types import Json
from ...meta import labels, names
from ...schema import fields
from ...schema.cel.model.values import RESERVED_WORDS
from ...schema.fields import FieldError
from ..validation import basics, conditions
from ..validation.basics import Errors
from ..validation.duplicates import repeats
from . import webhooks

if TYPE_CHECKING:
    from ...schema.cel.requests import RuleVariables

FAILURE_POLICIES = ("Fail", "Ignore")
MATCH_POLICIES = ("Equivalent", "Exact")
REASONS = ("Forbidden", "Invalid", "RequestEntityTooLarge")
POLICY_OPERATIONS = ("*", "CONNECT", "CREATE", "UPDATE")
PATCH_TYPES = ["ApplyConfiguration", "JSONPatch"]
ONE_ITEM = "validations or auditAnnotations must contain at least one item"
MOST_ANNOTATIONS = 20
IDENTIFIER = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")


def validating(obj: Json) -> list[FieldError]:
    """Judge a ValidatingAdmissionPolicy."""
    spec = obj.get("spec") or {}
    terms = _terms(spec)
    errors = [*_common(spec, terms)]
    if not spec.get("validations") and not spec.get("auditAnnotations"):
        return [
            *errors,
            *(fields.required(f"spec.{name}", ONE_ITEM) for name in ("validations", "auditAnnotations")),
        ]
    for number, validation in enumerate(spec.get("validations") or ()):
        errors += _validation(validation, f"spec.validations[{number}]", terms)
    return [
        *errors,
        *_annotations(obj["metadata"].get("name", ""), spec.get("auditAnnotations") or [], terms),
    ]


def mutating(obj: Json) -> list[FieldError]:
    """Judge a MutatingAdmissionPolicy."""
    spec = obj.get("spec") or {}
    terms = _terms(spec)
    errors = [*_common(spec, terms, mutating=True)]
    if not spec.get("mutations"):
        errors.append(fields.required("spec.mutations", "mutations must contain at least one item"))
    for number, mutation in enumerate(spec.get("mutations") or ()):
        errors += _mutation(mutation, f"spec.mutations[{number}]", terms.of_patches())
    policy = spec.get("reinvocationPolicy")
    if not policy:
        return [*errors, fields.required("spec.reinvocationPolicy")]
    return [*errors, *basics.optional_choice(policy, "spec.reinvocationPolicy", webhooks.REINVOCATION)]


def status(new: Json, old: Json) -> list[FieldError]:
    """Judge the status of a policy."""
    del old
    status = new.get("status") or {}
    errors: list[FieldError] = []
    for number, expression_warning in enumerate(
        (status.get("typeChecking") or {}).get("expressionWarnings") or ()
    ):
        path = f"status.typeChecking.expressionWarnings[{number}]"
        errors += [
            fields.required(f"{path}.{name}")
            for name in ("warning", "fieldRef")
            if not expression_warning.get(name)
        ]
    return [*errors, *conditions.full(status.get("conditions") or [], "status.conditions")]


def _terms(spec: Json) -> RuleVariables:
    from ...schema.cel.requests import RuleVariables  # few clusters have policies

    return RuleVariables.of(spec.get("variables") or (), params=spec.get("paramKind") is not None)


def _common(spec: Json, terms: RuleVariables, *, mutating: bool = False) -> Errors:
    yield from basics.optional_choice(spec.get("failurePolicy"), "spec.failurePolicy", FAILURE_POLICIES)
    if spec.get("paramKind") is not None:
        yield from _param_kind(spec["paramKind"], "spec.paramKind")
    constraints = spec.get("matchConstraints")
    if constraints is None:
        yield fields.required("spec.matchConstraints")
    else:
        yield from match_resources(constraints, "spec.matchConstraints")
        if not constraints.get("resourceRules"):
            yield fields.required("spec.matchConstraints.resourceRules")
        yield from mutable_operations(constraints, "spec.matchConstraints") if mutating else ()
    yield from webhooks.conditions(spec.get("matchConditions") or [], "spec.matchConditions", terms.plain)
    for number, variable in enumerate(spec.get("variables") or ()):
        yield from _variable(variable, f"spec.variables[{number}]", terms.before(number))


def _param_kind(kind: Json, path: str) -> Errors:
    version, name = kind.get("apiVersion") or "", kind.get("kind") or ""
    group, slash, number = version.rpartition("/")
    where = f"{path}.apiVersion"
    if not version:
        yield fields.required(where)
    elif version.count("/") > 1:
        yield fields.invalid(where, version, f"unexpected GroupVersion string: {version}")
    else:
        if slash and (problems := basics.dns_subdomain(group)):
            yield fields.invalid(where, group, ",".join(problems))
        if not number:
            yield fields.invalid(where, version, "version must be specified")
        elif not webhooks.LABEL_1035.fullmatch(number):
            yield fields.invalid(where, number, webhooks.LABEL_1035_TEXT)
    if not name:
        yield fields.required(f"{path}.kind")
    elif not webhooks.LABEL_1035.fullmatch(name.lower()):
        why = f"may have mixed case, but should otherwise match: {webhooks.LABEL_1035_TEXT}"
        yield fields.invalid(f"{path}.kind", name, why)


def match_resources(match_resources: Json, path: str) -> Errors:
    """Judge what a policy or a binding is about."""
    yield from basics.optional_choice(
        match_resources.get("matchPolicy"), f"{path}.matchPolicy", MATCH_POLICIES
    )
    for name in ("namespaceSelector", "objectSelector"):
        yield from basics.label_selector(match_resources.get(name), f"{path}.{name}")
    for name in ("resourceRules", "excludeResourceRules"):
        for number, rule in enumerate(match_resources.get(name) or ()):
            yield from _rule(rule, f"{path}.{name}[{number}]")


def _rule(rule: Json, path: str) -> Errors:
    listed = rule.get("resourceNames") or []
    repeated = repeats(listed)
    for number, name in enumerate(listed):
        for problem in names.path_problems(name):
            yield fields.invalid(f"{path}.resourceNames[{number}]", name, problem)
        if number in repeated:
            yield fields.duplicate(f"{path}.resourceNames[{number}]", name)
    yield from webhooks.rule(rule, path)


def mutable_operations(match_resources: Json, path: str) -> Errors:
    """Refuse what a mutation cannot have to do with, such as a deletion."""
    for rule in match_resources.get("resourceRules") or ():
        for operation in rule.get("operations") or ():
            yield from basics.optional_choice(
                operation, f"{path}.resourceRules.operations", POLICY_OPERATIONS
            )


def _variable(variable: Json, path: str, terms: RuleVariables) -> Errors:
    name, expression = (variable.get("name") or "").strip(), variable.get("expression") or ""
    if not name:
        yield fields.required(f"{path}.name", "name is not specified")
    elif not IDENTIFIER.fullmatch(name) or name in RESERVED_WORDS:
        yield fields.invalid(f"{path}.name", variable["name"], "must be a valid CEL identifier")
    if not expression.strip():
        yield fields.required(f"{path}.expression", "expression is not specified")
    elif why := terms.problem(expression, ()):
        yield fields.invalid(f"{path}.expression", expression, why)


def _validation(validation: Json, path: str, terms: RuleVariables) -> Errors:
    expression, message_expression, message = (
        validation.get(name) or "" for name in ("expression", "messageExpression", "message")
    )
    if not expression.strip():
        yield fields.required(f"{path}.expression", "expression is not specified")
    elif why := terms.problem(expression, ("bool",)):
        yield fields.invalid(f"{path}.expression", expression, why)
    if message_expression and not message_expression.strip():
        yield fields.invalid(
            f"{path}.messageExpression", message_expression, "must be non-empty if specified"
        )
    elif message_expression and (why := terms.problem(message_expression, ("string",))):
        yield fields.invalid(f"{path}.messageExpression", message_expression, why)
    if message and not message.strip():
        yield fields.invalid(f"{path}.message", message, "must be non-empty if specified")
    elif re.search(r"[\n\r]", message.strip()):
        yield fields.invalid(f"{path}.message", message, "must not contain line breaks")
    yield from basics.optional_choice(validation.get("reason"), f"{path}.reason", REASONS)


def _annotations(name: str, annotations: Json, terms: RuleVariables) -> Errors:
    path = "spec.auditAnnotations"
    if len(annotations) > MOST_ANNOTATIONS:
        yield fields.invalid(
            path, annotations, f"must not have more than {MOST_ANNOTATIONS} auditAnnotations"
        )
    repeated = repeats(annotation.get("key") for annotation in annotations)
    for number, annotation in enumerate(annotations):
        where, key, expression = (
            f"{path}[{number}]",
            annotation.get("key") or "",
            annotation.get("valueExpression") or "",
        )
        for problem in labels.key_problems(f"{name}/{key}"):
            yield fields.invalid(f"{where}.key", f"{name}/{key}", problem)
        if not expression.strip():
            yield fields.required(f"{where}.valueExpression", "valueExpression is not specified")
        elif why := terms.problem(expression.strip(), ("string", "null_type")):
            yield fields.invalid(f"{where}.valueExpression", expression, why)
        if number in repeated:
            yield fields.duplicate(f"{where}.key", key)


_PATCHES: Mapping[str, tuple[str, str, str]] = {
    "JSONPatch": ("jsonPatch", "applyConfiguration", "list(JSONPatch)"),
    "ApplyConfiguration": ("applyConfiguration", "jsonPatch", "Object"),
}
"""By type of patch: the member that it needs, the one that it excludes, and what its expression gives."""


def _mutation(mutation: Json, path: str, terms: RuleVariables) -> Errors:
    kind = mutation.get("patchType") or ""
    if kind not in _PATCHES:
        where = f"{path}.patchType"
        yield fields.not_supported(where, kind, PATCH_TYPES) if kind else fields.required(where)
        return
    member, other, cel_type = _PATCHES[kind]
    if mutation.get(member) is None:
        yield fields.required(f"{path}.{member}", f"must be specified when patchType is {kind}")
    else:
        expression = (mutation[member].get("expression") or "").strip()
        if not expression:
            yield fields.required(f"{path}.{member}.expression")
        elif why := terms.problem(expression, (cel_type,)):
            yield fields.invalid(f"{path}.{member}.expression", expression, why)
    if mutation.get(other) is not None:
        yield fields.invalid(
            f"{path}.{other}", f"{{{other}}}", f"must not be specified when patchType is {kind}"
        )
