"""Writes the status ConfigMap once a loop: what operators read of
an autoscaler (cluster-autoscaler's FAQ).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from reference_impl.api.kinds import CONFIG_MAPS
from reference_impl.api.resource import Json, Key
from reference_impl.runtime.client import Client
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.log import Logger

from .status_text import status_text

LAST_UPDATED: Final = "cluster-autoscaler.kubernetes.io/last-updated"


@dataclass(slots=True, kw_only=True)
class StatusMap:
    """One ConfigMap, which is made when it is not there."""

    client: Client
    log: Logger
    key: Key
    _stored: Json = field(default=None, init=False)

    async def write(self, status: Json, current_time: float) -> None:
        """Write the status as YAML. A failure is logged: the next loop writes again."""
        time = render_time(current_time)
        try:
            self._stored = await self._send(time, status_text({"time": time, **status}))
        except (ApiError, UnreachableError, TimeoutError) as error:
            self._stored = None
            self.log.warning("status not written", config_map=self.key, error=error)

    async def _send(self, time: str, text: str) -> Json:
        """Replace what this program wrote last;
        others may have written or removed it, so it is read after a failure.
        """
        stored = self._stored or await self._find()
        if stored is None:
            metadata = {
                "namespace": self.key.namespace,
                "name": self.key.name,
                "annotations": {LAST_UPDATED: time},
            }
            config_map = {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": metadata,
                "data": {"status": text},
            }
            return await self.client.create(CONFIG_MAPS, config_map)
        annotations = {**(stored["metadata"].get("annotations") or {}), LAST_UPDATED: time}
        return await self.client.update(
            CONFIG_MAPS,
            {
                **stored,
                "metadata": {**stored["metadata"], "annotations": annotations},
                "data": {**(stored.get("data") or {}), "status": text},
            },
        )

    async def _find(self) -> Json | None:
        try:
            return await self.client.get(CONFIG_MAPS, self.key)
        except ApiError as error:
            if error.is_not_found:
                return None
            raise


def render_time(current_time: float) -> str:
    """Return a time in the format of the status ConfigMap: `2026-01-01 00:00:00.5 +0000 UTC`."""
    seconds = datetime.fromtimestamp(int(current_time), UTC).strftime("%Y-%m-%d %H:%M:%S")
    fraction = f"{current_time % 1:.6f}"[1:].rstrip("0").rstrip(".")
    return f"{seconds}{fraction} +0000 UTC"
