"""Conformance suite for Kueue's two-stage admission:
scenarios, control planes, and API servers to run them on.

A scenario imports only what is named here; a test of your own needs nothing but the fixtures `kueue_cluster`,
`queue`, `history`, `clock`, `subject` and `fakecluster`.
"""

from .base.errors import Nonconformance
from .case.context import always, either, never, within
from .scenarios.capability import Capability
from .scenarios.cases import cross, pairwise, rows
from .scenarios.outcome import Level
from .scenarios.scenario import scenario
from .scenarios.stories import recorded_stories
from .scenarios.tables import table
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
    "within",
]
