"""The requests that concern a step of the loop:
each revision is looked at once, not in every loop (PR-120, PR-140, PR-380).

What is asked about a revision is a function of that revision alone,
so that its answer holds until the request changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from reference_impl.api.resource import Key

from .request import ProvisioningRequest
from .request_cache import RequestCache
from .sorted_requests import SortedRequests

NEVER: Final = float("inf")


class SelectedRequests:
    """The requests of which a question is answered with yes, in their order."""

    def __init__(self, requests: RequestCache, concerns: Callable[[ProvisioningRequest], bool]) -> None:
        self._followed = _FollowedRequests(requests)
        self._concerns = concerns

    def __call__(self) -> Sequence[ProvisioningRequest]:
        """Return the newest known states of the selected requests."""
        for request in self._followed.news():
            if self._concerns(request):
                self._followed.kept.add(request)
        return self._followed.kept.all()

    def leave_out(self, request: ProvisioningRequest) -> None:
        """Return one no more until it changes."""
        self._followed.kept.remove(request)


class DueRequests:
    """The requests whose time is over; of each revision one moment is known after which it is."""

    def __init__(self, requests: RequestCache, moment: Callable[[ProvisioningRequest], float]) -> None:
        self._followed = _FollowedRequests(requests)
        self._moment = moment

    def __call__(self, current_time: float) -> Sequence[ProvisioningRequest]:
        """Return those whose moment lies before now, in their order."""
        for request in self._followed.news():
            moment = self._moment(request)
            if moment < NEVER:
                self._followed.kept.add(request, moment)
        return self._followed.kept.below(current_time)


class _FollowedRequests:
    """Takes out of what was kept the revisions that are over, and returns the new ones."""

    def __init__(self, requests: RequestCache) -> None:
        self._requests, self._changed = requests, requests.follow()
        self._revisions: dict[Key, ProvisioningRequest] = {}
        self.kept = SortedRequests()

    def news(self) -> Sequence[ProvisioningRequest]:
        self._requests.refresh()
        if not self._changed:
            return ()
        selected = []
        for key in sorted(self._changed):
            self.kept.remove(self._revisions.pop(key, None))
            request = self._requests.read(key)
            if request is not None:
                self._revisions[key] = request
                selected.append(request)
        self._changed.clear()
        return selected
