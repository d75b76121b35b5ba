"""Conformance suite for Kueue's two-stage admission:
scenarios, control planes, and API servers to run them on.

A scenario imports only what is named here; a test of your own needs nothing but the fixtures `kueue_cluster`,
`queue`, `history`, `clock`, `subject` and `fakecluster`.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from .base.errors import Nonconformance
    from .case.context import always, either, never, within
    from .scenarios.capability import Capability
    from .scenarios.cases import cross, pairwise, rows
    from .scenarios.outcome import Level
    from .scenarios.scenario import scenario
    from .scenarios.stories import recorded_stories
    from .scenarios.tables import table
    from .scenarios.upgrades import upgraded_stories
    from .vectors.exchanges import exchanges

__version__ = "0.2.0"

__all__ = [
    "Capability",
    "Level",
    "Nonconformance",
    "__version__",
    "always",
    "cross",
    "either",
    "exchanges",
    "never",
    "pairwise",
    "recorded_stories",
    "rows",
    "scenario",
    "table",
    "upgraded_stories",
    "within",
]

_MODULES = {
    "Capability": ".scenarios.capability",
    "Level": ".scenarios.outcome",
    "Nonconformance": ".base.errors",
    "always": ".case.context",
    "cross": ".scenarios.cases",
    "either": ".case.context",
    "exchanges": ".vectors.exchanges",
    "never": ".case.context",
    "pairwise": ".scenarios.cases",
    "recorded_stories": ".scenarios.stories",
    "rows": ".scenarios.cases",
    "scenario": ".scenarios.scenario",
    "table": ".scenarios.tables",
    "upgraded_stories": ".scenarios.upgrades",
    "within": ".case.context",
}


def __getattr__(name: str) -> typing.Any:
    """Load a public name when it is first asked for: the command line answers a signal before that."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_MODULES[name], __name__), name)
    return value
