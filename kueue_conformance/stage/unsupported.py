"""The end of a case that the subject file rules out while it runs."""

from __future__ import annotations

from typing import NoReturn


def skip_unsupported_field(need: str) -> NoReturn:
    """End the case as unsupported: the subject file cannot bring it about."""
    import pytest

    pytest.skip(f"unsupported: {need}")
