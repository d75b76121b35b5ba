"""Authorization by the API server of the cluster;
`system:masters` and the health paths are allowed without (VIS-420…428).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ....api.resource import Json
from ....runtime.clock import Clock
from ..attributes import Attributes, User
from ..guards import AuthorizerError, Decision
from .cache import Cache
from .reviews import ReviewError, Reviews

PATH: Final = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
KIND: Final = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview"}
OPTIONS: Final = {"timeout": "10s"}
MASTERS: Final = "system:masters"
OPEN_PATHS: Final = frozenset({"/healthz", "/livez", "/readyz"})
CACHE_SECONDS: Final = 10.0
CACHED: Final = 8192
# Characters of user and attributes that are still worth keeping: clients choose names
# and paths, and act as others.
LONGEST: Final = 10_000
ONE_TEXT: Final = 50
"""What one more group weighs, however short it is."""
FIELDS: Final = ("namespace", "verb", "group", "version", "resource", "subresource", "name")
_NO_TEXT: Final = re.compile(r"[\ud800-\udfff]")
Asked = tuple[User, Attributes]


class DelegatedAuthorizer:
    """Asks with SubjectAccessReviews; allow and deny are
    kept for 10 s of the clock, failures are not (VIS-428).
    """

    def __init__(self, reviews: Reviews, clock: Clock) -> None:
        self._reviews = reviews
        self._known: Cache[Asked, Decision] = Cache(clock, seconds=CACHE_SECONDS, most=CACHED)

    async def authorize(self, user: User, attributes: Attributes) -> Decision:
        """Return whether a user may. Raises AuthorizerError."""
        if is_open(user, attributes):
            return Decision(allowed=True)
        # The path of a resource is not part of the question.
        question = user, replace(attributes, path="") if attributes.is_resource else attributes
        # Allow and deny are kept for the same 10 s, failures never: the next request
        # asks again.
        decision = self._known.get(question)
        if decision is None:
            decision = await self._decision(*question)
            # Clients choose names and paths: long questions would fill the memory of
            # the cache.
            if _length(user, attributes) < LONGEST:
                self._known.put(question, decision)
        return decision

    async def _decision(self, user: User, attributes: Attributes) -> Decision:
        review = {**KIND, "spec": spec_of(user, attributes)}
        try:
            status = await self._reviews.ask(PATH, review, OPTIONS)
        except ReviewError as error:
            raise AuthorizerError(str(error)) from None
        allowed, denied = bool(status.get("allowed")), bool(status.get("denied"))
        # An authorizer that says both is broken: neither answer may be trusted.
        if allowed and denied:
            raise AuthorizerError("the review both allows and denies")
        return Decision(allowed=allowed, reason="" if allowed else status.get("reason") or "")


def is_open(user: User, attributes: Attributes) -> bool:
    """Tell whether no question is needed (VIS-420)."""
    # system:masters works even while the API server cannot be asked, as in every
    # Kubernetes server.
    return MASTERS in user.groups or (not attributes.is_resource and attributes.path in OPEN_PATHS)


def spec_of(user: User, attributes: Attributes) -> Json:
    """Return the spec of a SubjectAccessReview without empty members (VIS-421…424)."""
    if attributes.is_resource:
        named = {name: _readable(getattr(attributes, name)) for name in FIELDS}
        subject_of_review = {"resourceAttributes": _without_empty(named)}
    else:
        path = {"path": _readable(attributes.path), "verb": attributes.verb}
        subject_of_review = {"nonResourceAttributes": _without_empty(path)}
    extra = {key: list(values) for key, values in user.extra}
    asking = {"user": user.name, "groups": list(user.groups), "uid": user.uid, "extra": extra}
    return {**subject_of_review, **_without_empty(asking)}


def _readable(text: str) -> str:
    """Return a text as Go writes it into JSON: each byte that is no UTF-8 as U+FFFD."""
    return _NO_TEXT.sub("\ufffd", text)


def _without_empty(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value}


def _length(user: User, attributes: Attributes) -> int:
    size = len(attributes.path) + sum(len(getattr(attributes, name)) for name in FIELDS)
    texts = [*user.groups, *(text for key, values in user.extra for text in (key, *values))]
    return size + len(user.name) + len(user.uid) + sum(len(text) + ONE_TEXT for text in texts)
