"""The API server's answer to a request that it may refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.errors import Nonconformance
from ..wire.client import ApiError


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer; the code is 200 for every success."""

    code: int
    reason: str = ""
    message: str = "taken"
    fields: tuple[str, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Tell whether the request succeeded."""
        return self.code < 400

    def is_invalid(self, field: str) -> bool:
        """Tell whether it is 422 Invalid for this field or one below it."""
        # The API server names the innermost field that is wrong: one below the field counts as
        # well.
        return self.code == 422 and any(
            name == field or name.startswith((f"{field}.", f"{field}[")) for name in self.fields
        )

    def was_denied(self, field: str) -> bool:
        """Tell whether a webhook denied it (403) and named this field."""
        # RBAC answers 403 too; only an admission webhook's message says "denied the request".
        return self.code == 403 and "denied the request" in self.message and field in self.message


def try_request(attempt: Callable[[], Any]) -> Answer:
    """Return the server's answer to an attempt."""
    try:
        attempt()
    except ApiError as error:
        return Answer(error.code, error.reason, str(error), tuple(error.fields))
    return Answer(200)


def expect_refusal(attempt: Callable[[], Any]) -> Answer:
    """Return the server's refusal of an attempt. Raises Nonconformance when it was accepted."""
    answer = try_request(attempt)
    if answer.is_accepted:
        raise Nonconformance("the API server accepted what it must refuse")
    return answer
