"""The newest lines that a subject printed, each with its time (harness/H-43)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from time import time

_KEPT = 500
_SHOWN = 20


class LogRing:
    """Filled by one thread, read by others."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_KEPT)

    def fill(self, lines: Iterable[str]) -> None:
        """Take lines until there are no more."""
        for line in lines:
            stamp = datetime.fromtimestamp(time(), UTC).strftime("%H:%M:%S.%f")[:-3]
            self._lines.append(f"{stamp} {line.rstrip()}")

    def tail(self) -> list[str]:
        """Return the newest lines."""
        return list(self._lines)[-_SHOWN:]

    def has(self, pattern: str) -> bool:
        """Tell whether a line that is kept matches a regular expression."""
        return any(re.search(pattern, line) for line in list(self._lines))
