"""Tells a ProvisioningRequest that its capacity is gone: cluster-autoscaler never does, clouds with classes
of their own do (PR-366).
"""

from __future__ import annotations

from typing import Final

from reference_impl.api import instants
from reference_impl.api.kinds import PROVISIONING_REQUESTS
from reference_impl.api.resource import Key
from reference_impl.runtime.controller import Controller
from reference_impl.runtime.part import Runtime

from .model import CloudModel

REVOKED: Final = "CapacityRevoked"
MESSAGE: Final = "Capacity was revoked by the provider"


class Revocations:
    """Sets CapacityRevoked on the requests that a rule names."""

    def __init__(self, model: CloudModel, runtime: Runtime) -> None:
        self._client, self._clock = runtime.client, runtime.clock
        self.requests: Controller[Key] = Controller("revocations", self._revoke, runtime.clock, runtime.log)
        model.revocations.append(self._add)
        runtime.endings.append(lambda: model.revocations.remove(self._add))

    def _add(self, request: str) -> None:
        namespace, _, name = request.partition("/")
        self.requests.queue.add(Key(namespace, name))

    async def _revoke(self, key: Key) -> None:
        request = await self._client.get(PROVISIONING_REQUESTS, key)
        status = request.get("status") or {}
        conditions = [
            condition for condition in status.get("conditions") or () if condition["type"] != REVOKED
        ]
        condition = {
            "type": REVOKED,
            "status": "True",
            "reason": REVOKED,
            "message": MESSAGE,
            "lastTransitionTime": instants.render(self._clock.now()),
        }
        changed = {**request, "status": {**status, "conditions": [*conditions, condition]}}
        await self._client.update_status(PROVISIONING_REQUESTS, changed)
