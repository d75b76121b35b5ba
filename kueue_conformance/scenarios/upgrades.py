"""Recorded stories across an upgrade as scenarios: the words of the profile UPGRADE, from the rows of
`upgrades.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from ..base.resources import fixtures
from .capability import NEWER
from .cases import Cases
from .stories import RecordedStory, recorded_stories

INDEX = "recordings/upgrades.yaml"
GOES_ON = "a Workload that fits is admitted afterwards"
OLDEST = "0.18"
"""The release line from which on the recorded stories can be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradedStory:
    """One row: the scenario that compares what a control plane does, and the one that compares its words."""

    id: str
    words: str
    story: RecordedStory
    steps: int
    recorded_until: str = ""
    """The first releases of each line that end it in another way than the recorded Kueue."""

    @property
    def effects(self) -> Mapping[str, Any]:
        """The record of the scenario about what is reserved, admitted and decided."""
        title = f"Kueue is upgraded at any step while {self.story.title}"
        return {
            "id": self.id,
            "title": title,
            "requirement": "upgrade#effects",
            "clauses": {
                "a": "what holds at the end is what holds there on the new release alone",
                "b": GOES_ON,
            },
            **self._shared_fields,
        }

    @property
    def conditions(self) -> Mapping[str, Any]:
        """The record of the scenario about the reasons and texts of conditions."""
        return {
            "id": self.words,
            "title": f"behind the upgrade the conditions are in the words of the new release: {self.story.title}",
            "requirement": "upgrade#words",
            "level": "should",
            "clauses": {"a": "the conditions are those that the new release alone writes", "b": GOES_ON},
            **self._shared_fields,
            # What a newer release wrote, an older one leaves as it is.
            "needs": (*self.story.needs, NEWER),
        }

    @property
    def _shared_fields(self) -> Mapping[str, Any]:
        return {
            "shows": " ".join(self.story.rows),
            "needs": self.story.needs,
            "permits": self.story.permits,
            "since": OLDEST,
            # The cut after so many steps: before the first one, between two, after the last one.
            "cases": Cases(("cut",), tuple((cut,) for cut in range(self.steps + 1))),
        }


@cache
def upgraded_stories() -> Sequence[UpgradedStory]:
    """Return the rows in order of their ids."""
    by_name = {row.story: row for row in recorded_stories()}
    rows = yaml.safe_load((fixtures() / INDEX).read_text("utf-8"))
    return tuple(UpgradedStory(**{**row, "story": by_name[row["story"]]}) for row in rows)
