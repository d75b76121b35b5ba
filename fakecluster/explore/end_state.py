"""The end of a run as it can be compared with that of another run (pure).

Names that the server generated, uids and times differ between two runs, and so do the counters of the API
machinery: they have one text in both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias

import orjson

from ..base.json_types import Json
from ..cluster.snapshots import ObjectDifference, difference
from ..store import Snapshot

EndState: TypeAlias = Mapping[str, Mapping[str, Json]]
"""Objects by `resource namespace/name`; of each, values by path."""
MAY_DIFFER = (
    "events:*",
    "leases:*",
    "*:metadata.uid",
    "*:metadata.generation",
    "*:metadata.resourceVersion",
    "*:metadata.managedFields*",
    "*observedGeneration",
    "pods:status.podIP*",
    "services:spec.clusterIP*",
    "services:spec.ports*.nodePort",
)
"""Patterns `resource:path` of what may differ between two runs."""
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
DRAWN = re.compile(r"\bkube-api-access-[a-z0-9]{5}\b")
"""Names that the server draws within an object."""
SHOWN = 8
"""Lines of a difference that are shown."""


def end_state(before: Snapshot, after: Snapshot, may_differ: Sequence[str] = ()) -> EndState:
    """Return what a run has changed, without what may differ."""
    changes = [change for change in difference(before, after) if change.after or change.before]
    aliases = _aliases(changes)
    state: dict[str, Mapping[str, Json]] = {}
    numbers: Counter[str] = Counter()
    for key, leaves in sorted(
        ((_key(change, aliases), _leaves_of(change, aliases, may_differ)) for change in changes),
        key=lambda pair: (pair[0], orjson.dumps(pair[1], option=orjson.OPT_SORT_KEYS)),
    ):
        if leaves:
            numbers[key] += 1
            state[key if numbers[key] == 1 else f"{key} ({numbers[key]})"] = leaves
    return state


def differences(expected: EndState, observed: EndState) -> Sequence[str]:
    """Return what the observed state has otherwise, a line for each value."""
    return [
        line
        for key in sorted(expected.keys() | observed.keys())
        for line in _object_lines(key, expected.get(key), observed.get(key))
    ]


def first_lines(lines: Sequence[str]) -> Sequence[str]:
    """Return the first lines, and how many more there are."""
    hidden = len(lines) - SHOWN
    return [*lines[:SHOWN], f"… and {hidden} more"] if hidden > 0 else lines


def _object_lines(
    key: str, expected: Mapping[str, Json] | None, observed: Mapping[str, Json] | None
) -> Iterator[str]:
    # An object that was there before the run and is as it was then is in neither state.
    if expected is None:
        yield f"{key}: it is gone" if observed == GONE else f"{key}: left behind, or changed"
    elif expected == GONE:
        yield from () if observed == GONE else (f"{key}: it is still there",)
    elif observed is None or observed == GONE:
        yield f"{key}: it is gone, or was not written"
    else:
        for path in sorted(expected.keys() | observed.keys()):
            if expected.get(path, ABSENT) != observed.get(path, ABSENT):
                yield f"{key}: {path} is {_text(observed, path)}, expected {_text(expected, path)}"


def _text(leaves: Mapping[str, Json], path: str) -> str:
    return orjson.dumps(leaves[path]).decode() if path in leaves else "absent"


ABSENT = object()
GONE: Mapping[str, Json] = {"": None}


def _key(change: ObjectDifference, aliases: Mapping[str, str]) -> str:
    namespace, name = change.name
    full_name = f"{namespace}/{name}" if namespace else name
    return f"{change.resource[1]} {_replace_aliases(full_name, aliases)}"


def _leaves_of(
    change: ObjectDifference, aliases: Mapping[str, str], may_differ: Sequence[str]
) -> Mapping[str, Json]:
    resource = change.resource[1]
    leaves = dict(_leaves(change.after, "")) if change.after is not None else GONE
    return {
        path: _replace_aliases(value, aliases) if isinstance(value, str) else value
        for path, value in leaves.items()
        if not any(
            fnmatchcase(f"{resource}:{path}", pattern) or pattern == resource
            for pattern in (*MAY_DIFFER, *may_differ)
        )
    }


def _leaves(value: Json, path: str) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from _leaves(member, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for name, item in _items_by_name(value):
            yield from _leaves(item, f"{path}[{name}]")
    else:
        yield path, value


def _items_by_name(items: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """Yield the items of a list with a name: that of a condition is its type, whatever its place is."""
    types = [item.get("type") if isinstance(item, dict) else None for item in items]
    distinct = all(isinstance(word, str) for word in types) and len(set(types)) == len(types)
    for number, (item, word) in enumerate(zip(items, types, strict=True)):
        yield word if distinct and word else str(number), item


def _aliases(changes: Sequence[ObjectDifference]) -> Mapping[str, str]:
    """Return for each generated name and each uid the text that stands for it in every run."""
    aliases: dict[str, str] = {}
    for change in changes:
        metadata = (change.after or change.before)["metadata"]
        prefix, name = metadata.get("generateName") or "", metadata["name"]
        if prefix and name.startswith(prefix):
            aliases[name] = f"{prefix}*"
    for change in changes:
        metadata = (change.after or change.before)["metadata"]
        aliases[metadata["uid"]] = (
            f"<uid of {change.resource[1]} {aliases.get(metadata['name'], metadata['name'])}>"
        )
    # A generated name may stand within another one: the longest goes first.
    return dict(sorted(aliases.items(), key=lambda pair: len(pair[0]), reverse=True))


def _replace_aliases(text: str, aliases: Mapping[str, str]) -> str:
    for value, alias in aliases.items():
        if value in text:
            text = text.replace(value, alias)
    return DRAWN.sub("kube-api-access-*", TIME.sub("<time>", text))
