"""Every failure a client may see, as data:
one constructor for each case of the error catalogue (FK-006, FK-030…FK-059).

Parts below the API raise their own small errors;
only this module turns a case into the Status JSON that travels.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError, go_quote
from .kind import Kind

OPTIONS_GROUP = "meta.k8s.io"
MODIFIED_MESSAGE = (
    "the object has been modified; please apply your changes to the latest version and try again"
)
NOT_GENERATED_MESSAGE = "the server was not able to generate a unique name for the object"
BODY_LIMIT = 3_145_728


class StatusError(Exception):
    """A request failed: the Status to answer with, and headers beside it."""

    def __init__(self, status: Json, headers: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(status["message"])
        self.status = status
        self.headers = headers

    @property
    def code(self) -> int:
        """The HTTP status code."""
        return int(self.status["code"])

    @property
    def reason(self) -> str:
        """The machine word, empty when the case has none."""
        return str(self.status.get("reason", ""))

    def has_cause(self, reason: str) -> bool:
        """Tell whether one of the causes has a reason."""
        causes = (self.status.get("details") or {}).get("causes") or ()
        return any(cause.get("reason") == reason for cause in causes)


class PlainError(Exception):
    """An answer in plain text: by default that no handler owns the path (FK-004)."""

    def __init__(self, code: int = 404, text: str = "404 page not found\n") -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def failure(
    code: int, reason: str, message: str, details: Json = None, *, retry_after: int = 0
) -> StatusError:
    """Return a failure; `details` None leaves the key out, `retry_after` also becomes a header (FK-058)."""
    status: dict[str, Json] = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
    }
    if reason:
        status["reason"] = reason
    if retry_after:
        details = {**(details or {}), "retryAfterSeconds": retry_after}
    if details is not None:
        status["details"] = details
    status["code"] = code
    return StatusError(status, (("Retry-After", str(retry_after)),) if retry_after else ())


def success(details: Json = None, code: int = 200) -> Json:
    """Return the Status of something that worked."""
    base = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    return {**base, "details": details} if details is not None else {**base, "code": code}


def about(name: str, group: str, kind: str, **members: Json) -> Json:
    """Return `details`: what the answer is about, without empty members."""
    return {
        key: value for key, value in {"name": name, "group": group, "kind": kind, **members}.items() if value
    }


def _resource(kind: Kind, name: str, **members: Json) -> Json:
    return about(name, kind.group, kind.plural, **members)


def not_found(kind: Kind, name: str) -> StatusError:
    """Return the 404 for an object that does not exist (FK-030)."""
    return failure(404, "NotFound", f"{kind.resource} {go_quote(name)} not found", _resource(kind, name))


def namespace_not_found(name: str) -> StatusError:
    """Return the 404 for an object in a namespace that does not exist (FK-073)."""
    return failure(404, "NotFound", f'namespaces "{name}" not found', about(name, "", "namespaces"))


def no_route() -> StatusError:
    """Return the 404 for a path below a built-in group and version that no handler answers (FK-004)."""
    return failure(404, "NotFound", "the server could not find the requested resource", {})


def already_exists(kind: Kind, name: str, *, terminating: bool = False) -> StatusError:
    """Return the 409 for a name that is taken;
    `terminating` says that its object is being deleted (FK-031).
    """
    prefix = "object is being deleted: " if terminating else ""
    return failure(
        409, "AlreadyExists", f'{prefix}{kind.resource} "{name}" already exists', _resource(kind, name)
    )


def not_generated(kind: Kind, name: str) -> StatusError:
    """Return the 409 for a generated name that is taken (FK-032)."""
    text = f'{kind.resource} "{name}" already exists, {NOT_GENERATED_MESSAGE}'
    return failure(409, "AlreadyExists", text, _resource(kind, name), retry_after=1)


def conflict(kind: Kind, name: str, why: str = MODIFIED_MESSAGE) -> StatusError:
    """Return the 409 for a write whose revision or uid is not that of the stored object, which names the
    resource (FK-033, FK-034).
    """
    text = f'Operation cannot be fulfilled on {kind.resource} "{name}": {why}'
    return failure(409, "Conflict", text, _resource(kind, name))


def conflict_of_kind(kind: Kind, name: str, why: str) -> StatusError:
    """Return the 409 for the preconditions of a delete,
    which names the kind where other conflicts name the resource (FK-034).
    """
    text = f'Operation cannot be fulfilled on {kind.group_kind} "{name}": {why}'
    return failure(409, "Conflict", text, about(name, kind.group, kind.kind))


def invalid(kind: str, group: str, name: str, errors: Iterable[FieldError]) -> StatusError:
    """Return the 422 for an object with these errors, each of them a cause (FK-036)."""
    error_list = list(errors)
    qualified = f"{kind}.{group}" if group else kind
    details = about(name, group, kind, causes=[error.cause() for error in error_list])
    return failure(
        422, "Invalid", f'{qualified} "{name}" is invalid: {fields.aggregate(error_list)}', details
    )


def invalid_object(kind: Kind, name: str, errors: Iterable[FieldError]) -> StatusError:
    """Return the 422 for an object of a kind that validation refuses (FK-036)."""
    return invalid(kind.kind, kind.stored_as[0], name, errors)


def invalid_resource(kind: Kind, name: str, errors: Iterable[FieldError]) -> StatusError:
    """Return the 422 of the store, which names the resource where validation names the kind (FK-100)."""
    return invalid(kind.plural, kind.group, name, errors)


def invalid_options(options: str, errors: Iterable[FieldError]) -> StatusError:
    """Return the 422 for an options object such as `CreateOptions` (FK-077, FK-137)."""
    return invalid(options, OPTIONS_GROUP, "", errors)


def inapplicable_patch() -> StatusError:
    """Return the 422 for a JSON patch that does not apply (FK-161)."""
    return failure(422, "Invalid", "the server rejected our request due to an error in our request", {})


def bad_request(message: str) -> StatusError:
    """Return the 400 for a request that cannot be read (FK-040)."""
    return failure(400, "BadRequest", message)


def raw(message: str) -> StatusError:
    """Return the 500 for an error without a reason, whose message is passed on unchanged (FK-047)."""
    return failure(500, "", message)


def internal(message: str) -> StatusError:
    """Return the 500 with reason InternalError and the message as its cause (FK-055)."""
    return failure(
        500, "InternalError", f"Internal error occurred: {message}", {"causes": [{"message": message}]}
    )


def internal_crash() -> StatusError:
    """Return the 500 for a defect of this server; its log has the traceback."""
    return internal("the server failed on this request, its log says why")


def unauthorized() -> StatusError:
    """Return the 401 for a request whose user is not known (FK-048)."""
    return failure(401, "Unauthorized", "Unauthorized")


def forbidden(group: str, plural: str, name: str, why: str, causes: Json = None) -> StatusError:
    """Return the 403 for a user without the right; without a resource the message names a path (FK-049)."""
    resource = f"{plural}.{group}" if group else plural
    text = " ".join(
        filter(None, (resource, f'"{name}"' if name else "", "is" if plural else "", f"forbidden: {why}"))
    )
    return failure(403, "Forbidden", text, about(name, group, plural, causes=causes))


def method_not_allowed() -> StatusError:
    """Return the 405 for a method that a built-in path does not know (FK-005)."""
    return failure(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {}
    )


def not_supported_on(action: str, kind: Kind) -> StatusError:
    """Return the 405 for a method that a subresource of a custom resource does not know (FK-005)."""
    text = f'{action} is not supported on resources of kind "{kind.resource}"'
    return failure(405, "MethodNotAllowed", text, about("", kind.group, kind.plural))


def not_acceptable(message: str, details: Json = None) -> StatusError:
    """Return the 406 for a client that accepts none of the forms that are served (FK-027)."""
    return failure(406, "NotAcceptable", message, details)


def unsupported_media_type(accepted: Iterable[str]) -> StatusError:
    """Return the 415 for a body in a form that is not read; the message lists the accepted ones (FK-024)."""
    listed = ", ".join(accepted)
    text = f"the body of the request was in an unknown format - accepted media types include: {listed}"
    return failure(415, "UnsupportedMediaType", text)


def unsupported_patch_type() -> StatusError:
    """Return the 415 of the router of built-in kinds for a patch of an unknown type (FK-025)."""
    return failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {})


def too_large(why: str = "") -> StatusError:
    """Return the 413 for a request that is too large;
    `why` says which limit, by default that of a body (FK-013, FK-057).
    """
    text = why or f"limit is {BODY_LIMIT}"
    return failure(413, "RequestEntityTooLarge", f"Request entity too large: {text}")


def expired(message: str, continue_token: str = "") -> StatusError:
    """Return the 410 for a revision or a continue token that has expired; `continue_token` lets the client go
    on (FK-050, FK-147).
    """
    error = failure(410, "Expired", message)
    if continue_token:
        error.status["metadata"] = {"continue": continue_token}
    return error


def too_old(revision: int, oldest: int) -> StatusError:
    """Return the 410 for a revision that has left the window of the history (FK-050)."""
    return expired(f"too old resource version: {revision} ({oldest})")


def too_large_revision(requested: int, current: int, *, retry: bool) -> StatusError:
    """Return the 504 for a revision that is still to come;
    `retry` adds a delay after which the client retries (FK-051).
    """
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    text = f"Timeout: Too large resource version: {requested}, current: {current}"
    return failure(504, "Timeout", text, {"causes": [cause]}, retry_after=int(retry))


def not_ready(why: str) -> StatusError:
    """Return the 429 for a list whose storage is being made ready,
    as when its objects cannot be converted (FK-332).
    """
    return failure(429, "TooManyRequests", f"storage is (re)initializing: {why}", {}, retry_after=1)


def disrupting(message: str, why: str, retry_after: int) -> StatusError:
    """Return the 429 for an eviction that a disruption budget does not allow;
    `retry_after` is in seconds (FK-487).
    """
    cause = {"reason": "DisruptionBudget", "message": why}
    return failure(429, "TooManyRequests", message, {"causes": [cause]}, retry_after=retry_after)


def unavailable(message: str) -> StatusError:
    """Return the 503 for a server that cannot answer now (FK-056)."""
    return failure(503, "ServiceUnavailable", message)
