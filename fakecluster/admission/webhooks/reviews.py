"""AdmissionReview: what a webhook is asked (FK-305)."""

from __future__ import annotations

from collections.abc import Mapping

from ...api.admission import Review
from ...api.kind import Kind
from ...api.outcome import User
from ...base.json_types import Json

GROUP = "admission.k8s.io"


def request(review: Review, kind: Kind, new: Json, old: Json) -> Json:
    """Return the request about a write, whose objects are shown as those of a kind's version."""
    resource, own = _resource(kind), _resource(review.kind)
    shown = new if new is not None else old
    return _without_empty(
        {
            "kind": _kind(shown, kind),
            "resource": resource,
            "subResource": review.subresource,
            "requestKind": _kind(review.new if review.new is not None else review.old, review.kind),
            "requestResource": own,
            "requestSubResource": review.subresource,
            "name": review.name,
            "namespace": review.place,
        }
    ) | {
        "operation": review.operation,
        "userInfo": user_info(review.user),
        "object": new,
        "oldObject": old,
        "dryRun": review.dry_run,
        "options": review.options(),
    }


def user_info(user: User) -> Json:
    """Return who asks, as webhooks see it."""
    extra = {key: list(values) for key, values in user.extra.items()}
    return _without_empty(
        {"username": user.name, "uid": user.uid, "groups": list(user.groups), "extra": extra}
    )


def review(version: str, uid: str, request: Json) -> Json:
    """Return the review around a request."""
    return {"kind": "AdmissionReview", "apiVersion": f"{GROUP}/{version}", "request": {"uid": uid, **request}}


def _kind(obj: Json, kind: Kind) -> Json:
    """Return what an object is; through a subresource it may be something else than the resource's kind."""
    group, _, version = str((obj or {}).get("apiVersion") or kind.api_version).rpartition("/")
    return {"group": group, "version": version, "kind": (obj or {}).get("kind") or kind.kind}


def _resource(kind: Kind) -> Json:
    return {"group": kind.group, "version": kind.version, "resource": kind.plural}


def _without_empty(members: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in members.items() if value}
