"""Questions about identities: whose token is this, who am I (FK-401, FK-403)."""

from __future__ import annotations

from ...api import status
from ...api.outcome import Outcome, User
from ...api.steps import Steps
from ...base.json_types import Json
from ...meta import metadata
from ...registry.action import Action, Verb, with_options
from ..authentication.authenticator import AUDIENCES, Authenticator, TokenRefusedError
from .access_reviews import receive, respond

GROUP = "authentication.k8s.io"


def verbs(authenticator: Authenticator) -> dict[tuple[str, str, str], Verb]:
    """Return the verbs of the identity kinds."""
    return {
        (GROUP, "selfsubjectreviews", ""): _who_am_i,
        (GROUP, "tokenreviews", ""): lambda action: _whose(action, authenticator),
    }


def info(user: User) -> Json:
    """Return a user as reviews show it."""
    shown = {
        "username": user.name,
        "uid": user.uid,
        "groups": list(user.groups),
        "extra": {key: list(values) for key, values in user.extra.items()},
    }
    return {key: value for key, value in shown.items() if value}


@with_options("CreateOptions")
def _who_am_i(action: Action) -> Steps[Outcome]:
    review = yield from receive(action)
    # The only member of the metadata; all that the client sent is dropped.
    created = {"creationTimestamp": metadata.timestamp(action.api.clock.now())}
    answer = {"userInfo": info(action.request.user)}
    return (yield from respond(action, {**review, "metadata": created}, answer))


@with_options("CreateOptions")
def _whose(action: Action, authenticator: Authenticator) -> Steps[Outcome]:
    review = yield from receive(action)
    spec = review.get("spec") or {}
    if not spec.get("token"):
        raise status.bad_request("token is required for TokenReview in authentication")
    try:
        identified = authenticator.of_token(spec["token"], spec.get("audiences") or AUDIENCES)
    except TokenRefusedError as refusal:
        return (yield from respond(action, review, {"user": {}, "error": str(refusal)}))
    new_status = {
        "authenticated": True,
        "user": info(identified.user),
        "audiences": list(identified.audiences),
    }
    return (yield from respond(action, review, new_status))
