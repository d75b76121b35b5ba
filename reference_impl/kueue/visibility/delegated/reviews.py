"""Questions to the API server of the cluster,
asked again where it failed for the moment (VIS-406, VIS-420, VIS-427).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

import orjson

from ....api.resource import Json
from ....runtime.client import Client
from ....runtime.clock import Clock, pause, within
from ....runtime.errors import ApiError, UnreachableError

REVIEW_TIMEOUT_SECONDS: Final = 10.0
PAUSES: Final = (0.5, 0.75, 1.125, 1.6875)
"""Seconds between one try and the next; each is up to a fifth longer."""
JITTER: Final = 0.2
RETRIED_REASONS: Final = frozenset({"Timeout", "TooManyRequests"})


class ReviewError(Exception):
    """The API server did not answer a review; the text is what it said instead."""


class Reviews:
    """Posts reviews; each answer is waited for `REVIEW_TIMEOUT_SECONDS` of the clock."""

    def __init__(self, client: Client, clock: Clock, *, random: Random) -> None:
        self._client, self._clock, self._random = client, clock, random

    async def ask(self, path: str, review: Json, options: Mapping[str, str] | None = None) -> Json:
        """Return the status of a review. Raises ReviewError."""
        for seconds in PAUSES:
            try:
                return await self._post(path, review, options)
            except (ApiError, UnreachableError) as error:
                # What the API server has refused, it will refuse again.
                if not is_passing(error):
                    raise ReviewError(_text(error)) from None
            await pause(self._clock, seconds * (1 + JITTER * self._random.random()))
        try:
            return await self._post(path, review, options)
        except (ApiError, UnreachableError) as error:
            raise ReviewError(_text(error)) from None

    async def _post(self, path: str, review: Json, options: Mapping[str, str] | None) -> Json:
        # No token is held between two tries: time has to pass there.
        with self._clock.busy():
            try:
                answer = await within(
                    self._clock, REVIEW_TIMEOUT_SECONDS, self._client.review(path, options, review)
                )
            except TimeoutError as error:
                raise ReviewError(f"no answer to a review: {error}") from None
            except orjson.JSONEncodeError as error:
                raise ReviewError(f"the review cannot be written as JSON: {error}") from None
        status = answer.get("status") if isinstance(answer, dict) else None
        if not isinstance(status, dict):
            raise ReviewError("the answer to a review has no status")
        return status


def is_passing(error: ApiError | UnreachableError) -> bool:
    """Tell whether the next try may do better."""
    if isinstance(error, UnreachableError):
        # client-go tries again after a reset only: other failures may have reached the
        # server.
        return isinstance(error.__cause__, ConnectionResetError)
    return error.code >= 500 or error.code == 429 or error.reason in RETRIED_REASONS


def _text(error: ApiError | UnreachableError) -> str:
    return error.message or str(error) if isinstance(error, ApiError) else str(error)
