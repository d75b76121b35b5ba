"""Roles and bindings (FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...meta import names
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors

GROUP = "rbac.authorization.k8s.io"
SUBJECTS = {"ServiceAccount": "", "User": GROUP, "Group": GROUP}


def role(obj: Json) -> list[fields.FieldError]:
    """Judge a Role."""
    return [
        error
        for number, rule in enumerate(obj.get("rules") or ())
        for error in _rule(rule, f"rules[{number}]", True)
    ]


def cluster_role(obj: Json) -> list[fields.FieldError]:
    """Judge a ClusterRole."""
    rules = [
        error
        for number, rule in enumerate(obj.get("rules") or ())
        for error in _rule(rule, f"rules[{number}]", False)
    ]
    aggregation = obj.get("aggregationRule")
    if aggregation is None:
        return rules
    path = "aggregationRule.clusterRoleSelectors"
    selectors = aggregation.get("clusterRoleSelectors") or []
    if not selectors:
        return [
            *rules,
            fields.required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil"),
        ]
    return [
        *rules,
        *(
            error
            for n, selector in enumerate(selectors)
            for error in _role_selector(selector, f"{path}[{n}]")
        ),
    ]


def _role_selector(selector: Json, path: str) -> Errors:
    """Judge a selector of an aggregation rule; an unusable selector gets one error more, for the whole."""
    bad = list(basics.label_selector(selector, path))
    yield from bad
    if bad:
        yield fields.invalid(path, None, "invalid label selector.")


def _rule(rule: Json, path: str, namespaced: bool) -> Errors:
    if not rule.get("verbs"):
        yield fields.required(f"{path}.verbs", "verbs must contain at least one value")
    urls = rule.get("nonResourceURLs")
    if urls:
        if namespaced:
            yield fields.invalid(
                f"{path}.nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs"
            )
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            why = "rules cannot apply to both regular resources and non-resource URLs"
            yield fields.invalid(f"{path}.nonResourceURLs", urls, why)
        return
    if not rule.get("apiGroups"):
        yield fields.required(f"{path}.apiGroups", "resource rules must supply at least one api group")
    if not rule.get("resources"):
        yield fields.required(f"{path}.resources", "resource rules must supply at least one resource")


def role_binding(obj: Json) -> list[fields.FieldError]:
    """Judge a RoleBinding."""
    return _binding(obj, ("Role", "ClusterRole"), namespaced=True)


def cluster_role_binding(obj: Json) -> list[fields.FieldError]:
    """Judge a ClusterRoleBinding."""
    return _binding(obj, ("ClusterRole",), namespaced=False)


def _binding(obj: Json, kinds: tuple[str, ...], *, namespaced: bool) -> list[fields.FieldError]:
    subjects = enumerate(obj.get("subjects") or ())
    return [
        *_reference(obj["roleRef"], kinds),
        *(
            error
            for number, subject in subjects
            for error in _subject(subject, f"subjects[{number}]", namespaced=namespaced)
        ),
    ]


def _reference(value: Json, kinds: tuple[str, ...]) -> Errors:
    yield from basics.optional_choice(value.get("apiGroup", ""), "roleRef.apiGroup", (GROUP,))
    yield from basics.optional_choice(value.get("kind", ""), "roleRef.kind", kinds)
    if not value.get("name"):
        yield fields.required("roleRef.name")
    yield from basics.optional_name(value.get("name"), "roleRef.name", names.path_problems)


def _subject(value: Json, path: str, *, namespaced: bool) -> Errors:
    kind = value.get("kind", "")
    if not value.get("name"):
        yield fields.required(f"{path}.name")
    if kind not in SUBJECTS:
        yield fields.not_supported(f"{path}.kind", kind, list(SUBJECTS))
        return
    yield from basics.optional_choice(value.get("apiGroup", ""), f"{path}.apiGroup", (SUBJECTS[kind],))
    if kind == "ServiceAccount":
        yield from basics.optional_name(value.get("name"), f"{path}.name", basics.dns_subdomain)
        if not namespaced and not value.get("namespace"):
            yield fields.required(f"{path}.namespace")


def same_role(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge that a binding keeps its role."""
    if after["roleRef"] == before["roleRef"]:
        return []
    return [
        fields.invalid("roleRef", to_go_struct("rbac.v1.RoleRef", after["roleRef"]), "cannot change roleRef")
    ]
