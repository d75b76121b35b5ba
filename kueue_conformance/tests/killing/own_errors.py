"""Errors of a wrong implementation's own code: it calls what a rename took away, and so decides nothing.

Such an error ends a reconcile or a task, and its scenario fails as if it had caught something.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from reference_impl.runtime.log import Logger

KINDS = (AttributeError, ImportError, NameError, TypeError)
_IN_TEXT = re.compile(
    r"\b(?:AttributeError|\w*ImportError|ModuleNotFoundError|NameError|UnboundLocalError|TypeError): .*"
)


def find_in_text(text: str) -> list[str]:
    """Return the errors of these kinds that the text of a failure shows."""
    return _IN_TEXT.findall(text)


@contextmanager
def watch() -> Iterator[list[str]]:
    """Collect the errors of these kinds that the reference handles, which it does where it logs them."""
    errors: list[str] = []
    log_error = Logger.error

    def note_and_log(self: Logger, message: str, **fields: object) -> None:
        _note(errors)
        log_error(self, message, **fields)

    handler = _Handler(errors)
    logging.getLogger().addHandler(handler)
    try:
        with patch.object(Logger, "error", note_and_log):
            yield errors
    finally:
        logging.getLogger().removeHandler(handler)


class _Handler(logging.Handler):
    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        """Look at the error that is handled while a record is written."""
        del record
        _note(self._errors)


def _note(errors: list[str]) -> None:
    error = sys.exception()
    if isinstance(error, KINDS):
        errors.append("".join(traceback.format_exception(error)))
