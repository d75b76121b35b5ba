"""What is judged from outside: how it is declared, started, told its verdicts and stopped (harness §5.1, §10.2, H-43).

A connector knows how to reach one sort of subject. `CONNECTORS` is the table of them; further ones (a manifest applied to a
cluster, the reference's own controllers) are further rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Protocol

from ..errors import UsageError, unknown

if TYPE_CHECKING:  # every command reads the table of connectors (SH-22)
    from ..backends import Cluster
    from .clock import Clock


def _real_time() -> Clock:
    from .clock import WALL

    return WALL


@dataclass(frozen=True, slots=True)
class SubjectContext:
    """What a subject is told: its kubeconfig, the controller name to answer for, where verdicts are asked for, when to stop.

    A coroutine is cancelled instead, and its `clock` is the cluster's, virtual or not.
    """

    kubeconfig: str
    controller_name: str
    verdict_url: str
    stop: Event = field(default_factory=Event)
    clock: Clock = field(default_factory=_real_time)


class Handle(Protocol):
    """A subject that was started."""

    def ended(self) -> str:
        """Return how it came to an end by itself, empty while it runs."""

    def log(self) -> list[str]:
        """Return the newest lines that it printed."""

    def stop(self, seconds: float) -> bool:
        """End it: politely, and after so many seconds by force; tells whether that was not needed."""

    def kill(self) -> None:
        """End it without a word, as a crash does."""


class Connector(Protocol):
    """Starts one subject."""

    alone: bool
    """Somebody has to start it by hand, so that one worker judges it and nobody else."""

    @property
    def on_the_loop(self) -> bool:
        """It is a coroutine that runs on the loop of a cluster, so that it can live in virtual time."""

    def start(self, context: SubjectContext, cluster: Cluster) -> Handle:
        """Start it for a cluster. Raises SubjectDied when that is not possible."""


def _process(rest: str) -> Connector:
    from .process import Process

    return Process(rest)


def _python(rest: str) -> Connector:
    from .in_process import InProcess

    return InProcess(rest)


def _external(rest: str) -> Connector:
    from .external import External

    return External(rest)


CONNECTORS: dict[str, Callable[[str], Connector]] = {
    "external": _external,
    "process": _process,
    "python": _python,
}
FORMS = ("external:", "process:COMMAND", "python:MODULE:CALLABLE")


def connector(text: str) -> Connector:
    """Return the connector for a text such as `process:./my-controller --flag`. Raises UsageError for a wrong word."""
    kind, colon, rest = text.partition(":")
    if kind not in CONNECTORS:
        raise unknown("connector", kind, CONNECTORS)
    if not colon:
        raise UsageError(f"subject {text!r} is incomplete", hint=f"write {', or '.join(FORMS)}")
    return CONNECTORS[kind](rest)
