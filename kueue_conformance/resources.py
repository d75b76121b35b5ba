"""Where the package's data lies: in the wheel below the package, in a checkout beside it (harness/V-20)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

PACKAGE = Path(__file__).parent


@cache
def load_yaml(name: str) -> Any:
    """Return a file of `data/`, parsed once per process."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((PACKAGE / "data" / name).read_text("utf-8"), Loader=loader)  # noqa: S506 - both are safe


def suites() -> Path:
    """Return the folder of the scenarios."""
    return _beside("suites")


def fixtures() -> Path:
    """Return the folder of the shared data."""
    return _beside("fixtures")


def _beside(name: str) -> Path:
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name
