"""Where fakecluster knowingly answers otherwise than the recorded server:
the rows of `known-differences.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from .index import folder

FILE = "known-differences.yaml"
Known = Mapping[str, Mapping[str, str]]
"""A row with its `reason` by the name of the exchange."""


def known_differences() -> Known:
    """Return the rows by exchange."""
    file = folder().parent / FILE
    return {row["vector"]: row for row in yaml.safe_load(file.read_text("utf-8")) or ()}
