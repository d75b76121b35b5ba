"""The smoke test of a subject: are harness, server and program connected (harness/H-03)."""

from .smoke import smoke

__all__ = ["smoke"]
