"""The program `kueue-conformance`:
answers a signal from its first moment on, before its modules are loaded.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn

_INTERRUPTED = 2
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """End at once: an exception in the midst of an import would be a traceback."""
    del number, frame
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)


def main() -> None:
    """Load and run the command line; a signal that comes after its end changes nothing."""
    usual = {number: signal.signal(number, _end) for number in _SIGNALS}
    from .cli import main as run

    for number, handler in usual.items():
        signal.signal(number, handler)
    try:
        run()
    finally:
        # What Python does at its exit cannot be interrupted without a traceback.
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
