"""When a container is restarted: its own policy, rules by exit code, and resizes (FK-504)."""

from __future__ import annotations

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors

POLICIES = ("Always", "Never", "OnFailure")
ACTIONS = ("Restart", "RestartAllContainers")
OPERATORS = ("In", "NotIn")
MOST_RULES, MOST_CODES = 20, 255
RESIZABLE_RESOURCES, ON_RESIZE = ("cpu", "memory"), ("NotRequired", "RestartContainer")
NOT_REQUIRED_WHEN_NEVER = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"


def policy(container: Json, path: str) -> Errors:
    """Judge a container's policy and its rules."""
    rules = container.get("restartPolicyRules") or []
    if container.get("restartPolicy") is None and rules:
        why = "must specify restartPolicy when restart rules are used"
        yield fields.required(f"{path}.restartPolicy", why)
    yield from basics.optional_choice(container.get("restartPolicy"), f"{path}.restartPolicy", POLICIES)
    yield from exit_rules(rules, f"{path}.restartPolicyRules")


def initial_policy(container: Json, path: str) -> Errors:
    """Judge the same of a container that runs first, whose rules count only beside a policy."""
    if container.get("restartPolicy") is not None:
        yield from policy(container, path)
    elif container.get("restartPolicyRules"):
        why = "must specify restartPolicy when restart rules are used"
        yield fields.required(f"{path}.restartPolicy", why)


def exit_rules(rules: list[Json], path: str) -> Errors:
    """Judge rules by exit code."""
    if len(rules) > MOST_RULES:
        yield fields.too_many(path, len(rules), MOST_RULES)
    for number, rule in enumerate(rules):
        item_path, codes = f"{path}[{number}]", rule.get("exitCodes")
        if rule.get("action") not in ACTIONS:
            yield fields.not_supported(f"{item_path}.action", rule.get("action", ""), list(ACTIONS))
        if codes is None:
            yield fields.required(f"{item_path}.exitCodes", "must be specified")
            continue
        if codes.get("operator") not in OPERATORS:
            yield fields.not_supported(
                f"{item_path}.exitCodes.operator", codes.get("operator", ""), list(OPERATORS)
            )
        if len(codes.get("values") or ()) > MOST_CODES:
            yield fields.too_many(f"{item_path}.exitCodes.values", len(codes["values"]), MOST_CODES)


def on_resize(policies: list[Json], path: str, spec: Json) -> Errors:
    """Judge what a change of its resources does to a container."""
    names: set[str] = set()
    for number, policy in enumerate(policies):
        name, action = policy.get("resourceName", ""), policy.get("restartPolicy", "")
        if name in names:
            yield fields.duplicate(f"{path}[{number}]", name)
        names.add(name)
        yield from basics.choice(name, path, RESIZABLE_RESOURCES)
        yield from basics.choice(action, path, ON_RESIZE)
        if spec.get("restartPolicy") == "Never" and action != "NotRequired":
            yield fields.invalid(path, action, NOT_REQUIRED_WHEN_NEVER)
