"""Webhook configurations (FK-301)."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...base.json_types import Json
from ...meta import labels
from ...meta.client_config import client_config_errors
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from ..validation.duplicates import repeats

THREE_SEGMENTS = "should be a domain with at least three segments separated by dots"
POLICIES = {
    "failurePolicy": ("Fail", "Ignore"),
    "matchPolicy": ("Equivalent", "Exact"),
}
SIDE_EFFECTS = ("None", "NoneOnDryRun")
REINVOCATION = ("IfNeeded", "Never")
OPERATIONS = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
SCOPES = ("*", "Cluster", "Namespaced")
VERSIONS = ("v1", "v1beta1")
MOST_CONDITIONS = 64
LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
LABEL_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and"
    " end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
    " '[a-z]([-a-z0-9]*[a-z0-9])?')"
)


def validating(obj: Json) -> list[fields.FieldError]:
    """Judge a ValidatingWebhookConfiguration."""
    return _configuration(obj, _webhook)


def mutating(obj: Json) -> list[fields.FieldError]:
    """Judge a MutatingWebhookConfiguration."""
    return _configuration(obj, _mutating)


def _configuration(obj: Json, judge: Callable[[Json, str], Errors]) -> list[fields.FieldError]:
    errors: list[fields.FieldError] = []
    names: set[str] = set()
    for number, webhook in enumerate(obj.get("webhooks") or ()):
        path = f"webhooks[{number}]"
        errors += judge(webhook, path)
        errors += _versions(webhook.get("admissionReviewVersions") or [], f"{path}.admissionReviewVersions")
        if webhook["name"] in names:
            errors.append(fields.duplicate(f"{path}.name", webhook["name"]))
        names.add(webhook["name"])
    return errors


def _mutating(webhook: Json, path: str) -> Errors:
    yield from _webhook(webhook, path)
    yield from basics.optional_choice(
        webhook.get("reinvocationPolicy"), f"{path}.reinvocationPolicy", REINVOCATION
    )


def _webhook(webhook: Json, path: str) -> Errors:
    yield from _name(webhook["name"], f"{path}.name")
    for number, webhook_rule in enumerate(webhook.get("rules") or ()):
        yield from rule(webhook_rule, f"{path}.rules[{number}]")
    for name, allowed in POLICIES.items():
        yield from basics.optional_choice(webhook.get(name), f"{path}.{name}", allowed)
    if webhook.get("sideEffects") is None:
        yield fields.required(f"{path}.sideEffects", f"must specify one of {', '.join(SIDE_EFFECTS)}")
    yield from basics.optional_choice(webhook.get("sideEffects"), f"{path}.sideEffects", SIDE_EFFECTS)
    if not 1 <= webhook.get("timeoutSeconds", 1) <= 30:
        why = "the timeout value must be between 1 and 30 seconds"
        yield fields.invalid(f"{path}.timeoutSeconds", webhook["timeoutSeconds"], why)
    for name in ("namespaceSelector", "objectSelector"):
        yield from basics.label_selector(webhook.get(name), f"{path}.{name}")
    yield from client_config_errors(webhook.get("clientConfig") or {}, f"{path}.clientConfig")
    yield from conditions(webhook.get("matchConditions") or [], f"{path}.matchConditions")


def _name(name: str, path: str) -> Errors:
    if not name:
        yield fields.required(path)
        return
    problems = basics.dns_subdomain(name)
    for problem in problems:
        yield fields.invalid(path, name, problem)
    if not problems and len(name.split(".")) < 3:
        yield fields.invalid(path, name, THREE_SEGMENTS)


def conditions(match_conditions: Json, path: str, problem_of: Callable[[str], str] | None = None) -> Errors:
    """Judge match conditions: named, and compilable (FK-303)."""
    if len(match_conditions) > MOST_CONDITIONS:
        yield fields.too_many(path, len(match_conditions), MOST_CONDITIONS)
    names: set[str] = set()
    for number, condition in enumerate(match_conditions):
        where, name, expression = (
            f"{path}[{number}]",
            condition.get("name") or "",
            condition.get("expression", "").strip(),
        )
        if not expression:
            yield fields.required(f"{where}.expression")
        elif why := (problem_of or _problem)(expression):
            yield fields.invalid(f"{where}.expression", expression, why)
        if not name:
            yield fields.required(f"{where}.name")
            continue
        for problem in labels.key_problems(name):
            yield fields.invalid(f"{where}.name", name, problem)
        if name in names:
            yield fields.duplicate(f"{where}.name", name)
        names.add(name)


def _problem(expression: str) -> str:
    from ...schema.cel import requests  # few configurations have conditions

    return requests.problem(expression)


def rule(rule: Json, path: str) -> Errors:
    """Judge a rule: operations on resources."""
    operations = rule.get("operations") or []
    if not operations:
        yield fields.required(f"{path}.operations")
    if len(operations) > 1 and "*" in operations:
        yield fields.invalid(
            f"{path}.operations", operations, "if '*' is present, must not specify other operations"
        )
    for number, operation in enumerate(operations):
        yield from basics.optional_choice(operation, f"{path}.operations[{number}]", OPERATIONS)
    for name, noun in (("apiGroups", "API groups"), ("apiVersions", "API versions")):
        items = rule.get(name) or []
        if not items:
            yield fields.required(f"{path}.{name}")
        if len(items) > 1 and "*" in items:
            yield fields.invalid(f"{path}.{name}", items, f"if '*' is present, must not specify other {noun}")
    for number, api_version in enumerate(rule.get("apiVersions") or ()):
        if not api_version:
            yield fields.required(f"{path}.apiVersions[{number}]")
    yield from _resources(rule.get("resources") or [], f"{path}.resources")
    yield from basics.optional_choice(rule.get("scope"), f"{path}.scope", SCOPES)


def _resources(resources: list[str], path: str) -> Errors:
    if not resources:
        yield fields.required(path)
    everywhere: set[str] = set()
    for number, text in enumerate(resources):
        if not text:
            yield fields.required(f"{path}[{number}]")
            continue
        resource, slash, subresource = text.partition("/")
        # Only wildcards further ahead in the list are compared, as in Go's loop.
        for wide in (f"{resource}/*", f"*/{subresource}") if slash else ():
            if wide in everywhere:
                why = f"if '{wide}' is present, must not specify {text}"
                yield fields.invalid(f"{path}[{number}]", text, why)
        if slash and "*" in {resource, subresource}:
            everywhere.add(text)
    if len(resources) > 1 and "*/*" in resources:
        yield fields.invalid(path, resources, "if '*/*' is present, must not specify other resources")
    plain = [text for text in resources if text and "/" not in text]
    if "*" in plain and plain[-1] != "*":
        yield fields.invalid(
            path, resources, "if '*' is present, must not specify other resources without subresources"
        )


def _versions(versions: list[str], path: str) -> Errors:
    if not versions:
        yield fields.required(path, f"must specify one of {', '.join(VERSIONS)}")
        return
    repeated = repeats(versions)
    for number, version in enumerate(versions):
        if number in repeated:
            yield fields.invalid(f"{path}[{number}]", version, "duplicate version")
        elif not LABEL_1035.fullmatch(version):
            yield fields.invalid(f"{path}[{number}]", version, LABEL_1035_TEXT)
    if not set(versions) & set(VERSIONS):
        yield fields.invalid(path, versions, f"must include at least one of {', '.join(VERSIONS)}")
