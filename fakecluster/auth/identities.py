"""Questions about identities: whose token is this, who am I, give me a token (FK-401, FK-403, FK-404)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..api import status
from ..api.action import Action, Verb
from ..api.builtins.rows import row
from ..api.meta import metadata
from ..api.outcome import Outcome, User
from ..schema import fields
from .accounts import ISSUER, Accounts
from .identity import Authenticator
from .reviews import answered, asked

Json = Any
GROUP = "authentication.k8s.io"
INVALID = "invalid bearer token"
HOUR, SHORTEST, LONGEST = 3600, 600, 1 << 32
TOKEN_REQUEST = row("authentication.v1.TokenRequest", "tokenrequests", verbs=())
BINDABLE = ("Pod", "Secret", "Node")


def verbs(authenticator: Authenticator, accounts: Accounts) -> dict[tuple[str, str, str], Verb]:
    """Return the verbs of the identity kinds."""
    return {
        (GROUP, "selfsubjectreviews", ""): _who_am_i,
        (GROUP, "tokenreviews", ""): lambda action: _whose(action, authenticator, accounts),
        ("", "serviceaccounts", "token"): lambda action: _issue(action, accounts),
    }


def info(user: User) -> Json:
    """Return a user as reviews show it."""
    shown = {
        "username": user.name, "uid": user.uid, "groups": list(user.groups),
        "extra": {key: list(values) for key, values in user.extra.items()},
    }  # fmt: skip
    return {key: value for key, value in shown.items() if value}


def _who_am_i(action: Action) -> Outcome:
    review = asked(action)
    created = {"creationTimestamp": metadata.timestamp(action.now)}
    return answered(action, {**review, "metadata": created}, {"userInfo": info(action.request.user)})


def _whose(action: Action, authenticator: Authenticator, accounts: Accounts) -> Outcome:
    review = asked(action)
    spec = review.get("spec") or {}
    token, wanted = spec.get("token", ""), spec.get("audiences") or []
    if not token:
        raise status.bad_request("token is required for TokenReview in authentication")
    user = authenticator.of_token(token)
    meant = accounts.audiences(token) or [ISSUER]
    common = [one for one in meant if not wanted or one in wanted]
    if user is None or not common:
        return answered(
            action, review, {"user": {}, "error": _refusal(user, accounts.audiences(token), wanted)}
        )
    return answered(action, review, {"authenticated": True, "user": info(user), "audiences": common})


def _refusal(user: User | None, meant: list[str], wanted: list[str]) -> str:
    if user is None or not meant:
        return INVALID
    return (
        f"[{INVALID}, token audiences {_quoted(meant)} is invalid for the target audiences {_quoted(wanted)}]"
    )


def _quoted(names: list[str]) -> str:
    return f"[{' '.join(map(fields.go_quote, names))}]"


def _issue(action: Action, accounts: Accounts) -> Outcome:
    account = action.existing().object
    review = asked_for_token(action)
    spec = review.get("spec") or {}
    seconds = spec.get("expirationSeconds") or HOUR
    bound = spec.get("boundObjectRef")
    audiences = spec.get("audiences") or [ISSUER]
    token = accounts.issue(account, audiences, seconds, _bound(action, bound) if bound else None)
    own = {key: account["metadata"][key] for key in ("name", "namespace", "uid")}
    shown = {
        "apiVersion": f"{GROUP}/v1",
        "kind": "TokenRequest",
        "metadata": {**own, "creationTimestamp": metadata.timestamp(action.now)},
        "spec": {"audiences": audiences, "expirationSeconds": seconds, "boundObjectRef": bound},
    }
    return answered(
        action, shown, {"token": token, "expirationTimestamp": metadata.timestamp(action.now + seconds)}
    )


def asked_for_token(action: Action) -> Json:
    """Return the TokenRequest in a body. Raises 422."""
    review = asked(replace(action, kind=TOKEN_REQUEST))
    name = review["metadata"].get("name", "")
    given = (review.get("spec") or {}).get("expirationSeconds")
    seconds = HOUR if given is None else given
    errors = []
    if seconds < SHORTEST:
        errors.append(
            fields.invalid(
                "spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes"
            )
        )
    if seconds > LONGEST:
        errors.append(
            fields.invalid(
                "spec.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds"
            )
        )
    if name and name != action.name:
        text = "must match the service account name if specified"
        errors.insert(0, fields.invalid("metadata.name", name, text))
    if errors:
        raise status.invalid("TokenRequest", GROUP, name, errors)
    return review


def _bound(action: Action, reference: Json) -> Json:
    kind, name = reference.get("kind", ""), reference.get("name", "")
    if kind not in BINDABLE:
        raise status.bad_request(f"cannot bind token for serviceaccount {action.name!r} to type {kind!r}")
    plural = f"{kind.lower()}s"
    found = action.api.store.get(("", plural), ("" if kind == "Node" else action.namespace, name))
    if found is None:
        raise status.failure(404, "NotFound", f'{plural} "{name}" not found', status.about(name, "", plural))
    return {"kind": kind, "name": name, "uid": found.uid}
