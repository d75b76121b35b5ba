"""The subject: how it is declared, started, told its verdicts and stopped (harness §5.1, §10.2, H-43).

A connector knows how to reach one sort of subject. `CONNECTORS` is the table of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Protocol

from ..base import resources
from ..base.errors import UsageError, unknown
from .start import AS_EVER, StartSettings

if TYPE_CHECKING:  # every command reads the table of connectors (SH-22)
    from ..backends.cluster import Cluster
    from .clock import Clock
    from .log import Line


def _real_time() -> Clock:
    from .clock import WALL

    return WALL


@dataclass(frozen=True, slots=True)
class SubjectContext:
    """The input of a subject: its kubeconfig, the controller name to answer for, where verdicts are asked
    for, when to stop.

    A coroutine is cancelled instead, and its `clock` is the cluster's, virtual or not.
    """

    kubeconfig: str
    controller_name: str
    verdict_url: str
    claims_url: str = ""
    """Where outside work is claimed and released."""
    stop: Event = field(default_factory=Event)
    clock: Clock = field(default_factory=_real_time)

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment variables of a program."""
        return {
            "KUBECONFIG": self.kubeconfig,
            "KUEUE_CONFORMANCE_CONTROLLER_NAME": self.controller_name,
            "KUEUE_CONFORMANCE_VERDICT_URL": self.verdict_url,
            "KUEUE_CONFORMANCE_CLAIMS_URL": self.claims_url,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorContext:
    """Fields of a subject file for its connector."""

    start: StartSettings = AS_EVER
    folder: Path = Path()
    """Where relative paths begin: beside the subject file, or where the command line was typed."""


class Handle(Protocol):
    """A subject that was started."""

    def exit_reason(self) -> str:
        """Return how it came to an end by itself, empty while it runs."""

    def log(self) -> list[Line]:
        """Return the newest lines that it printed."""

    def stop(self, seconds: float) -> bool:
        """End it: politely, and after so many seconds by force; tells whether that was not needed."""

    def kill(self) -> None:
        """Kill it, as a crash does."""


class Connector(Protocol):
    """Starts one subject."""

    alone: bool
    """True when the user starts it by hand, so that a single worker judges it."""
    needs: tuple[str, ...]
    """Features of a backend without which it cannot be reached there."""
    account: str
    """The user that its pods are to the API server, empty where it does not run in pods."""

    @property
    def on_the_loop(self) -> bool:
        """It is a coroutine that runs on the loop of a cluster, so that it can live in virtual time."""

    def look(self) -> None:
        """Check before a run that there is something to start. Raises SubjectDied."""

    def start(self, context: SubjectContext, cluster: Cluster) -> Handle:
        """Start it for a cluster. Raises SubjectDied when that is not possible."""


def _process(rest: str, context: ConnectorContext) -> Connector:
    # Imported on use: the table is read by every command, most of which start nothing (SH-22).
    from .process import ProcessConnector

    return ProcessConnector.of(rest, context.start, context.folder)


def _python(rest: str, context: ConnectorContext) -> Connector:
    from .in_process import InProcessConnector

    return InProcessConnector(rest, context.folder)


def _external(rest: str, context: ConnectorContext) -> Connector:
    from .external import ExternalSubject

    # An external subject is started by the user, so the folder and the way to start it mean
    # nothing.
    del context
    return ExternalSubject(rest)


def _manifest(rest: str, context: ConnectorContext) -> Connector:
    from .deployed import Manifest

    return Manifest(rest, context.folder)


def _reference(rest: str, context: ConnectorContext) -> Connector:
    from .process import ProcessConnector

    del rest
    return ProcessConnector([sys.executable, str(resources.example() / "controller.py")], context.start)


CONNECTORS: Mapping[str, Callable[[str, ConnectorContext], Connector]] = {
    "external": _external,
    "manifest": _manifest,
    "process": _process,
    "python": _python,
    "reference": _reference,
}
REFERENCE = "reference"
FORMS = ("external:", "process:COMMAND", "python:MODULE:CALLABLE", "manifest:PATH", REFERENCE)


def connector(text: str, context: ConnectorContext | None = None) -> Connector:
    """Return the connector for a text such as `process:./my-controller --flag`.

    Raises UsageError for a wrong word.
    """
    # The first colon only: a command and a module have colons of their own.
    kind, colon, rest = text.partition(":")
    if kind not in CONNECTORS and not colon and any(mark in text for mark in "/. "):
        raise UsageError(f"unknown connector {text!r}: it looks like a program", hint=f"write process:{text}")
    if kind not in CONNECTORS:
        problem = unknown("connector", kind, CONNECTORS)
        raise UsageError(
            problem.args[0], hint=f"{problem.hint.partition('known:')[0]} known: {', '.join(FORMS)}".strip()
        )
    if not colon and kind != REFERENCE:
        raise UsageError(
            f"subject {text!r} is incomplete", hint=f"write {', '.join(FORMS[:-1])} or {FORMS[-1]}"
        )
    return CONNECTORS[kind](rest, context or ConnectorContext())
