"""report.html: one page that opens from disk without network."""

from __future__ import annotations

from .model import Report


def render(report: Report) -> str:
    """Return the page."""
    raise NotImplementedError
