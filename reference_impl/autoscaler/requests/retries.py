"""When a request that found no capacity is tried again: the delay doubles with each look (PR-121, PR-122)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from .request import PROVISIONED, ProvisioningRequest, is_answered


class RequestBackoff:
    """The delay of each request that waits, by its uid;
    those that were looked at longest ago are forgotten first.
    """

    def __init__(
        self,
        initial: float,
        most: float,
        size: int,
        answered: Callable[[ProvisioningRequest], bool] = is_answered,
    ) -> None:
        self._initial, self._most, self._size, self._answered = initial, most, size, answered
        self._delays: OrderedDict[str, float] = OrderedDict()

    def is_due(self, request: ProvisioningRequest, current_time: float) -> bool:
        """Tell whether a request may be tried;
        asking for one that has waited long enough doubles its next delay.
        """
        if self._answered(request):
            self._delays.pop(request.uid, None)
            return False
        condition = request.condition(PROVISIONED)
        if condition is None:
            return True
        since = request.since(PROVISIONED)
        if condition["status"] != "False" or since is None:
            return False
        delay = self._delays.get(request.uid, self._initial)
        # The very second still waits.
        if since + delay >= current_time:
            self._remember(request.uid, delay)
            return False
        # Doubled when it is asked, not when it fails: a request that was looked at and
        # then not tried waits longer too.
        self._remember(request.uid, min(2 * delay, self._most))
        return True

    def delay(self, request: ProvisioningRequest) -> float:
        """Return for how long a request that has just failed waits."""
        return self._delays.get(request.uid, self._initial)

    def _remember(self, uid: str, delay: float) -> None:
        self._delays[uid] = delay
        self._delays.move_to_end(uid)
        while len(self._delays) > self._size:
            # A cache of limited size, as the real one has: a forgotten request starts
            # with the first delay again.
            self._delays.popitem(last=False)
