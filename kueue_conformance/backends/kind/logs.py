"""Logs that explain a failure in a cluster: of nodes and pods as kind exports them, and all events."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...base.errors import ConformanceError
from ...base.json_types import Json
from ...wire.client import ApiError, Client
from ...wire.transport import connect
from .kind_program import KindProgram

FOLDER = "kind-logs"
EVENTS = "events.txt"


def gather(kind: KindProgram, name: str, kubeconfig: Path, folder: Path | None) -> None:
    """Write the logs into the folder and replace those of an earlier run; a broken cluster may have fewer."""
    if folder is None:
        return
    # Logs of an earlier run beside this report would explain the wrong failure.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    completed = kind.logs(name, folder)
    # kind fails when one log is missing, although it has written the others.
    if completed.code and not any(folder.iterdir()):
        (folder / "missing.txt").write_text(f"no logs: {completed.err.strip()}\n", encoding="utf-8")
    (folder / EVENTS).write_text("\n".join(_events(kubeconfig)) + "\n", encoding="utf-8")


def _events(kubeconfig: Path) -> Iterator[str]:
    try:
        events = Client(connect(str(kubeconfig)), agent="kueue-conformance").call("GET", "/api/v1/events")
    except (ApiError, ConformanceError) as problem:
        yield f"no events: {problem.args[0]}"
        return
    yield from lines(events["items"])


def lines(events: Sequence[Json]) -> Sequence[str]:
    """Return events as lines, in the order of their time."""
    return [_line(event) for event in sorted(events, key=_time)]


def _time(event: Json) -> str:
    # Events of events.k8s.io have eventTime, those of the core group lastTimestamp; either may be
    # null.
    return str(event.get("eventTime") or event.get("lastTimestamp") or event["metadata"]["creationTimestamp"])


def _line(event: Json) -> str:
    about = event.get("involvedObject", {})
    where = "/".join(filter(None, [about.get("kind"), about.get("namespace"), about.get("name")]))
    return f"{_time(event)} {event.get('type', ''):<8} {event.get('reason', ''):<20} {where}: {event.get('message', '')}"
