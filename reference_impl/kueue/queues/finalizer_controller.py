"""Keeps what ClusterQueues refer to from disappearing:
ResourceFlavors and AdmissionChecks (AC-400…403, AC-407).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ...api.resource import Key, Resource
from ...runtime.client import Client
from ...runtime.store import Store
from . import finalizers


@dataclass(frozen=True, slots=True)
class FinalizerController:
    """Adds the finalizer to new objects of one kind, and removes it from deleted ones without references."""

    resource: Resource
    client: Client
    store: Store
    users: Callable[[str], Collection[str]]

    async def reconcile(self, key: Key) -> None:
        """Look at one object that was created or is being deleted."""
        obj = self.store.get(key)
        if obj is None:
            return
        if not finalizers.is_deleting(obj):
            if not finalizers.has(obj):
                await self.client.update(self.resource, finalizers.with_finalizer(obj))
        elif finalizers.has(obj) and not self.users(key.name):
            await self.client.update(self.resource, finalizers.without_finalizer(obj))
