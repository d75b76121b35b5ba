"""What a cluster is made of before it starts: its options, and what its forks share with it."""

from __future__ import annotations

from typing import Self

from msgspec import UNSET, Struct, UnsetType

from .. import controllers as own_controllers
from ..auth.certificates import Authority, Certificates
from ..auth.issuers import Issuers
from ..auth.security import Settings
from ..base.clock import AcceleratedClock, Clock, VirtualClock, WallClock
from ..server.threads.callers_loop import CallersLoop
from ..server.threads.loop import LoopThread
from .core import Core
from .options import ClockName, Options

VIRTUAL_START = 1_767_225_600.0
"""2026-01-01T00:00:00Z, where virtual time begins, so that every run tells the same times."""


class Composition(Struct, frozen=True, kw_only=True):
    """One cluster without its network; a fork has another core and controllers, and shares the rest."""

    options: Options
    authority: Certificates | None
    """The certificates that it serves with; None without TLS."""
    settings: Settings
    pace: AcceleratedClock | None
    """The time of controllers and pods when they live faster."""
    core: Core
    controllers: tuple[str, ...]
    loops: type[LoopThread] | type[CallersLoop] = LoopThread
    """Where it finds the event loop that it runs on."""

    @classmethod
    def fresh(cls, options: Options) -> Self:
        """Return the composition of a new cluster."""
        authority = (options.certificates or Authority.fresh()) if options.tls else None
        settings = options.settings(authority.issuers if authority else Issuers())
        # One clock for both clusters: virtual time that moves for one alone would tear them apart.
        clock = options.beside.clock if options.beside else _clock(options.clock)
        return cls(
            options=options,
            authority=authority,
            settings=settings,
            pace=AcceleratedClock(options.speed) if options.clock == "hybrid" else None,
            core=Core.fresh(clock, options.seed, settings),
            controllers=own_controllers.chosen(options.controllers),
        )

    @property
    def keys(self) -> own_controllers.SigningKeys:
        """What its controllers sign with."""
        return own_controllers.SigningKeys(self.settings.signer, self.authority)


def _clock(name: ClockName | UnsetType) -> Clock:
    return VirtualClock(VIRTUAL_START) if name in {UNSET, "virtual"} else WallClock()
