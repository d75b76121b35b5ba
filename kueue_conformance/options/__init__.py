"""The options of a run: their table, what is given for them, and the settings that come of it."""

from .reading import read
from .settings import Settings, describe, told
from .table import BY_KEY, OPTIONS, Option, effective
from .values import patterns_of

__all__ = ["BY_KEY", "OPTIONS", "Option", "Settings", "describe", "effective", "patterns_of", "read", "told"]
