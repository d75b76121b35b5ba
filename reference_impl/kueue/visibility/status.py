"""Error answers: a Status object in the negotiated representation, or plain text (VIS-231)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ...api.quoting import go_quote
from ...runtime.serving.exchange import Headers
from .attributes import Attributes

TEXT: Final = ("Content-Type", "text/plain; charset=utf-8")
NO_SNIFFING: Final = ("X-Content-Type-Options", "nosniff")
_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class StatusError(Exception):
    """A refusal that is written as a Status object; `details` None leaves the key out."""

    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        details: Mapping[str, str] | None = None,
        headers: Headers = (),
    ) -> None:
        super().__init__(message)
        self.code, self.reason, self.message, self.details, self.headers = (
            code,
            reason,
            message,
            details,
            headers,
        )

    @property
    def document(self) -> dict[str, Any]:
        """Return the Status object, its keys in the order of the wire."""
        document: dict[str, Any] = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
        }
        if self.details is not None:
            document["details"] = dict(self.details)
        document["code"] = self.code
        return document


@dataclass(eq=False)
class TextError(Exception):
    """A refusal in plain text."""

    code: int
    text: str
    headers: Headers = field(default=(NO_SNIFFING,))


def bad_request(message: str, headers: Headers = ()) -> StatusError:
    """Return a refusal with code 400."""
    return StatusError(400, "BadRequest", message, headers=headers)


def unauthorized() -> StatusError:
    """Return the refusal of credentials."""
    return StatusError(401, "Unauthorized", "Unauthorized")


def no_such_route() -> StatusError:
    """Return the refusal of a path below a registered root (VIS-110)."""
    return StatusError(404, "NotFound", "the server could not find the requested resource", {})


def method_not_allowed() -> StatusError:
    """Return the refusal of a method (VIS-109)."""
    message = "the server does not allow this method on the requested resource"
    return StatusError(405, "MethodNotAllowed", message, {})


def queue_not_found(group: str, kind: str, name: str) -> StatusError:
    """Return the refusal of a queue that is not known; the kind is in the singular (VIS-103, VIS-104)."""
    message = f"{kind}.{group} {go_quote(name)} not found"
    return StatusError(404, "NotFound", message, {"name": name, "group": group, "kind": kind})


def not_acceptable(message: str, details: Mapping[str, str] | None = None) -> StatusError:
    """Return the refusal of an Accept header."""
    return StatusError(406, "NotAcceptable", message, details)


def forbidden(user: str, attributes: Attributes, reason: str = "") -> StatusError:
    """Return the refusal by an authorizer; the resource is in the plural (VIS-425, VIS-426)."""
    # Go escapes what a client may have made up, but not the reason of the authorizer.
    detail = _forbidden_to(user, attributes).translate(_HTML) + (f": {reason}" if reason else "")
    kind, group, name = attributes.resource, attributes.group, attributes.name
    resource = f"{kind}.{group}" if group else kind
    if not resource:
        message = f"forbidden: {detail}"
    elif not name:
        message = f"{resource} is forbidden: {detail}"
    else:
        message = f"{resource} {go_quote(name)} is forbidden: {detail}"
    details = {"name": name, "group": group, "kind": kind}
    present = {key: value for key, value in details.items() if value}
    return StatusError(403, "Forbidden", message, present, headers=(NO_SNIFFING,))


def _forbidden_to(user: str, attributes: Attributes) -> str:
    start = f"User {go_quote(user)} cannot {attributes.verb}"
    if not attributes.is_resource:
        return f"{start} path {go_quote(attributes.path)}"
    resource = attributes.resource + (f"/{attributes.subresource}" if attributes.subresource else "")
    where = (
        f"in the namespace {go_quote(attributes.namespace)}"
        if attributes.namespace
        else "at the cluster scope"
    )
    return f"{start} resource {go_quote(resource)} in API group {go_quote(attributes.group)} {where}"


def internal_error(target: str, message: str) -> TextError:
    """Return the refusal of a request that could not be decided (VIS-427)."""
    uri = go_quote(target).translate(_HTML)
    return TextError(500, f"Internal Server Error: {uri}: {message.translate(_HTML)}\n")


def too_many_requests(retry_after_seconds: int) -> TextError:
    """Return the refusal of a request for which no seat was free (VIS-607)."""
    headers = (("Retry-After", str(retry_after_seconds)), NO_SNIFFING)
    return TextError(429, "Too many requests, please try again later.\n", headers)


def gateway_timeout() -> TextError:
    """Return the answer to a request whose time is over: JSON, but sent as plain text (VIS-132, VC-05)."""
    text = (
        '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",'
        '"reason":"Timeout","details":{},"code":504}\n'
    )
    # The real server's time-out handler writes the JSON itself, without its content
    # type.
    return TextError(504, text, ())
