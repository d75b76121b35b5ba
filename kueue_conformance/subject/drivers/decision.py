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
    """What the outside system is to say about a Workload; `details` are requeueAfterSeconds and podSetUpdates
    where a scenario needs them.
    """

    namespace: str
    workload: str
    state: str
    message: str = ""
    check: str = ""
    controller: str = ""
    details: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def words(self) -> Mapping[str, str]:
        """What each place is filled with; a detail that was not asked for is empty."""
        details = {key: json.dumps(value) for key, value in self.details.items()}
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


def fill_template(template: Json, decision: Decision) -> Json:
    """Return a text, list or mapping with every place filled."""
    return replace_words(template, decision.words)


def replace_words(template: Json, words: Mapping[str, str]) -> Json:
    """Return a text, list or mapping with the places of some words filled; other places stay."""
    if isinstance(template, str):
        # In one pass: a message that holds a placeholder is not filled in again.
        return _PLACE.sub(lambda match: words.get(match[1], match[0]), template)
    # Keys too: the name of a label may hold the Workload.
    if isinstance(template, Mapping):
        return {replace_words(key, words): replace_words(value, words) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [replace_words(item, words) for item in template]
    return template


def placeholders_in(template: Json) -> frozenset[str]:
    """Return the words that have a place in a text, list or mapping."""
    return frozenset(_find_placeholders(template))


def _find_placeholders(template: Json) -> Iterator[str]:
    if isinstance(template, str):
        yield from _PLACE.findall(template)
    elif isinstance(template, Mapping):
        for key, value in template.items():
            yield from _find_placeholders(key)
            yield from _find_placeholders(value)
    elif isinstance(template, list | tuple):
        for item in template:
            yield from _find_placeholders(item)
