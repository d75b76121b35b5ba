"""The options of a run: their table, their given values, and the settings of both."""

from .reading import read
from .settings import Settings, describe, told
from .table import BY_KEY, OPTIONS, Option, effective
from .values import patterns_of

__all__ = ["BY_KEY", "OPTIONS", "Option", "Settings", "describe", "effective", "patterns_of", "read", "told"]
