"""Recorded stories as scenarios: the words of the profile
KUEUE-RECORDED, from the rows of `kueue-stories.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import yaml

from ..base.resources import fixtures

INDEX = "recordings/kueue-stories.yaml"
DIALECT = "v0.19"
"""The dialect of the stories that name none."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStory:
    """One row: the scenario that compares what was done, and the one that compares how it was told."""

    id: str
    texts: str
    story: str
    level: str
    about: str
    rows: tuple[str, ...]
    title: str
    needs: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()
    """Safety rules that the recorded Kueue breaks in the story."""
    dialect: str = DIALECT
    """The dialect of the Kueue that was recorded."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Return the row of a file."""
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
        }
        return cls(**values)

    @property
    def of_topic(self) -> bool:
        """Tell whether it stands in a file with others, `topic/story`."""
        return "/" in self.story

    @property
    def behaviour(self) -> Mapping[str, Any]:
        """The record of the scenario that compares what was done."""
        return {
            "id": self.id,
            "title": self.title,
            "requirement": f"kueue-recorded#{self.about}",
            "level": self.level,
            **self._both,
        }

    @property
    def telling(self) -> Mapping[str, Any]:
        """The record of the scenario that compares texts and counts."""
        return {
            "id": self.texts,
            "title": f"{self.title}: the texts",
            "requirement": "kueue-recorded#texts",
            "level": "may",
            **self._both,
        }

    @property
    def _both(self) -> Mapping[str, Any]:
        fields = {"shows": " ".join(self.rows), "needs": self.needs, "only": (self.dialect,)}
        return {**fields, "permits": self.permits}


@cache
def recorded_stories() -> Sequence[RecordedStory]:
    """Return the rows in order of their ids."""
    text = (fixtures() / INDEX).read_text("utf-8")
    return tuple(RecordedStory.of(row) for row in yaml.load(text, Loader=_LOADER))  # noqa: S506 - a safe one


def recorded_story(scenario: str) -> str:
    """Return the name of the story that a scenario is about.

    Raises StopIteration for a scenario that is about none.
    """
    return next(
        story_row.story for story_row in recorded_stories() if scenario in (story_row.id, story_row.texts)
    )
