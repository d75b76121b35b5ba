"""Validation of the fields about where a pod may run:
tolerations, affinity, spreading, gates (FK-470, FK-486).
"""

from __future__ import annotations

from .....base.json_types import Json
from .....meta import labels
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
UNSATISFIABLE = ("DoNotSchedule", "ScheduleAnyway")
INCLUSION = ("Honor", "Ignore")
ANY_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'


def tolerations(items: list[Json], path: str) -> Errors:
    """Judge tolerations."""
    for number, toleration in enumerate(items):
        yield from _toleration(toleration, f"{path}[{number}]")


def _toleration(toleration: Json, path: str) -> Errors:
    key, operator, effect, value = (
        toleration.get(name, "") for name in ("key", "operator", "effect", "value")
    )
    if key:
        yield from basics.label_key(key, f"{path}.key")
    elif operator != "Exists":
        yield fields.invalid(f"{path}.operator", operator, ANY_KEY)
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield fields.invalid(
            f"{path}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"
        )
    if operator in {"", "Equal"}:
        problems = labels.value_problems(value)
        if problems:
            # The value is wrong, but the operator is blamed: so it is in the real validation.
            yield fields.invalid(f"{path}.operator", value, ";".join(problems))
    elif operator == "Exists":
        if value:
            yield fields.invalid(f"{path}.operator", value, "value must be empty when `operator` is 'Exists'")
    else:
        allowed = ["Equal", "Exists", *(("Lt", "Gt") if operator in {"Lt", "Gt"} else ())]
        yield fields.not_supported(f"{path}.operator", operator, allowed)
    if effect:
        yield from basics.optional_choice(effect, f"{path}.effect", EFFECTS)


def affinity(value: Json, path: str) -> Errors:
    """Judge affinity to nodes and to pods."""
    if nodes := value.get("nodeAffinity"):
        yield from _node_affinity(nodes, f"{path}.nodeAffinity")
    for name in ("podAffinity", "podAntiAffinity"):
        if pods := value.get(name):
            yield from _pod_affinity(pods, f"{path}.{name}")


def _node_affinity(value: Json, path: str) -> Errors:
    required = value.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is not None:
        yield from node_selector(required, f"{path}.requiredDuringSchedulingIgnoredDuringExecution")
    for number, term in enumerate(value.get("preferredDuringSchedulingIgnoredDuringExecution") or ()):
        item_path = f"{path}.preferredDuringSchedulingIgnoredDuringExecution[{number}]"
        yield from _weight(term["weight"], f"{item_path}.weight")
        yield from _term(term["preference"], f"{item_path}.preference", any_value=True)


def node_selector(value: Json, path: str) -> Errors:
    """Judge a selector of nodes."""
    if not value.get("nodeSelectorTerms"):
        yield fields.required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")
        return
    for number, term in enumerate(value["nodeSelectorTerms"]):
        yield from _term(term, f"{path}.nodeSelectorTerms[{number}]")


def _term(value: Json, path: str, *, any_value: bool = False) -> Errors:
    """Judge a term; `any_value` lets values be that no label has, which are warned of."""
    for number, expression in enumerate(value.get("matchExpressions") or ()):
        item_path = f"{path}.matchExpressions[{number}]"
        yield from basics.requirement(expression, item_path, compares=True, any_value=any_value)
    for number, field in enumerate(value.get("matchFields") or ()):
        yield from _field_requirement(field, f"{path}.matchFields[{number}]")


def _field_requirement(field: Json, path: str) -> Errors:
    operator, values = field.get("operator", ""), field.get("values") or []
    if operator not in {"In", "NotIn"}:
        yield fields.invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) != 1:
        yield fields.required(
            f"{path}.values",
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        )
    # The only field of a node that a selector may name; a wrong key ends the requirement.
    if field.get("key") != "metadata.name":
        yield fields.invalid(f"{path}.key", field.get("key", ""), "not a valid field selector key")
        return
    for number, value in enumerate(values):
        for problem in basics.dns_subdomain(value):
            yield fields.invalid(f"{path}.values[{number}]", value, problem)


def _pod_affinity(value: Json, path: str) -> Errors:
    for number, term in enumerate(value.get("requiredDuringSchedulingIgnoredDuringExecution") or ()):
        yield from _pod_term(term, f"{path}.requiredDuringSchedulingIgnoredDuringExecution[{number}]")
    for number, weighted_term in enumerate(
        value.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
    ):
        item_path = f"{path}.preferredDuringSchedulingIgnoredDuringExecution[{number}]"
        yield from _weight(weighted_term["weight"], f"{item_path}.weight")
        yield from _pod_term(weighted_term["podAffinityTerm"], f"{item_path}.podAffinityTerm")


def _pod_term(term: Json, path: str) -> Errors:
    yield from basics.label_selector(term.get("labelSelector"), f"{path}.labelSelector")
    yield from basics.label_selector(term.get("namespaceSelector"), f"{path}.namespaceSelector")
    # The path is singular and without a number: `namespace`, not `namespaces[0]`.
    for name in term.get("namespaces") or ():
        yield from basics.nonempty_name(name, f"{path}.namespace", basics.dns_label)
    yield from _label_keys(term, path)
    key = term.get("topologyKey", "")
    if not key:
        yield fields.required(f"{path}.topologyKey", "can not be empty")
    # After the missing key, whose empty text is no label key either: both are reported.
    yield from basics.label_key(key, f"{path}.topologyKey")


def _weight(value: int, path: str) -> Errors:
    if not 1 <= value <= 100:
        yield fields.invalid(path, value, "must be in the range 1-100")


def spreading(constraints: list[Json], path: str) -> Errors:
    """Judge topology spread constraints."""
    pairs = [(constraint["topologyKey"], constraint["whenUnsatisfiable"]) for constraint in constraints]
    # The last of equal pairs is the one that stays; earlier ones are reported.
    last = {pair: number for number, pair in enumerate(pairs)}
    for number, constraint in enumerate(constraints):
        item_path = f"{path}[{number}]"
        yield from basics.positive(constraint["maxSkew"], f"{item_path}.maxSkew", "must be greater than zero")
        if not constraint["topologyKey"]:
            yield fields.required(f"{item_path}.topologyKey", "can not be empty")
        yield from basics.optional_choice(
            constraint["whenUnsatisfiable"], f"{item_path}.whenUnsatisfiable", UNSATISFIABLE
        )
        if last[pairs[number]] > number:
            pair = "{" + ", ".join(pairs[number]) + "}"
            yield fields.duplicate(f"{item_path}.{{topologyKey, whenUnsatisfiable}}", pair)
        yield from _domains(constraint, f"{item_path}.minDomains")
        for name in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            yield from basics.optional_choice(constraint.get(name), f"{item_path}.{name}", INCLUSION)
        yield from _label_keys(constraint, item_path)
        yield from basics.label_selector(constraint.get("labelSelector"), f"{item_path}.labelSelector")


def _label_keys(constraint: Json, path: str) -> Errors:
    """Judge keys whose values are those of the pod itself."""
    selector = constraint.get("labelSelector")
    same, mismatch_keys = constraint.get("matchLabelKeys") or [], constraint.get("mismatchLabelKeys") or []
    for name, keys in (("matchLabelKeys", same), ("mismatchLabelKeys", mismatch_keys)):
        if keys and selector is None:
            yield fields.forbidden(f"{path}.{name}", "must not be specified when labelSelector is not set")
            continue
        for number, key in enumerate(keys):
            yield from basics.label_key(key, f"{path}.{name}[{number}]")
    selected = set((selector or {}).get("matchLabels") or ())
    last = {key: number for number, key in enumerate(same)}
    for expression in (selector or {}).get("matchExpressions") or ():
        key = expression.get("key", "")
        if key in last and key in selected:
            why = "exists in both matchLabelKeys and labelSelector"
            # The number is that of the last such key, on the path of the term and not of its keys.
            yield fields.invalid(f"{path}[{last[key]}]", key, why)
        selected.add(key)
    different = set(mismatch_keys)
    for number, key in enumerate(same):
        if key in different:
            why = "exists in both matchLabelKeys and mismatchLabelKeys"
            yield fields.invalid(f"{path}.matchLabelKeys[{number}]", key, why)


def gates(scheduling_gates: list[Json], path: str) -> Errors:
    """Judge scheduling gates."""
    names: set[str] = set()
    for number, gate in enumerate(scheduling_gates):
        yield from basics.label_key(gate["name"], f"{path}[{number}]")
        if gate["name"] in names:
            yield fields.duplicate(f"{path}[{number}]", gate["name"])
        names.add(gate["name"])


def _domains(constraint: Json, path: str) -> Errors:
    min_domains, when = constraint.get("minDomains"), constraint["whenUnsatisfiable"]
    yield from basics.positive(min_domains, path, "must be greater than zero")
    if min_domains is not None and when != "DoNotSchedule":
        why = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {when}"
        yield fields.invalid(path, min_domains, why)
