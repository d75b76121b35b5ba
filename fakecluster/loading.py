"""How a program loads what it keeps until its end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def for_good() -> Iterator[None]:
    """Look for no garbage in what is made inside the block, now or later: modules and built-in kinds never are."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
