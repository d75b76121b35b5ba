"""The plugin NamespaceLifecycle: new objects need a namespace that is not going away (FK-073, FK-345)."""

from __future__ import annotations

from ..api import status
from ..api.admission import NAMESPACES, Review
from ..store import Store


def check(store: Store, review: Review) -> None:
    """Check that the namespace of a new object takes new content.

    Raises 404, or 403 while the namespace is being deleted.
    """
    if review.operation != "CREATE" or review.subresource or not review.kind.namespaced:
        return
    found = store.get(NAMESPACES, ("", review.namespace))
    if found is None:
        raise status.namespace_not_found(review.namespace)
    if not found.object["metadata"].get("deletionTimestamp"):
        return
    cause = {
        "reason": "NamespaceTerminating",
        "message": f"namespace {review.namespace} is being terminated",
        "field": "metadata.namespace",
    }
    why = f"unable to create new content in namespace {review.namespace} because it is being terminated"
    raise status.forbidden(review.kind.group, review.kind.plural, review.called, why, [cause])
