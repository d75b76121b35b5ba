"""Patterns that select scenarios, checked against the inventory before a run starts (harness/H-46)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..base import resources
from ..base.errors import unknown
from ..options import Settings
from ..scenarios.capability import FAMILIES, PROFILES
from ..scenarios.scenario import Scenario
from .inventory import family, inventory, module_of


def match_scenarios(patterns: Iterable[str]) -> list[Scenario]:
    """Return the scenarios that match any of the ids, globs, rows or requirements."""
    selected = tuple(patterns)
    families = {pattern.partition("-")[0] for pattern in selected}
    # Only ids begin like a family: reading the others takes a third of a second.
    are_ids = families <= FAMILIES.keys()
    scenarios = (
        [item for name in sorted(families) for item in family(name).values()]
        if are_ids
        else inventory().values()
    )
    return [scenario for scenario in scenarios if scenario.matches(selected)]


def check_patterns(patterns: Sequence[str]) -> None:
    """Raise UsageError, naming the nearest id, for a pattern that matches no scenario."""
    for pattern in patterns:
        if not match_scenarios([pattern]):
            raise unknown(
                "scenario", pattern, {word for scenario in inventory().values() for word in scenario.words}
            )


def paths_to_collect(settings: Settings) -> list[Path]:
    """Return the paths that pytest collects:
    modules of the selected scenarios, whole folders where all are selected.
    """
    folders = [resources.suites() / PROFILES[name].folder for name in settings.profiles]
    selected = {module_of(scenario) for scenario in match_scenarios(settings.select)}
    modules = sorted(
        module for module in selected if any(module.is_relative_to(folder) for folder in folders)
    )
    return modules or folders
