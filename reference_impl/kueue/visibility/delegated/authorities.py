"""The current authorities of the cluster: read once before anything is served, then followed
(VIS-401, VIS-720, VIS-721).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ....api.kinds import CONFIG_MAPS
from ....api.resource import Json
from ....runtime.client import Client
from ....runtime.clock import Clock
from ....runtime.errors import ApiError, OutsideError
from ....runtime.informer import Informer
from ....runtime.log import Logger
from .trust import SOURCE, Trust, TrustError


class Authorities:
    """Follows the ConfigMap; one that cannot be read, or is gone, leaves what was known before."""

    def __init__(self, client: Client, clock: Clock, log: Logger, *, random: Random) -> None:
        self._client, self._clock, self._log, self._random = (
            client,
            clock,
            log.with_name("authorities"),
            random,
        )
        self._trust = Trust()
        self.changed: Callable[[], None] = lambda: None
        """Called when there is another trust."""

    def trust(self) -> Trust:
        """Return the current authorities."""
        return self._trust

    async def read(self) -> None:
        """Read the ConfigMap.

        Raises OutsideError when that cannot be done, or it says too little (VIS-005, VIS-R17).
        """
        try:
            with self._clock.busy():
                self._trust = Trust.of(await self._client.get(CONFIG_MAPS, SOURCE))
        except (ApiError, TrustError) as error:
            why = (error.message or str(error)) if isinstance(error, ApiError) else str(error)
            raise OutsideError(
                f"unable to load configmap based request-header-client-ca-file: ConfigMap {SOURCE}: {why}; "
                f"the account needs the Role extension-apiserver-authentication-reader of {SOURCE.namespace}"
            ) from None

    async def run(self) -> None:
        """Follow the ConfigMap until cancelled."""
        informer = Informer(
            self._client, CONFIG_MAPS, self._clock, self._log, random=self._random, only=SOURCE
        )
        informer.add_handler(self._take)
        await informer.run()

    def _take(self, _old: Json | None, new: Json | None) -> None:
        # A deleted ConfigMap leaves the last authorities: a mistake must not lock
        # everybody out.
        if new is None:
            return
        try:
            self._trust = Trust.of(new)
        except TrustError as error:
            self._log.warning("authorities are not replaced", configmap=str(SOURCE), error=str(error))
        else:
            self.changed()
