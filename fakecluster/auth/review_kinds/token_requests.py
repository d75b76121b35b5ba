"""A token for a service account, asked for over the API (FK-404)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...api import status
from ...api.kind import Kind
from ...api.outcome import Outcome
from ...api.steps import Steps
from ...base.json_types import Json
from ...kinds.row import row
from ...meta import metadata
from ...registry.action import Action, Verb, with_options
from ...registry.verbs.writes import subresource_bodies
from ...schema import fields
from ...store import Stored
from ..authentication.authenticator import AUDIENCES
from ..authentication.service_accounts import Accounts
from .access_reviews import receive, respond

GROUP = "authentication.k8s.io"
HOUR_SECONDS, SHORTEST_SECONDS, LONGEST_SECONDS = 3600, 600, 1 << 32
TOKEN_REQUEST = row("authentication.v1.TokenRequest", "tokenrequests", verbs=())
BINDABLE_KINDS = ("Pod", "Secret", "Node")


def verbs(accounts: Accounts) -> dict[tuple[str, str, str], Verb]:
    """Return the verb of the subresource `token`."""
    return {("", "serviceaccounts", "token"): lambda action: _issue(action, accounts)}


@with_options("CreateOptions")
def _issue(action: Action, accounts: Accounts) -> Steps[Outcome]:
    # The body is a TokenRequest of another group, though the URL is that of an account.
    posted_review = yield from receive(replace(action, kind=_kind_of(action)))
    review = yield from subresource_bodies.mutate(action, posted_review)
    review_metadata = review["metadata"]
    # After mutation: a webhook may have changed the name.
    _check_place(action, review_metadata)
    account = action.existing()
    _check_uid(action, review_metadata, account)
    spec = review.get("spec") or {}
    seconds = HOUR_SECONDS if spec.get("expirationSeconds") is None else spec["expirationSeconds"]
    problems = list(_problems(seconds))
    # Judged before anything that the token is bound to is looked up.
    if problems:
        raise status.invalid("TokenRequest", GROUP, "", problems)
    reference, audiences = spec.get("boundObjectRef"), spec.get("audiences") or list(AUDIENCES)
    bound = {} if reference is None else _bound(action, reference)
    own = {key: account.object["metadata"][key] for key in ("name", "namespace", "uid")}
    shown = {
        **review,
        "metadata": {
            **review_metadata,
            **own,
            "creationTimestamp": metadata.timestamp(action.api.clock.now()),
        },
        "spec": {"audiences": audiences, "expirationSeconds": seconds, "boundObjectRef": reference},
        "status": {"token": "", "expirationTimestamp": None},
    }

    # Admission sees the request without the token, which is made last.
    yield from subresource_bodies.validate(action, shown)
    token = accounts.issue(account.object, audiences, seconds, bound)
    expires = metadata.timestamp(action.api.clock.now() + seconds)
    return (yield from respond(action, shown, {"token": token, "expirationTimestamp": expires}))


def _kind_of(action: Action) -> Kind:
    """Return the row of a TokenRequest, in the namespace of the account."""
    return replace(TOKEN_REQUEST, namespaced=action.kind.namespaced)


def _check_place(action: Action, review_metadata: Json) -> None:
    """Check that the body is about the account on the URL. Raises 422."""
    name = review_metadata.get("name")
    if name and name != action.name:
        why = fields.invalid("metadata.name", name, "must match the service account name if specified")
        raise status.invalid("TokenRequest", GROUP, action.name, [why])


def _check_uid(action: Action, review_metadata: Json, account: Stored) -> None:
    uid = review_metadata.get("uid")
    if uid and uid != account.uid:
        why = f"the UID in the token request ({uid}) does not match the UID of the service account ({account.uid})"
        raise _conflict(f"TokenRequest.{GROUP}", "TokenRequest", GROUP, action.name, why)


def _problems(seconds: int) -> Iterator[fields.FieldError]:
    path = "spec.expirationSeconds"
    if seconds < SHORTEST_SECONDS:
        yield fields.invalid(path, seconds, "may not specify a duration less than 10 minutes")
    if seconds > LONGEST_SECONDS:
        yield fields.invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")


def _bound(action: Action, reference: Json) -> dict[str, Json]:
    """Return to what a token is bound.

    Raises 400 for what cannot be bound to, 404, 409 for another object of that name.
    """
    kind, name, uid = reference.get("kind", ""), reference.get("name", ""), reference.get("uid", "")
    group, _, version = reference.get("apiVersion", "").rpartition("/")
    # Only kinds of the core group can be bound to.
    if group or kind not in BINDABLE_KINDS:
        shown = f"{group}/{version}, Kind={kind}"
        raise status.bad_request(f"cannot bind token to object of type {shown}")
    stored = _find(action, f"{kind.lower()}s", "" if kind == "Node" else action.namespace, name)
    if uid and uid != stored.uid:
        why = (
            f"the UID in the bound object reference ({uid}) does not match the UID in record."
            " The object might have been deleted and then recreated"
        )
        raise _conflict(kind, kind, "", name, why)
    bound = {kind.lower(): {"name": name, "uid": stored.uid}}
    return {**bound, **_node_of(action, stored)} if kind == "Pod" else bound


def _find(action: Action, plural: str, namespace: str, name: str) -> Stored:
    stored = action.api.store.get(("", plural), (namespace, name))
    if stored is None:
        raise status.failure(404, "NotFound", f'{plural} "{name}" not found', status.about(name, "", plural))
    return stored


def _node_of(action: Action, pod: Stored) -> dict[str, Json]:
    """Return on which node a pod runs. Raises 400 for a pod of another account."""
    spec = pod.object["spec"]
    # A pod of another account would give its token to this one.
    if spec.get("serviceAccountName", "") != action.name:
        account = fields.go_quote(action.name)
        raise status.bad_request(
            f"cannot bind token for serviceaccount {account} to pod running with different serviceaccount name."
        )
    name = spec.get("nodeName")
    # The node may not be registered; its name is told all the same.
    node = action.api.store.get(("", "nodes"), ("", name)) if name else None
    return {"node": {"name": name, "uid": node.uid if node else ""}} if name else {}


def _conflict(resource: str, kind: str, group: str, name: str, why: str) -> status.StatusError:
    text = f'Operation cannot be fulfilled on {resource} "{name}": {why}'
    return status.failure(409, "Conflict", text, status.about(name, group, kind))
