"""Questions about identities: whose token is this, who am I (FK-401, FK-403)."""

from __future__ import annotations

from ...api import status
from ...api.outcome import Outcome, User
from ...base.json_types import Json
from ...meta import metadata
from ...registry.action import Action, Verb, with_options
from ..authentication.authenticator import AUDIENCES, Authenticator, TokenRefusedError
from .access_reviews import answered, asked

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
def _who_am_i(action: Action) -> Outcome:
    review = asked(action)
    created = {"creationTimestamp": metadata.timestamp(action.api.clock.now())}
    return answered(action, {**review, "metadata": created}, {"userInfo": info(action.request.user)})


@with_options("CreateOptions")
def _whose(action: Action, authenticator: Authenticator) -> Outcome:
    review = asked(action)
    spec = review.get("spec") or {}
    if not spec.get("token"):
        raise status.bad_request("token is required for TokenReview in authentication")
    try:
        found = authenticator.of_token(spec["token"], spec.get("audiences") or AUDIENCES)
    except TokenRefusedError as refusal:
        return answered(action, review, {"user": {}, "error": str(refusal)})
    told = {"authenticated": True, "user": info(found.user), "audiences": list(found.audiences)}
    return answered(action, review, told)
