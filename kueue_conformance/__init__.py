"""Conformance suite for Kueue's two-stage admission: scenarios, control planes, and API servers to run them
on.

A scenario imports only what is named here; a test of your own needs nothing but the fixtures `kueue_cluster`,
`queue`, `history`, `clock`, `subject` and `fakecluster`.
"""

from .capability import Capability
from .case_context import always, either, never, within
from .cases import cross, listed, pairwise
from .errors import Nonconformance
from .exchanges import exchanges
from .outcome import Level
from .scenario import scenario
from .stories import recorded_stories
from .tables import table

__version__ = "0.1.0"

__all__ = [
    "Capability",
    "Level",
    "Nonconformance",
    "__version__",
    "always",
    "cross",
    "either",
    "exchanges",
    "listed",
    "never",
    "pairwise",
    "recorded_stories",
    "scenario",
    "table",
    "within",
]
