"""report.yaml: the authoritative form."""

from __future__ import annotations

from typing import Any, TypeAlias

import yaml

from ..results.model import Report

Json: TypeAlias = Any


def render(report: Report) -> str:
    """Return the report as YAML, keys in their order."""
    return text(report.to_dict())


def text(report: Json) -> str:
    """Return the content of a report file."""
    return str(
        yaml.dump(
            report,
            Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper),
            sort_keys=False,
            allow_unicode=True,
            width=120,
        )
    )
