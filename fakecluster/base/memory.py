"""What a program does about its memory: what it keeps until its end, and what it gives back."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

M_MMAP_THRESHOLD = -3
MMAP_THRESHOLD_BYTES = 128 * 1024


@contextlib.contextmanager
def for_good() -> Iterator[None]:
    """Exclude objects made inside the block from garbage collection, now and later: modules and built-in
    kinds are never garbage.
    """
    # The collector would look at all that is loaded several times while it grows.
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def give_back() -> None:
    """Let blocks from 128 KiB on go back to the system once they are free.

    glibc begins like that, but keeps all that is smaller than the largest block it has seen: after one long
    list also the 256 KiB that each TLS connection has for reading and hardly ever touches. Other systems have
    no such switch.
    """
    import ctypes  # not before the program is ready

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
