"""Whether rules cover other rules, and the text about those that are missing (FK-398)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from ...schema.fields import go_quote

Json = Any
TOLD = (
    ("APIGroups", "apiGroups"),
    ("Resources", "resources"),
    ("NonResourceURLs", "nonResourceURLs"),
    ("ResourceNames", "resourceNames"),
    ("Verbs", "verbs"),
)


def missing(held: Iterable[Json], wanted: Iterable[Json]) -> list[Json]:
    """Return the smallest parts of the wanted rules that no single held rule covers."""
    own = list(held)
    return [part for rule in wanted for part in _parts(rule) if not any(_covers(one, part) for one in own)]


def told(rules: Iterable[Json]) -> list[str]:
    """Return rules as lines, those of one resource as one line, in order."""
    return sorted({_line(rule) for rule in _compacted(rules)})


def quoted(words: Iterable[str]) -> str:
    """Return a list as Go prints it quoted."""
    return f"[{' '.join(map(go_quote, words))}]"


def _parts(rule: Json) -> Iterator[Json]:
    verbs = rule.get("verbs") or ()
    names = [{"resourceNames": [name]} for name in rule.get("resourceNames") or ()] or [{}]
    wide = product(rule.get("apiGroups") or (), rule.get("resources") or (), verbs, names)
    for group, resource, verb, named in wide:
        yield {"apiGroups": [group], "resources": [resource], "verbs": [verb], **named}
    for url, verb in product(rule.get("nonResourceURLs") or (), verbs):
        yield {"nonResourceURLs": [url], "verbs": [verb]}


def _covers(rule: Json, part: Json) -> bool:
    names = rule.get("resourceNames") or ()
    wanted_names = part.get("resourceNames") or ()
    return (
        _all(rule.get("verbs") or (), part["verbs"])
        and _all(rule.get("apiGroups") or (), part.get("apiGroups", ()))
        and all(_has_resource(rule.get("resources") or (), one) for one in part.get("resources", ()))
        and (not names or (bool(wanted_names) and set(wanted_names) <= set(names)))
        and all(
            any(_has_path(pattern, one) for pattern in rule.get("nonResourceURLs") or ())
            for one in part.get("nonResourceURLs", ())
        )
    )


def _all(words: Iterable[str], wanted: Iterable[str]) -> bool:
    known = set(words)
    return "*" in known or known >= set(wanted)


def _has_resource(resources: Iterable[str], wanted: str) -> bool:
    _, slash, subresource = wanted.partition("/")
    return not {"*", wanted, f"*/{subresource}" if slash else wanted}.isdisjoint(resources)


def _has_path(pattern: str, path: str) -> bool:
    return pattern == path or (pattern.endswith("*") and path.startswith(pattern.rstrip("*")))


def _compacted(rules: Iterable[Json]) -> Iterator[Json]:
    """Join the verbs of rules for the same resource; other rules are left unchanged."""
    joined: dict[tuple[str, ...], Json] = {}
    for rule in rules:
        if rule.get("nonResourceURLs"):
            yield rule
            continue
        key = (*rule["apiGroups"], *rule["resources"], *rule.get("resourceNames", ()))
        verbs = joined.get(key, {"verbs": []})["verbs"]
        joined[key] = {**rule, "verbs": list(dict.fromkeys([*verbs, *rule["verbs"]]))}
    yield from joined.values()


def _line(rule: Json) -> str:
    return f"{{{', '.join(f'{name}:{quoted(rule[key])}' for name, key in TOLD if rule.get(key))}}}"
