"""The package's data files: in the wheel below the package, in a checkout beside it (harness/V-20)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PACKAGE = Path(__file__).parents[1]


@cache
def load_yaml(name: str) -> Any:
    """Return a file of `data/`, parsed once per process."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (PACKAGE / "data" / name).read_text("utf-8")
    return yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are safe


def suites() -> Path:
    """Return the folder of the scenarios."""
    return _beside("suites")


def fixtures() -> Path:
    """Return the folder of the shared data."""
    return _beside("fixtures")


def facts() -> Path:
    """Return the folder of the fact pages."""
    installed = PACKAGE / "facts"
    return installed if installed.is_dir() else PACKAGE.parent / "docs/facts"


def example(language: str = "python") -> Path:
    """Return the folder of the example controller in a language."""
    return _beside("examples") / "check_controllers" / language


def example_integration(language: str = "python") -> Path:
    """Return the folder of the example of a job integration in a language."""
    return _beside("examples") / "job_integrations" / language


def in_checkout() -> bool:
    """Tell whether the package lies in a checkout of the project, with its Makefile and fixtures."""
    return not (PACKAGE / "suites").is_dir()


def _beside(name: str) -> Path:
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name


@cache
def schema(name: str) -> Any:
    """Return the JSON Schema of a machine format, by its name in `schemas/`."""
    return json.loads((PACKAGE / "schemas" / f"{name}.json").read_text("utf-8"))
