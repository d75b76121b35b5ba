"""An answer of the API server that refuses something, as a scenario looks at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..client import ApiError
from ..errors import Nonconformance


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the server said."""

    code: int
    reason: str
    message: str
    fields: tuple[str, ...]

    def is_invalid(self, field: str) -> bool:
        """Tell whether it is 422 Invalid for this field or one below it."""
        return self.code == 422 and any(
            one == field or one.startswith((f"{field}.", f"{field}[")) for one in self.fields
        )


def refused(attempt: Callable[[], Any]) -> Refusal:
    """Return the server's refusal of an attempt. Raises Nonconformance when it was accepted."""
    try:
        attempt()
    except ApiError as error:
        return Refusal(error.code, error.reason, str(error), tuple(error.fields))
    raise Nonconformance("the API server accepted what it must refuse")
