"""report.yaml: the authoritative form."""

from __future__ import annotations

import yaml

from ...base.json_types import Json
from ..results.model import Report


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
