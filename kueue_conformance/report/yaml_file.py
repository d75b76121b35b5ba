"""report.yaml: the authoritative form."""

from __future__ import annotations

import yaml

from .model import Report


def render(report: Report) -> str:
    """Return the report as YAML, keys in their order."""
    return str(
        yaml.dump(
            report.to_dict(),
            Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper),
            sort_keys=False,
            allow_unicode=True,
            width=120,
        )
    )
