"""A ValidatingAdmissionPolicy with a binding of it, with everything about the two compiled (FK-320)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...api.admission import Review
from ...base.json_types import Json
from ...store import Resource, Store
from ..webhooks import hook_rules, selectors
from ..webhooks.configurations import GROUP
from ..webhooks.hook_rules import HookRule
from ..webhooks.hooks import ClientConfig, Hook

POLICIES: Resource = (GROUP, "validatingadmissionpolicies")
BINDINGS: Resource = (GROUP, "validatingadmissionpolicybindings")
NO_CLIENT = ClientConfig(url="", service=None, ca=None)
NamedRule = tuple[HookRule, frozenset[str]]
"""A rule, with the names of the only objects that it is about; none for all."""


class Validation(Struct, frozen=True, kw_only=True):
    """An expression that has to be true, and its message where it is not."""

    expression: str
    message: str
    message_expression: str
    """The expression that makes the message; empty for none."""
    reason: str


class Scope(Struct, frozen=True, kw_only=True):
    """Which writes a policy or a binding is about."""

    hook: Hook
    """A webhook that would be called for them."""
    rules: tuple[NamedRule, ...]
    excluded: tuple[NamedRule, ...]
    everything: bool
    """Whether no rules mean all writes, as in a binding."""

    def for_write(self, review: Review) -> Hook | None:
        """Return the webhook with the rules that may be about a write; None where none is."""
        if any(rule.matches(review, review.kind) for rule in _about(self.excluded, review)):
            return None
        matching_rules = tuple(_about(self.rules, review))
        if not matching_rules and not (self.everything and not self.rules):
            return None
        return replace(self.hook, rules=matching_rules or (EVERY_WRITE,))


class BoundPolicy(Struct, frozen=True, kw_only=True):
    """A policy and a binding."""

    policy: str
    binding: str
    scopes: tuple[Scope, ...]
    variables: tuple[tuple[str, str], ...]
    validations: tuple[Validation, ...]
    actions: frozenset[str]
    ignores_failure: bool

    @property
    def expressions(self) -> int:
        """How many expressions may be evaluated."""
        conditions = sum(len(scope.hook.conditions) for scope in self.scopes)
        return conditions + len(self.variables) + len(self.validations)


EVERY_WRITE = hook_rules.of(
    {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*", "*/*"]}
)


class BoundPolicies:
    """The policies of one cluster that are bound, compiled once for each state of the two kinds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: tuple[object, object, tuple[BoundPolicy, ...]] = (None, None, ())

    def all(self) -> tuple[BoundPolicy, ...]:
        """Return them in the order of their bindings' names.

        Those with parameters are left out: they are not evaluated.
        """
        if (bindings := self._store.state_of(BINDINGS)) is None:
            return ()
        if (policies := self._store.state_of(POLICIES)) is None:
            return ()
        if self._known[0] is not policies or self._known[1] is not bindings:
            by_name = {policy.name[1]: policy.object for policy in self._store.list(POLICIES)}
            bound_policies = tuple(self._bound(by_name))
            self._known = policies, bindings, bound_policies
        return self._known[2]

    def _bound(self, policies: Mapping[str, Json]) -> Iterator[BoundPolicy]:
        for binding in self._store.list(BINDINGS):
            policy = policies.get(binding.object["spec"]["policyName"])
            if policy is not None and policy["spec"].get("paramKind") is None:
                yield bind(policy, binding.object)


def bind(policy: Json, binding: Json) -> BoundPolicy:
    """Bring a policy and a binding of it together."""
    spec, tied = policy["spec"], binding["spec"]
    name, ignores = policy["metadata"]["name"], spec.get("failurePolicy") == "Ignore"
    conditions = tuple(
        str(match_condition["expression"]) for match_condition in spec.get("matchConditions") or ()
    )
    narrowed = tied.get("matchResources")
    return BoundPolicy(
        policy=name,
        binding=binding["metadata"]["name"],
        scopes=(
            _scope(spec["matchConstraints"], name, conditions, ignores=ignores),
            *([_scope(narrowed, name, (), ignores=ignores, everything=True)] if narrowed else []),
        ),
        variables=tuple(
            (variable["name"], variable["expression"]) for variable in spec.get("variables") or ()
        ),
        validations=tuple(
            Validation(
                expression=validation["expression"].strip(),
                message=(validation.get("message") or "").strip(),
                message_expression=validation.get("messageExpression") or "",
                reason=validation.get("reason") or "Invalid",
            )
            for validation in spec.get("validations") or ()
        ),
        actions=frozenset(tied.get("validationActions") or ()),
        ignores_failure=ignores,
    )


def _scope(
    raw: Json, name: str, conditions: tuple[str, ...], *, ignores: bool, everything: bool = False
) -> Scope:
    hook = Hook(
        uid=name,
        configuration=name,
        name=name,
        client=NO_CLIENT,
        rules=(),
        namespaces=selectors.of(raw.get("namespaceSelector")),
        objects=selectors.of(raw.get("objectSelector")),
        conditions=conditions,
        review="",
        timeout=0,
        ignores_failure=ignores,
        exact=raw.get("matchPolicy") == "Exact",
        reinvoked=False,
    )
    return Scope(
        hook=hook,
        rules=_read_rules(raw.get("resourceRules")),
        excluded=_read_rules(raw.get("excludeResourceRules")),
        everything=everything,
    )


def _read_rules(raw_rules: Json) -> tuple[NamedRule, ...]:
    return tuple(
        (hook_rules.of(raw_rule), frozenset(raw_rule.get("resourceNames") or ()))
        for raw_rule in raw_rules or ()
    )


def _about(named_rules: tuple[NamedRule, ...], review: Review) -> Iterator[HookRule]:
    return (rule for rule, names in named_rules if not names or review.name in names)
