"""Log lines to stderr: time, level, logger, message, key=value pairs; one line each, never a traceback."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TextIO

from .clock import Clock

LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Logger:
    """Writes lines of at least `level`. `fields` are part of every line."""

    clock: Clock
    level: str = "warning"
    name: str = "kueue"
    fields: tuple[tuple[str, object], ...] = ()
    stream: TextIO | None = field(default=None)

    def with_name(self, name: str, **fields: object) -> Logger:
        """Return a logger for a part, whose fields every line carries."""
        return replace(self, name=name, fields=(*self.fields, *fields.items()))

    def debug(self, message: str, **fields: object) -> None:
        """Write what only a developer of this program wants to know."""
        self._write("debug", message, fields)

    def info(self, message: str, **fields: object) -> None:
        """Write what an operator may want to know."""
        self._write("info", message, fields)

    def warning(self, message: str, **fields: object) -> None:
        """Write what an operator should look at when it goes on."""
        self._write("warning", message, fields)

    def error(self, message: str, **fields: object) -> None:
        """Write what went wrong."""
        self._write("error", message, fields)

    def _write(self, level: str, message: str, fields: dict[str, object]) -> None:
        if LEVELS.index(level) < LEVELS.index(self.level):
            return
        stamp = datetime.fromtimestamp(self.clock.now(), UTC).isoformat(timespec="milliseconds")
        pairs = "".join(f" {key}={_value(value)}" for key, value in (*self.fields, *fields.items()))
        print(f"{stamp} {level} {self.name}: {message}{pairs}", file=self.stream or sys.stderr, flush=True)


def _value(value: object) -> str:
    text = str(value)
    return text if text and not any(c in text for c in ' "=\n\t') else json.dumps(text, ensure_ascii=False)
