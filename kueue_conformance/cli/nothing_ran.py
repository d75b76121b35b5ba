"""Says why a run had no case."""

from __future__ import annotations

from ..base.errors import UsageError
from ..catalogue.inventory import inventory
from ..catalogue.patterns import match_scenarios
from ..options import Settings
from ..scenarios.dialect import every


def why_nothing_ran(settings: Settings) -> UsageError:
    """Return why no case was selected: the dialect, or the level, or what was left out."""
    if settings.shard is not None:
        return UsageError(
            f"nothing ran: shard {settings.shard} has none of the selected cases",
            hint="divide the run into fewer shards, or select more",
        )
    selected = match_scenarios(settings.select) if settings.select else inventory().values()
    chosen = [scenario for scenario in selected if scenario.profile.name in settings.profiles]
    if any(scenario.holds_in(dialect) for scenario in chosen for dialect in settings.dialects):
        return UsageError(
            "nothing ran: no scenario is left of those that were selected",
            hint="look at --level, --exclude and the patterns",
        )
    dialects = ", ".join(dialect.name for dialect in settings.dialects)
    holding = [
        name for name, dialect in every().items() if any(scenario.holds_in(dialect) for scenario in chosen)
    ]
    holding = holding or sorted({name for scenario in chosen for name in scenario.only})
    return UsageError(
        f"nothing ran: none of {len(chosen)} scenario(s) holds in dialect {dialects}",
        hint=f"name another one, such as --dialect {holding[-1]}"
        if holding
        else "look at `kueue-conformance list`",
    )
