"""Leader election by a Lease: who holds it acts;
a holder that is not heard of for its duration is succeeded (CC-073).
"""

from datetime import UTC, datetime

from .api import CONFLICT, NOT_FOUND, TROUBLE, ApiError
from .follow import pause
from .objects import lease_path

DURATION = 6


class Leader:
    """Tries for ever; `changed()` is called whenever `leading` turns."""

    renew = 2.0

    def __init__(self, api, clock, name, identity, changed):
        self._api, self._clock, self._name, self._identity, self._changed = (
            api,
            clock,
            name,
            identity,
            changed,
        )
        self._heard, self._since, self._renewed = None, 0.0, 0.0
        self.leading = False

    async def run(self):
        """Take the lease or keep it, again and again."""
        while True:
            with self._clock.busy():
                await self._try()
            await pause(self._clock, self.renew)

    async def _try(self):
        try:
            leads = await self.acquire()
        except TROUBLE as problem:
            lost = (
                getattr(problem, "code", None) == CONFLICT
                or self._clock.now() - self._renewed > DURATION - self.renew
            )
            leads = self.leading and not lost
        else:
            self._renewed = self._clock.now()
        if leads != self.leading:
            self.leading = leads
            self._changed()

    async def acquire(self):
        """Return whether the lease is ours now. Raises what the API says against it."""
        try:
            lease = await self._api.get(lease_path(self._name))
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
            await self._api.post(lease_path(), {"metadata": {"name": self._name}, "spec": self._spec()})
            return True
        if not self.may_take(lease["spec"]):
            return False
        await self._api.put(lease_path(self._name), {**lease, "spec": {**lease["spec"], **self._spec()}})
        return True

    def may_take(self, spec):
        """Tell whether the lease is ours, without a holder, or its holder has not been heard of for long, by
        our own clock.
        """
        if spec.get("renewTime") != self._heard:
            self._heard, self._since = spec.get("renewTime"), self._clock.now()
        silent = self._clock.now() - self._since >= spec.get("leaseDurationSeconds", DURATION)
        return spec.get("holderIdentity") in (None, "", self._identity) or silent

    def _spec(self):
        current_time = datetime.fromtimestamp(self._clock.now(), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return {"holderIdentity": self._identity, "leaseDurationSeconds": DURATION, "renewTime": current_time}
