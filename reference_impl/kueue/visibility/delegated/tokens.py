"""Bearer tokens, reviewed by the API server of the cluster (VIS-406)."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from ....api.resource import Json
from ....runtime.clock import Clock
from ..attributes import User
from .cache import Cache
from .reviews import ReviewError, Reviews

PATH: Final = "/apis/authentication.k8s.io/v1/tokenreviews"
KIND: Final = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview"}
CACHE_SECONDS: Final = 10.0
CACHED: Final = 4096


class TokenError(Exception):
    """A token that is not good, or about which the API server did not say."""


class Tokens:
    """The users of tokens; answers are kept for 10 s of the clock, failures to answer are not (VIS-406)."""

    def __init__(self, reviews: Reviews, clock: Clock) -> None:
        self._reviews = reviews
        self._known: Cache[bytes, User | TokenError] = Cache(clock, seconds=CACHE_SECONDS, most=CACHED)

    async def user(self, token: str) -> User:
        """Return the user of a token. Raises TokenError."""
        # The cache outlives the request: it holds no tokens.
        key = sha256(token.encode("utf-8", "surrogatepass")).digest()
        review = self._known.get(key)
        if review is None:
            review = await self._review(token)
            self._known.put(key, review)
        if isinstance(review, TokenError):
            raise TokenError(*review.args)
        return review

    async def _review(self, token: str) -> User | TokenError:
        try:
            status = await self._reviews.ask(PATH, {**KIND, "spec": {"token": token}})
        except ReviewError as error:
            raise TokenError(str(error)) from None
        user = status.get("user") or {}
        if not status.get("authenticated") or not user.get("username"):
            # Returned, not raised: that a token is bad is an answer, and is kept like
            # one.
            return TokenError(status.get("error") or "the token is not good")
        return user_of(user)


def user_of(user: Json) -> User:
    """Return the value of a UserInfo."""
    extra = ((key, tuple(values)) for key, values in (user.get("extra") or {}).items())
    return User(
        name=user["username"],
        uid=user.get("uid") or "",
        groups=tuple(user.get("groups") or ()),
        extra=tuple(sorted(extra)),
    )
