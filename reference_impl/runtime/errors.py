"""What can go wrong between us and an API server; a Status answer becomes an exception (FK-030…059)."""

from __future__ import annotations

import orjson

from ..api.resource import Json


class OutsideError(Exception):
    """A problem outside of the program; the text names it and what to do. Shown without a traceback."""


class KubeconfigError(OutsideError):
    """A kubeconfig that cannot be read or used."""


class StartError(OutsideError):
    """A server of a manager that cannot be started,
    which ends the manager with the code of the release (VIS-005).
    """


class UnreachableError(OutsideError):
    """No API server answers where one should be."""


class ApiError(Exception):
    """An answer of the API server that is not a success."""

    def __init__(self, code: int, reason: str, message: str, status: Json = None) -> None:
        super().__init__(f"{code} {reason}: {message}" if reason else f"{code}: {message}")
        self.code = code
        self.reason = reason
        self.message = message
        self.status = status or {}

    @classmethod
    def of(cls, status: Json, code: int = 0) -> ApiError:
        """Make the error of a Status object."""
        return cls(
            status.get("code") or code, status.get("reason", ""), status.get("message", ""), status=status
        )

    @classmethod
    def of_body(cls, code: int, body: bytes) -> ApiError:
        """Make the error of an answer whose body may or may not be a Status."""
        try:
            status = orjson.loads(body)
        except orjson.JSONDecodeError:
            status = None
        if isinstance(status, dict) and status.get("kind") == "Status":
            return cls.of(status, code)
        return cls(code, "", body[:1024].decode("utf-8", "replace").strip())

    @property
    def retry_after(self) -> float:
        """Seconds that an overloaded or failing server asks to be left alone for; 0 where it asks for nothing
        (client-go retries 429 and 5xx).
        """
        if self.code != 429 and self.code < 500:
            return 0.0
        details = self.status.get("details") or {}
        return float(details.get("retryAfterSeconds") or 0)

    @property
    def is_not_found(self) -> bool:
        """The object is not there."""
        return self.code == 404

    @property
    def is_conflict(self) -> bool:
        """Another write changed the object first."""
        return self.code == 409 and self.reason == "Conflict"

    @property
    def is_already_exists(self) -> bool:
        """The object is there already."""
        return self.code == 409 and self.reason == "AlreadyExists"

    @property
    def is_expired(self) -> bool:
        """The revision is too old, or not known: everything must be read again."""
        return self.code == 410 or self.reason in {"Expired", "Gone"}
