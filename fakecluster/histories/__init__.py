"""Judge what clients have seen of an API server: one order of revisions must explain all of it.

`observations` are writes, lists, gets and watches as data; `check` returns what contradicts them (FK-130,
FK-140…148).
"""

from __future__ import annotations

from .checking import check
from .observations import Get, History, List, Selector, Span, Watch, WatchEvent, Write
from .violation import Violation

__all__ = ["Get", "History", "List", "Selector", "Span", "Violation", "Watch", "WatchEvent", "Write", "check"]
