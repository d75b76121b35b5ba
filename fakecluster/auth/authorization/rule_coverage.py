"""Whether rules cover other rules, and the text about those that are missing (FK-398)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from ...base.json_types import Json
from ...base.work_budget import spend
from ...schema.fields import go_quote
from .rules import ALL, Rule, covers_path

Index: TypeAlias = Mapping[str, Sequence[Rule]]
COMPARISONS_LIMIT = "comparisons of rules"
WORDING_COST = 5
"""What it costs to word a part that is missing, in comparisons."""
ALL_PATHS = "/"
"""Stands for all paths among the words of rules: no resource is called so."""
GO_FIELD_NAMES = (
    ("APIGroups", "apiGroups"),
    ("Resources", "resources"),
    ("NonResourceURLs", "nonResourceURLs"),
    ("ResourceNames", "resourceNames"),
    ("Verbs", "verbs"),
)


def missing(user_rules: Iterable[Rule], rules: Iterable[Rule]) -> list[Json]:
    """Return the smallest parts of rules that no single held rule covers. Raises TooMuchWork."""
    index = _index(user_rules)
    return [
        missing_rule
        for rule in rules
        for lacking in (_resources, _paths)
        for missing_rule in lacking(index, rule.source)
    ]


def _index(rules: Iterable[Rule]) -> Index:
    """Return rules by the words that make them cover something; those about paths by one word for all."""
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        for word in (*rule.resources, *((ALL_PATHS,) if rule.paths else ())):
            index.setdefault(word, []).append(rule)
    return index


def _resources(index: Index, rule: Json) -> Iterator[Json]:
    """Yield the parts about resources that are not covered."""
    verbs, names = rule.get("verbs") or (), rule.get("resourceNames") or (None,)
    for group, resource in product(rule.get("apiGroups") or (), rule.get("resources") or ()):
        candidates = [rule for rule in _about(index, resource) if rule.has_group(group)]
        spend(COMPARISONS_LIMIT, len(verbs) * len(names) * (1 + len(candidates)))
        for verb, name in product(verbs, names):
            if not any(rule.has_verb(verb) and (not rule.names or name in rule.names) for rule in candidates):
                spend(COMPARISONS_LIMIT, WORDING_COST)
                named = {} if name is None else {"resourceNames": [name]}
                yield {"apiGroups": [group], "resources": [resource], "verbs": [verb], **named}


def _paths(index: Index, rule: Json) -> Iterator[Json]:
    """Yield the parts about paths that are not covered."""
    verbs = rule.get("verbs") or ()
    for url in rule.get("nonResourceURLs") or ():
        patterns = [(rule, pattern) for rule in index.get(ALL_PATHS, ()) for pattern in rule.paths]
        spend(COMPARISONS_LIMIT, len(verbs) + len(patterns))
        candidates = [rule for rule, pattern in patterns if covers_path(pattern, url)]
        spend(COMPARISONS_LIMIT, len(verbs) * len(candidates))
        for verb in verbs:
            if not any(rule.has_verb(verb) for rule in candidates):
                spend(COMPARISONS_LIMIT, WORDING_COST)
                yield {"nonResourceURLs": [url], "verbs": [verb]}


def _about(index: Index, resource: str) -> list[Rule]:
    """Return the rules that cover a resource, or a subresource, in some API group."""
    _, slash, subresource = resource.partition("/")
    words = dict.fromkeys((ALL, resource, f"*/{subresource}") if slash else (ALL, resource))
    return [rule for word in words for rule in index.get(word, ())]


def lines(rules: Iterable[Json]) -> list[str]:
    """Return rules as lines, those of one resource as one line, in order."""
    return sorted({_line(rule) for rule in _compact(rules)})


def quote_list(words: Iterable[str]) -> str:
    """Return a list as Go prints it quoted."""
    return f"[{' '.join(map(go_quote, words))}]"


def _compact(rules: Iterable[Json]) -> Iterator[Json]:
    """Join the verbs of rules for the same resource; other rules are left unchanged."""
    joined: dict[tuple[str, ...], dict[str, None]] = {}
    first: dict[tuple[str, ...], Json] = {}
    for rule in rules:
        if rule.get("nonResourceURLs"):
            yield rule
            continue
        key = (*rule["apiGroups"], *rule["resources"], *rule.get("resourceNames", ()))
        first.setdefault(key, rule)
        joined.setdefault(key, {}).update(dict.fromkeys(rule["verbs"]))
    yield from ({**rule, "verbs": list(joined[key])} for key, rule in first.items())


def _line(rule: Json) -> str:
    return (
        f"{{{', '.join(f'{name}:{quote_list(rule[key])}' for name, key in GO_FIELD_NAMES if rule.get(key))}}}"
    )
