"""A controller that is imported and made when there is something for it to do, so that a cluster which does
not use its kinds does not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ..api.steps import Steps
from ..store import Event, Resource, Store
from .engine import Controller, Key


class Deferred:
    """Stands for a controller until there is an object of its own kinds.

    kinds: resources of which an object has the controller made.
    further: further resources whose events concern it, once it is made.
    """

    def __init__(
        self,
        store: Store,
        make: Callable[[], Controller],
        kinds: Collection[Resource],
        further: Collection[Resource] = (),
    ) -> None:
        self._store = store
        self._make = make
        self._kinds = kinds
        self._controller: Controller | None = None
        self.resources = (*kinds, *further)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return the keys to look at when starting; none where there is no object of its kinds."""
        if self._controller is None and store.has_any(self._kinds):
            self._controller = self._make()
        return () if self._controller is None else self._controller.initial(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the keys that an event concerns;
        the first of its kinds has the controller look at everything.
        """
        if self._controller is not None:
            return self._controller.keys(event)
        return self.initial(self._store) if event.resource in self._kinds else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Reconcile a key. Raises StatusError."""
        assert self._controller is not None
        return self._controller.work(key)
