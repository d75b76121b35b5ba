"""The WorkloadPriorityClasses that exist, as the webhook of Jobs knows them (KV-19)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

from ...api.kinds import WORKLOAD_PRIORITY_CLASSES
from ...api.resource import Key
from ...runtime.part import Runnable, Runtime

GATE: Final = "WorkloadPriorityClassDefaulting"
DEFAULT_CLASS: Final = Key("", "default")
"""The class of Jobs that name none, where it exists."""
NO_CLASSES: Final[Container[Key]] = frozenset()


@dataclass(eq=False, slots=True)
class KnownPriorityClasses:
    """A part of a manager whose webhooks look up classes: they read what its informer knows, as Kueue's do,
    so that no write of a Job waits for another request. Before the manager starts there are none.
    """

    _store: Container[Key] = NO_CLASSES

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow the classes; nothing runs for that but their informer."""
        self._store = runtime.informer(WORKLOAD_PRIORITY_CLASSES).store
        return ()

    def __contains__(self, key: object) -> bool:
        return key in self._store
