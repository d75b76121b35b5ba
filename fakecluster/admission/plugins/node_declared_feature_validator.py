"""NodeDeclaredFeatureValidator: a pod changes in place only as its node declares that it can (FK-487)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...schema.fields import go_quote
from .plugin import PODS, UPDATE, Plugin, forbidden

NODES = ("", "nodes")
POD_LEVEL, INIT_CONTAINERS = (
    "InPlacePodLevelResourcesVerticalScaling",
    "InPlacePodVerticalScalingInitContainers",
)


def check_features(api: Context, review: Review) -> None:
    """Check that the node of a pod declares what its update needs. Raises 403."""
    new, old = review.new["spec"], review.old["spec"]
    name = new.get("nodeName")
    # A pod that is not bound runs nowhere, so no node has to know anything.
    features = (
        [feature for feature, is_needed in FEATURE_CHECKS.items() if is_needed(new, old)] if name else []
    )
    if not features:
        return
    stored = api.store.get(NODES, ("", name))
    if stored is None:
        raise forbidden(review, f"node {go_quote(name)} not found")
    declared = (stored.object.get("status") or {}).get("declaredFeatures") or ()
    if missing := [feature for feature in features if feature not in declared]:
        text = f"pod update requires features {', '.join(missing)} which are not available on node {go_quote(name)}"
        raise forbidden(review, text)


def _resizes_pod(new: Json, old: Json) -> bool:
    return bool(new.get("resources") != old.get("resources"))


def _resizes_init_container(new: Json, old: Json) -> bool:
    pairs = zip(old.get("initContainers") or (), new.get("initContainers") or (), strict=False)
    return any(
        before.get("restartPolicy") != "Always" and before.get("resources") != after.get("resources")
        for before, after in pairs
    )


FEATURE_CHECKS = {POD_LEVEL: _resizes_pod, INIT_CONTAINERS: _resizes_init_container}
PLUGIN = Plugin(
    name="NodeDeclaredFeatureValidator",
    operations=UPDATE,
    validates={PODS: check_features, ("", "pods", "resize"): check_features},
)
