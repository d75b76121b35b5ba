"""The words of a decision that a driver may pass on: `${namespace}`, `${workload}`, `${state}` … in labels,
manifests, commands, URLs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...base.json_types import Json
from ..placeholders import replace_words

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
