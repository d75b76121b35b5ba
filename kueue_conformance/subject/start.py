"""The field `start` of a subject file: how a `process:` subject is started, known to be ready, and ended
(harness §10.2, H-43).
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ..base.errors import UsageError, unknown
from ..base.json_types import Json
from .fields import Problems, are_texts, strangers, wrong

_FIELDS = ("argv", "env", "ready", "stop")
_READY = ("http", "log", "lease", "active")
_STOP = ("signal", "grace")
_SIGNALS = tuple(sorted(number.name for number in signal.Signals if number.name.startswith("SIG")))
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSettings:
    """How a program is started and stopped; missing fields have their defaults."""

    argv: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    ready_http: str = ""
    """An address that answers 2xx when the program is ready."""
    ready_log: str = ""
    """A pattern that a line of its output matches when it is ready."""
    ready_lease: str = ""
    """NAMESPACE/NAME of a Lease that has a holder when the program is ready."""
    marks_active: bool = True
    """It marks its AdmissionChecks Active; else it is ready when it has read something of Kueue (TP-12)."""
    signal: str = "SIGTERM"
    grace: float | None = None
    """Seconds until it is ended by force; None: the budget `stop`."""

    @classmethod
    def of(cls, field: Mapping[str, Json]) -> StartSettings:
        """Return the start that a field without problems declares."""
        ready, stop = field.get("ready", {}), field.get("stop", {})
        return cls(
            argv=tuple(field.get("argv", ())),
            env=dict(field.get("env", {})),
            ready_http=ready.get("http", ""),
            ready_log=ready.get("log", ""),
            ready_lease=ready.get("lease", ""),
            marks_active=ready.get("active", True),
            signal=stop.get("signal", "SIGTERM"),
            grace=float(stop["grace"]) if "grace" in stop else None,
        )


AS_EVER = StartSettings()


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    del folder
    yield from strangers("start", field, _FIELDS)
    # ["x"] stands for an absent argv, which is no mistake.
    argv, env = field.get("argv", ["x"]), field.get("env", {})
    if not isinstance(argv, list) or not argv or not all(isinstance(word, str) for word in argv):
        yield _wrong("argv", argv, "a list of words", "argv: [./my-controller, --flag]")
    if not are_texts(env):
        yield _wrong("env", env, "a mapping from name to text", "env: {LOG_LEVEL: debug}")
    for name, known_fields, judge in (("ready", _READY, _of_ready), ("stop", _STOP, _of_stop)):
        section = field.get(name, {})
        if not isinstance(section, Mapping):
            yield _wrong(
                name,
                section,
                f"a mapping with {', '.join(known_fields)}",
                "ready: {log: started}, stop: {grace: 5}",
            )
        else:
            yield from strangers(f"start.{name}", section, known_fields)
            yield from judge(section)


def _of_ready(field: Mapping[str, Json]) -> Problems:
    http, log, lease, active = (field.get(name) for name in _READY)
    if http is not None and not str(http).startswith(("http://", "https://")):
        yield _wrong("ready.http", http, "an http address", "ready: {http: 'http://127.0.0.1:8081/readyz'}")
    if log is not None and not _is_pattern(log):
        yield _wrong("ready.log", log, "a regular expression", "ready: {log: 'Starting workers'}")
    if lease is not None and not re.fullmatch(r"[^/\s]+/[^/\s]+", str(lease)):
        yield _wrong("ready.lease", lease, "NAMESPACE/NAME", "ready: {lease: acme-system/acme-controller}")
    if active not in (None, False):
        yield _wrong("ready.active", active, "false", "ready: {active: false}")


def _of_stop(field: Mapping[str, Json]) -> Problems:
    if field.get("signal", "SIGTERM") not in _SIGNALS:
        yield unknown("signal in start.stop", str(field["signal"]), _SIGNALS, path="start.stop.signal")
    grace = field.get("grace", 1)
    if isinstance(grace, bool) or not isinstance(grace, int | float) or grace < 0:
        yield _wrong("stop.grace", grace, "seconds", "stop: {grace: 5}")


def _is_pattern(text: Json) -> bool:
    try:
        re.compile(text)
    except (re.error, TypeError):
        return False
    return True


def _wrong(name: str, value: Json, expected: str, example: str) -> UsageError:
    return wrong(f"start.{name}", value, expected, f"for example `{example}`")
