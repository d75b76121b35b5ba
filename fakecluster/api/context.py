"""What one cluster is to a request: its objects, its kinds, its time, and who else has a say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from ..base.clock import Clock
from ..journal import Journal
from ..store import Store
from .encoding import Negotiate
from .registry import Registry
from .service_address import Address, ServiceResolver


class Context:
    """Handed to every verb; `random` is seeded, so that generated names repeat (FK-063)."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clock: Clock,
        *,
        negotiate: Negotiate,
        random: Random | None = None,
        journal: Journal | None = None,
        services: Mapping[str, Address] | None = None,
        patience: float = 0.0,
    ) -> None:
        self.store = store
        self.registry = registry
        self.clock = clock
        self.negotiate = negotiate
        self.random = random or Random(0)  # noqa: S311 - seeded on purpose (FK-063)
        self.journal = journal or Journal()
        self.watched: Counter[tuple[str, str, str]] = Counter()
        """Events sent to watchers by (group, version, plural)."""
        self.services = ServiceResolver(store, services or {})
        self.patience = patience
        """Seconds that a read waits for a revision which is still to come (FK-139)."""
