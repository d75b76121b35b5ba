"""The words of a decision that a driver may pass on: `${namespace}`, `${workload}`, `${state}` … in labels,
manifests, commands, URLs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...base.json_types import Json

WORDS = (
    "namespace",
    "workload",
    "check",
    "state",
    "message",
    "controllerName",
    "requeueAfterSeconds",
    "podSetUpdates",
)
_PLACE = re.compile(r"\$\{([^}]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the outside system is to say about a Workload; `more` are requeueAfterSeconds and podSetUpdates
    where they are wanted.
    """

    namespace: str
    workload: str
    state: str
    message: str = ""
    check: str = ""
    controller: str = ""
    more: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def words(self) -> Mapping[str, str]:
        """What each place is filled with; a detail that was not asked for is empty."""
        details = {key: json.dumps(value) for key, value in self.more.items()}
        return {
            **dict.fromkeys(WORDS, ""),
            "namespace": self.namespace,
            "workload": self.workload,
            "check": self.check,
            "state": self.state,
            "message": self.message,
            "controllerName": self.controller,
            **details,
        }


def filled(template: Json, decision: Decision) -> Json:
    """Return a text, list or mapping with every place filled."""
    return replaced(template, decision.words)


def replaced(template: Json, words: Mapping[str, str]) -> Json:
    """Return a text, list or mapping with the places of some words filled; other places stay."""
    if isinstance(template, str):
        return _PLACE.sub(lambda place: words.get(place[1], place[0]), template)
    if isinstance(template, Mapping):
        return {replaced(key, words): replaced(value, words) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [replaced(one, words) for one in template]
    return template


def mentioned(template: Json) -> frozenset[str]:
    """Return the words that have a place in a text, list or mapping."""
    return frozenset(_mentioned(template))


def _mentioned(template: Json) -> Iterator[str]:
    if isinstance(template, str):
        yield from _PLACE.findall(template)
    elif isinstance(template, Mapping):
        for key, value in template.items():
            yield from _mentioned(key)
            yield from _mentioned(value)
    elif isinstance(template, list | tuple):
        for one in template:
            yield from _mentioned(one)
