"""Raises at one step of the server: when one of its functions
that another one calls begins or ends for the first time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import fakecluster

ROOT = f"{Path(fakecluster.__file__).parent}/"
NOT_THE_SERVER = (f"{ROOT}tests", f"{ROOT}server/threads/loop.py")
Step = tuple[str, str, str]
"""File and function, and whether it begins or ends."""


class Interrupted(Exception):
    """What no function of the server expects."""


class Interruption:
    """Collects the steps taken inside a `with` block,
    on the thread that enters it, and raises at one of them.
    """

    def __init__(self, at: Step | None = None) -> None:
        self.steps: set[Step] = set()
        self._at = at

    def __enter__(self) -> Interruption:
        # What a generator raises while it is freed is lost, as it is without us.
        sys.unraisablehook = lambda _: None
        sys.setprofile(self._step)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        sys.unraisablehook = sys.__unraisablehook__

    def _step(self, frame, event, _argument) -> None:
        if event in {"call", "return"} and _inside(frame) and _inside(frame.f_back):
            code = frame.f_code
            step = (code.co_filename[len(ROOT) :], code.co_qualname, event)
            self.steps.add(step)
            if step == self._at:
                sys.setprofile(None)
                raise Interrupted(step)


def _inside(frame) -> bool:
    """Whether a frame is one of the server's."""
    if frame is None:
        return False
    name = frame.f_code.co_filename
    return name.startswith(ROOT) and not name.startswith(NOT_THE_SERVER)
