"""Words that choose scenarios: checked against the inventory before a run starts (harness/H-46)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from .. import resources
from ..capability import PROFILES
from ..errors import unknown
from ..options import Settings
from ..scenario import Scenario
from .inventory import inventory


def chosen(patterns: Iterable[str]) -> list[Scenario]:
    """Return the scenarios that match any of the ids, globs, rows or requirements."""
    wanted = tuple(patterns)
    return [one for one in inventory().values() if one.matches(wanted)]


def known_or_raise(patterns: Sequence[str]) -> None:
    """Raise UsageError, naming the nearest id, for a pattern that matches no scenario."""
    for pattern in patterns:
        if not chosen([pattern]):
            raise unknown("scenario", pattern, {word for one in inventory().values() for word in one.words})


def folders(settings: Settings) -> list[Path]:
    """Return the folders of the suites that a run collects."""
    return [resources.suites() / PROFILES[name].folder for name in settings.profiles]
