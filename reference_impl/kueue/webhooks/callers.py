"""The objects that have API servers call the webhooks: two configurations, and
each definition that converts.
"""

from __future__ import annotations

from typing import Final

from ...api.crds.definitions import DEFINITIONS
from ...api.kinds import CRDS
from ...runtime.serving.trust import WebhookCaller, in_conversion, in_webhooks
from .registration import MUTATING, MUTATING_NAME, VALIDATING, VALIDATING_NAME

CALLERS: Final = (
    WebhookCaller(MUTATING, MUTATING_NAME, in_webhooks),
    WebhookCaller(VALIDATING, VALIDATING_NAME, in_webhooks),
    *(
        WebhookCaller(CRDS, f"{row.resource.plural}.{row.resource.group}", in_conversion)
        for row in DEFINITIONS
        if row.converts
    ),
)
