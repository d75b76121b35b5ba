"""Children of a process that has everything ready: what they do is lost with them, and the next one begins
from the same.

No thread lives at a fork: the clusters that the first cases have prepared are stopped, and a child starts
those it needs on a loop of its own.
"""

from __future__ import annotations

import json
import os
import select
import signal
import threading
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from kueue_conformance.run.parametrization import dialect_of
from kueue_conformance.session.fixtures import RUN, case_of, scenario_of

from .running import Session

Tell = Callable[..., None]
SILENCE_SECONDS = 60.0
"""A child that says nothing for so long hangs;
the slowest case takes a second, and others may use the processors.
"""


def warm_up(session: Session, items: dict[str, pytest.Item]) -> Any:
    """Run a case of each dialect, with webhooks and without, and return the prepared clusters by dialect,
    webhooks and more, stopped.
    """
    first: dict[Any, pytest.Item] = {}
    for item in items.values():
        needs = scenario_of(item).needs_of(case_of(item))
        first.setdefault((dialect_of(item), "webhooks" in needs, scenario_of(item).profile), item)
    for item in first.values():
        session.run(item)
    clusters = next(iter(items.values())).config.stash[RUN].backend._bases
    for cluster in clusters.values():
        cluster._halt()
    if threading.active_count() > 1:
        raise RuntimeError(f"a fork needs a process of one thread: {threading.enumerate()}")
    return clusters


def in_child(work: Callable[[Tell], None], silence: float = SILENCE_SECONDS) -> dict[str, Any]:
    """Do the work in a child and return its last word and its seconds of CPU; one that hangs or dies is
    caught by what it was at.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _tell(writing, work)
    os.close(writing)
    text = _follow(reading, child, silence)
    used = os.wait4(child, 0)[2]
    return {**text, "seconds": round(used.ru_utime + used.ru_stime, 3)}


def _tell(writing: int, work: Callable[[Tell], None]) -> NoReturn:
    def tell(**word: Any) -> None:
        os.write(writing, json.dumps(word).encode() + b"\n")

    try:
        work(tell)
    except BaseException as problem:  # noqa: BLE001 - the parent's stack is not the child's
        tell(verdict="error", by=repr(problem))
    finally:
        os._exit(0)


def _follow(reading: int, child: int, silence: float) -> dict[str, Any]:
    """Read what a child says until it ends, and end it where it says nothing any more."""
    last: dict[str, Any] = {}
    text = b""
    with open(reading, "rb", buffering=0) as pipe:
        while True:
            if not select.select([pipe], [], [], silence)[0]:
                os.kill(child, signal.SIGKILL)
                return {
                    "verdict": last.get("level", "error"),
                    "by": f"{last.get('at')} hangs",
                    "ran": last.get("ran", 0),
                }
            data = pipe.read(1 << 16)
            text += data
            *lines, text = text.split(b"\n")
            last = json.loads(lines[-1]) if lines else last
            if "verdict" in last:
                return last
            if not data:
                return {
                    "verdict": last.get("level", "error"),
                    "by": f"{last.get('at')} ends the process",
                    "ran": last.get("ran", 0),
                }
