"""Which exchanges there are and which rows they show, without reading a million bytes of YAML: `list` is
asked often (SH-22).

The recorder writes each vector in one form, which is what this reads; a test compares it with the YAML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..base.resources import fixtures

RECORDED = "recordings/kube-apiserver-v1.36.3"
_VECTOR = re.compile(r"^- id: (.+)\n(?:  .*\n)*?  rows:\s*\[([^\]]*)\]", re.MULTILINE)


def folder() -> Path:
    """Return the folder of the topics."""
    return fixtures() / RECORDED


@cache
def index(where: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of each exchange, which is named `topic/id`."""
    return {
        f"{file.stem}/{name}": tuple(row.strip() for row in rows.split(","))
        for file in sorted(where.glob("*.yaml"))
        for name, rows in _VECTOR.findall(file.read_text("utf-8"))
    }
