"""Warnings of the kinds of `apps` (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from ..core.pod.warnings.templates import template
from ..core.volume_warnings import of_claim_spec
from . import template_generation

NEGATIVE_HISTORY_WARNING = "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"
of_pods = template(hostnames=False)
daemon_set = template(hostnames=False, revision=template_generation.generation)
deployment = replica_set = template()


def stateful_set(new: Json, old: Json) -> list[str]:
    """Return the warnings of a StatefulSet; those of its claims come with every update."""
    spec = new["spec"]
    claims = [
        text
        for number, claim in enumerate(spec.get("volumeClaimTemplates") or ())
        for text in of_claim_spec(
            claim["spec"], f"spec.volumeClaimTemplates[{number}]{'.Spec' if old else ''}"
        )
    ]
    history = [NEGATIVE_HISTORY_WARNING] if (spec.get("revisionHistoryLimit") or 0) < 0 else []
    return [*of_pods(new, old), *claims, *history]
