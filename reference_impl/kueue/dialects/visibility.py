"""The rules of the visibility server, by release."""

from __future__ import annotations

from typing import Final

from ...api import kinds
from ...api.releases import Row, by_release
from ..visibility.rules import LEVEL, MISSING_LEVEL, VisibilityRules

VISIBILITY: Final = VisibilityRules(
    aggregate_to=by_release(Row("VIS-D14", (0, 6), ()), Row("VIS-D14", (0, 18), ("admin", "edit", "view"))),
    administered=by_release(
        Row("VIS-442", (0, 6), ()),
        Row(
            "KV-64",
            ("0.19.6", "0.20.0"),
            (
                kinds.ADMISSION_CHECKS,
                kinds.MULTI_KUEUE_CLUSTERS,
                kinds.MULTI_KUEUE_CONFIGS,
                kinds.PROVISIONING_REQUEST_CONFIGS,
                kinds.WORKLOAD_PRIORITY_CLASSES,
            ),
        ),
    ),
    has_role_labels=by_release(Row("VIS-440", (0, 6), value=False), Row("VIS-440", (0, 18), value=True)),
    priority_level=by_release(
        Row("VIS-D13", (0, 6), ""), Row("VIS-D13", (0, 9), LEVEL), Row("VIS-612", (0, 18), MISSING_LEVEL)
    ),
)
"""The rules of the visibility server."""
