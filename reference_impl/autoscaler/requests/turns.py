"""The order of requests that are due: one whose write is refused lets all others go first (finding N19)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from reference_impl.api.resource import Key

from .request import ProvisioningRequest


class RequestOrder:
    """The requests that wait for others, each with how many may still go before it."""

    def __init__(self, is_answered: Callable[[ProvisioningRequest], bool]) -> None:
        self._is_answered = is_answered
        self._behind: dict[Key, int] = {}

    def order(
        self, requests: Sequence[ProvisioningRequest], refused: Collection[Key]
    ) -> Sequence[ProvisioningRequest]:
        """Return requests with those last that wait; the refused ones wait from now on for all others.

        The number keeps a stream of new requests from starving one that was refused.
        """
        if not refused and not self._behind:
            return requests
        open_keys = {request.key for request in requests if not self._is_answered(request)}
        for key in refused:
            self._behind.setdefault(key, len(open_keys - {key}))
        self._behind = {key: count for key, count in self._behind.items() if count > 0 and key in open_keys}
        return sorted(requests, key=lambda request: request.key in self._behind)

    def take(self, request: ProvisioningRequest) -> None:
        """Note that it was the turn of a request."""
        self._behind.pop(request.key, None)
        for key in self._behind:
            self._behind[key] -= 1
