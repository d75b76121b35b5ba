"""What one cluster is to a request: its objects, its kinds, its time, and who else has a say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from ..clock import Clock
from ..journal import Journal
from ..store import Store
from .action import Verb
from .admission import ADMIT_ALL, Admission
from .answers import codec
from .answers.encoding import Negotiate
from .outcome import Pending, Response
from .registry import Registry
from .service_address import Address, Services

Done = Callable[[Response], None]
Later = Callable[[Pending, Done], None]
Subresources = Mapping[tuple[str, str, str], Verb]


def _nobody(outcome: Pending, done: Done) -> None:
    del done
    raise RuntimeError(f"nobody makes calls for this API, so {outcome.calls[0].url} cannot be asked")


class Context:
    """Handed to every verb; `random` is seeded, so that generated names repeat (FK-063)."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clock: Clock,
        *,
        subresources: Subresources | None = None,
        admission: Admission = ADMIT_ALL,
        negotiate: Negotiate | None = None,
        random: Random | None = None,
        journal: Journal | None = None,
        services: Mapping[str, Address] | None = None,
    ) -> None:
        self.store = store
        self.registry = registry
        self.clock = clock
        self.subresources = subresources or {}
        self.admission = admission
        self.negotiate = negotiate or codec.Negotiator(clock)
        self.random = random or Random(0)  # noqa: S311 - seeded on purpose (FK-063)
        self.journal = journal or Journal()
        self.watched: Counter[tuple[str, str, str]] = Counter()
        """Events sent to watchers by (group, version, plural)."""
        self.services = Services(store, services or {})
        self.later: Later = _nobody
        """How somebody inside, who cannot wait, has the calls of an outcome made."""
