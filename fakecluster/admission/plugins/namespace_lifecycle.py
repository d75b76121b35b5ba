"""NamespaceLifecycle: new objects need a namespace that is not going away (FK-073, FK-345)."""

from __future__ import annotations

from ...api import status
from ...api.admission import NAMESPACES, Review
from ...api.context import Context
from ...base.json_types import Json
from .plugin import CREATE, EVERYTHING, Plugin, forbidden

ACCESS_REVIEWS = "localsubjectaccessreviews"
"""What would say of a namespace whether it is there, were it not let pass."""


def require_namespace(api: Context, review: Review, new: Json) -> Json:
    """Return the object unchanged where its namespace takes new content.

    Raises 404, or 403 while the namespace is being deleted.
    """
    # A status about the namespace would tell a review's sender what it may not know.
    if not review.kind.namespaced or review.kind.plural == ACCESS_REVIEWS:
        return new
    namespace = api.store.get(NAMESPACES, ("", review.namespace))
    if namespace is None:
        raise status.namespace_not_found(review.namespace)
    # Updates and deletions go on while a namespace goes; only new content is refused.
    if not namespace.object["metadata"].get("deletionTimestamp"):
        return new
    cause = {
        "reason": "NamespaceTerminating",
        "message": f"namespace {review.namespace} is being terminated",
        "field": "metadata.namespace",
    }
    why = f"unable to create new content in namespace {review.namespace} because it is being terminated"
    raise forbidden(review, why, [cause])


PLUGIN = Plugin(name="NamespaceLifecycle", operations=CREATE, mutates={EVERYTHING: require_namespace})
