"""Built-in kinds as rows: the P0 set of spec/apiserver.md §3.19. CustomResourceDefinition is `crds`' row."""

from __future__ import annotations

from ..api.kind import Kind
from . import autoscalers, core, devices, events, inert, policies, reviews, workloads

BUILTIN_KINDS: tuple[Kind, ...] = (
    *core.KINDS,
    *events.KINDS,
    *workloads.KINDS,
    *policies.KINDS,
    *reviews.KINDS,
    *devices.KINDS,
    *autoscalers.KINDS,
    *inert.KINDS,
)
