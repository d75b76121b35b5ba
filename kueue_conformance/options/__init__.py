"""The options of a run: their table, their given values, and the settings of both."""

from .settings import Settings, describe, header_line
from .settings_reader import read
from .table import BY_KEY, OPTIONS, REPORT_FOLDER, Option, effective
from .values import patterns_of

__all__ = [
    "BY_KEY",
    "OPTIONS",
    "REPORT_FOLDER",
    "Option",
    "Settings",
    "describe",
    "effective",
    "header_line",
    "patterns_of",
    "read",
]
