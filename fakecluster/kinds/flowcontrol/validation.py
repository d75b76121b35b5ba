"""FlowSchemas and PriorityLevelConfigurations (FK-501, FK-520)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics, conditions
from ..validation.basics import Errors
from . import mandatory

MAX_PRECEDENCE = 10_000
EXEMPT = "exempt"
ALL = ["*"]
VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
SUBJECTS: Mapping[str, str] = {"Group": "group", "ServiceAccount": "serviceAccount", "User": "user"}
MOST_QUEUES = 10_000_000
MOST_BITS = 60
ONLY_EXEMPT = "only the schema named 'exempt' may have matchingPrecedence 1"
NO_RULES = "at least one of resourceRules and nonResourceRules has to be non-empty"
NO_NAMESPACE = "resource rules that are not cluster scoped must supply at least one namespace"
EACH_NAMESPACE = "each member of this list must be '*' or a DNS-1123 label; "
TYPES = ("Exempt", "Limited")
FOR_EXEMPT = "must be 'Exempt' if and only if `name` is 'exempt'"


def flow_schema(obj: Json) -> list[FieldError]:
    """Judge a FlowSchema."""
    spec, name = obj["spec"], obj["metadata"].get("name", "")
    return [
        *_precedence(spec.get("matchingPrecedence", 0), name),
        *_distinguisher(spec.get("distinguisherMethod")),
        *_level((spec.get("priorityLevelConfiguration") or {}).get("name", "")),
        *(
            error
            for n, rule in enumerate(spec.get("rules") or ())
            for error in _rule(rule, f"spec.rules[{n}]")
        ),
        *mandatory.schema(obj),
    ]


def schema_status(new: Json, old: Json) -> list[FieldError]:
    """Judge the status of a FlowSchema or a PriorityLevelConfiguration."""
    del old
    return list(conditions.judge_types(new.get("status", {}).get("conditions") or [], "status.conditions"))


def _precedence(value: int, name: str) -> Errors:
    path = "spec.matchingPrecedence"
    if value <= 0:
        yield fields.invalid(path, value, "must be a positive value")
    if value > MAX_PRECEDENCE:
        yield fields.invalid(path, value, f"must not be greater than {MAX_PRECEDENCE}")
    if value == 1 and name != EXEMPT:
        yield fields.invalid(path, value, ONLY_EXEMPT)


def _distinguisher(value: Json) -> Errors:
    if value is not None and value.get("type") not in {"ByUser", "ByNamespace"}:
        go_struct = to_go_struct("flowcontrol.v1.FlowDistinguisherMethod", value)
        yield fields.not_supported("spec.distinguisherMethod.type", go_struct, ["ByNamespace", "ByUser"])


def _level(name: str) -> Errors:
    path = "spec.priorityLevelConfiguration.name"
    if not name:
        yield fields.required(path, "must reference a priority level")
    yield from basics.optional_name(name, path, basics.dns_subdomain)


def _rule(rule: Json, path: str) -> Errors:
    subjects = rule.get("subjects") or []
    if not subjects:
        yield fields.required(f"{path}.subjects", "subjects must contain at least one value")
    for number, subject in enumerate(subjects):
        yield from _subject(subject, f"{path}.subjects[{number}]")
    resources, urls = rule.get("resourceRules") or [], rule.get("nonResourceRules") or []
    if not resources and not urls:
        yield fields.required(path, NO_RULES)
    for number, resource_rule in enumerate(resources):
        yield from _resource_rule(resource_rule, f"{path}.resourceRules[{number}]")
    for number, url_rule in enumerate(urls):
        yield from _url_rule(url_rule, f"{path}.nonResourceRules[{number}]")


def _subject(subject: Json, path: str) -> Errors:
    kind = subject.get("kind", "")
    if kind not in SUBJECTS:
        yield fields.not_supported(f"{path}.kind", kind, list(SUBJECTS))
        return
    member = SUBJECTS[kind]
    value = subject.get(member)
    if value is None:
        yield fields.required(f"{path}.{member}", f"{member} is required when subject kind is '{kind}'")
    else:
        yield from _name_errors(value, kind, f"{path}.{member}")
    for other, unwanted in SUBJECTS.items():
        if other != kind and subject.get(unwanted) is not None:
            why = f"{unwanted} is forbidden when subject kind is not '{other}'"
            yield fields.forbidden(f"{path}.{unwanted}", why)


def _name_errors(value: Json, kind: str, path: str) -> Errors:
    name = value.get("name", "")
    if kind != "ServiceAccount" or not name:
        if not name:
            yield fields.required(f"{path}.name")
    elif name != "*":
        yield from basics.optional_name(name, f"{path}.name", basics.dns_subdomain)
    if kind == "ServiceAccount":
        if not value.get("namespace"):
            yield fields.required(f"{path}.namespace", "must specify namespace for service account")
        yield from basics.optional_name(value.get("namespace"), f"{path}.namespace", basics.dns_label)


def _resource_rule(rule: Json, path: str) -> Errors:
    yield from _verbs(rule.get("verbs") or [], f"{path}.verbs")
    for member, singular, plural in (
        ("apiGroups", "api group", "api groups"),
        ("resources", "resource", "resources"),
    ):
        values = rule.get(member) or []
        if not values:
            yield fields.required(f"{path}.{member}", f"resource rules must supply at least one {singular}")
        yield from _alone(values, f"{path}.{member}", plural)
    namespaces = rule.get("namespaces") or []
    if not namespaces and not rule.get("clusterScope"):
        yield fields.required(f"{path}.namespaces", NO_NAMESPACE)
    yield from _alone(namespaces, f"{path}.namespaces", "namespaces")
    for number, namespace in enumerate(namespaces if "*" not in namespaces else ()):
        for problem in basics.dns_label(namespace):
            yield fields.invalid(f"{path}.namespaces[{number}]", namespace, EACH_NAMESPACE + problem)


def _url_rule(rule: Json, path: str) -> Errors:
    yield from _verbs(rule.get("verbs") or [], f"{path}.verbs")
    urls = rule.get("nonResourceURLs") or []
    if not urls:
        yield fields.required(f"{path}.nonResourceURLs", "nonResourceURLs must contain at least one value")
    yield from _alone(urls, f"{path}.nonResourceURLs", "nonResourceURLs")
    for number, url in enumerate(urls if "*" not in urls else ()):
        if problem := _url_problem(url):
            yield fields.invalid(f"{path}.nonResourceURLs[{number}]", url, problem)


def _url_problem(url: str) -> str:
    if not url.startswith("/"):
        return "must start with slash"
    if " " in url:
        return "must not contain white-space"
    if "//" in url:
        return "must not contain double slash"
    return "wildcard can only do suffix matching" if "*" in url[:-1] or url[-2:].strip("*") == "" else ""


def _verbs(verbs: list[str], path: str) -> Errors:
    if not verbs:
        yield fields.required(path, "verbs must contain at least one value")
    yield from _alone(verbs, path, "verbs")
    if "*" not in verbs and not set(verbs) <= set(VERBS):
        yield fields.not_supported(path, verbs, list(VERBS))


def _alone(values: list[str], path: str, noun: str) -> Errors:
    """Judge that nothing stands beside a star."""
    if "*" in values and values != ALL:
        yield fields.invalid(path, values, f"if '*' is present, must not specify other {noun}")


def priority_level(obj: Json) -> list[FieldError]:
    """Judge a PriorityLevelConfiguration."""
    spec, name = obj["spec"], obj["metadata"].get("name", "")
    kind = spec.get("type", "")
    mixed = kind in TYPES and (kind == "Exempt") != (name == EXEMPT)
    return [
        *([fields.invalid("spec.type", kind, FOR_EXEMPT)] if mixed else []),
        *_exempt(spec, name),
        *basics.choice(kind, "spec.type", TYPES),
        *_by_type(spec, kind),
        *mandatory.level(obj),
    ]


def _exempt(spec: Json, name: str) -> Errors:
    if name == EXEMPT and {key: value for key, value in spec.items() if key != "exempt"} != {
        "type": "Exempt"
    }:
        go_struct = to_go_struct("flowcontrol.v1.PriorityLevelConfigurationSpec", spec)
        why = "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value"
        yield fields.invalid("spec", go_struct, why)


def _by_type(spec: Json, kind: str) -> Errors:
    limited = spec.get("limited")
    if kind == "Exempt" and limited is not None:
        yield fields.forbidden("spec.limited", "must be nil if the type is not Limited")
    if kind != "Limited":
        return
    if spec.get("exempt") is not None:
        yield fields.forbidden("spec.exempt", "must be nil if the type is Limited")
    if limited is None:
        yield fields.required("spec.limited", "must not be empty when type is Limited")
    else:
        yield from _level_limits(limited, "spec.limited")


def _level_limits(limited: Json, path: str) -> Errors:
    if (shares := limited.get("nominalConcurrencyShares", 0)) < 0:
        yield fields.invalid(f"{path}.nominalConcurrencyShares", shares, "must be a non-negative integer")
    yield from _response(limited.get("limitResponse") or {}, f"{path}.limitResponse")
    if not 0 <= (lendable := limited.get("lendablePercent", 0)) <= 100:
        yield fields.invalid(f"{path}.lendablePercent", lendable, "must be between 0 and 100, inclusive")
    if (borrowing := limited.get("borrowingLimitPercent", 0)) < 0:
        why = "if specified, must be a non-negative integer"
        yield fields.invalid(f"{path}.borrowingLimitPercent", borrowing, why)


def _response(response: Json, path: str) -> Errors:
    kind, queuing, where = response.get("type", ""), response.get("queuing"), f"{path}.queuing"
    if kind == "Reject" and queuing is not None:
        yield fields.forbidden(where, "must be nil if limited.limitResponse.type is not Limited")
    elif kind == "Queue" and queuing is None:
        yield fields.required(where, "must not be empty if limited.limitResponse.type is Limited")
    elif kind == "Queue":
        yield from _queuing(queuing, where)
    yield from basics.choice(kind, f"{path}.type", ("Queue", "Reject"))


def _queuing(value: Json, path: str) -> Errors:
    queues, hand, length = (value.get(name, 0) for name in ("queues", "handSize", "queueLengthLimit"))
    yield from basics.positive(length, f"{path}.queueLengthLimit", "must be positive")
    yield from basics.positive(queues, f"{path}.queues", "must be positive")
    if queues > MOST_QUEUES:
        yield fields.invalid(f"{path}.queues", queues, f"must not be greater than {MOST_QUEUES}")
    yield from basics.positive(hand, f"{path}.handSize", "must be positive")
    if hand > queues:
        yield fields.invalid(f"{path}.handSize", hand, f"should not be greater than queues ({queues})")
    elif hand > 0 and _bits(queues, hand) > MOST_BITS:
        why = f"required entropy bits of deckSize {queues} and handSize {hand} should not be greater than {MOST_BITS}"
        yield fields.invalid(f"{path}.handSize", hand, why)


def _bits(deck: int, hand: int) -> int:
    """Return the bits of randomness that dealing a hand takes."""
    return math.ceil(math.log2(deck) * hand)
