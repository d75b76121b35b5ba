"""SIGINT while an event loop turns on the main thread: an exception in the midst of a callback may be lost."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class HeldBack:
    """Holds a SIGINT back until the block is left; a second one is handled at once."""

    __slots__ = ("_came", "_handler")

    def __init__(self) -> None:
        self._came: tuple[int, FrameType | None] | None = None
        self._handler: signal._HANDLER = None

    def __enter__(self) -> None:
        found = signal.getsignal(signal.SIGINT)
        if callable(found) and threading.current_thread() is threading.main_thread():
            self._handler = found
            signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._came is not None and callable(self._handler):
            self._handler(number, frame)
        self._came = number, frame

    def __exit__(self, *_: object) -> None:
        if self._handler is None:
            return
        signal.signal(signal.SIGINT, self._handler)
        if self._came is not None and callable(self._handler):
            self._handler(*self._came)
