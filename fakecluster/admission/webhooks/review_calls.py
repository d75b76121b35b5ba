"""The Call of a webhook: its review as a request to its server (FK-306, FK-312)."""

from __future__ import annotations

from msgspec import Struct

from ...api.admission import Review
from ...api.context import Context
from ...api.outcome import Call
from ...api.service_address import Address, ServiceUnreachableError
from ...base.uids import uid as new_uid
from ...codec.call_results import REVIEW_LIMIT
from ...store import encode
from . import reviews
from .failures import CallFailed
from .hooks import ClientConfig, Hook
from .matching import Invocation, ViewOf

HEADERS = {
    "User-Agent": "kube-apiserver-admission",
    "Accept": "application/json, */*",
    "Content-Type": "application/json",
}
NO_VERSION = (
    "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)"
)
BAD_AUTHORITY = (
    "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block"
)
PEM_BEGIN = b"-----BEGIN CERTIFICATE-----"


class ReviewCall(Struct, frozen=True):
    """A call and the uid that its answer must repeat."""

    call: Call
    uid: str


def of(api: Context, invocation: Invocation, review: Review, view_of: ViewOf) -> ReviewCall:
    """Return the call of a webhook. Raises CallFailed when it cannot be made."""
    hook = invocation.hook
    if not hook.review:
        raise CallFailed(NO_VERSION)
    if hook.client.ca is not None and PEM_BEGIN not in hook.client.ca:
        raise CallFailed(BAD_AUTHORITY)
    uid = new_uid(api.random)
    request = reviews.request(review, invocation.kind, *view_of(invocation.kind))
    return ReviewCall(_call(api, hook, encode(reviews.review(hook.review, uid, request))), uid)


def url_of(hook: Hook) -> str:
    """Return the address that a webhook is asked at; it is told how long the server waits."""
    return f"{hook.client.url}?timeout={hook.timeout}s"


def _call(api: Context, hook: Hook, body: bytes) -> Call:
    unreachable, address = "", None
    try:
        address = _address(api, hook.client)
    except ServiceUnreachableError as error:
        unreachable = str(error)
    return Call(
        method="POST",
        url=url_of(hook),
        headers=HEADERS,
        body=body,
        timeout=hook.timeout,
        ca=hook.client.ca,
        address=address,
        unreachable=unreachable,
        follow=True,
        longest=REVIEW_LIMIT,
    )


def _address(api: Context, client: ClientConfig) -> Address | None:
    return api.services.address(*client.service) if client.service else None
