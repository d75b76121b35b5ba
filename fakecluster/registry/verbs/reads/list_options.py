"""What a list or a watch asks for: selection, page, revision,
and whether these go together (FK-134…FK-138, FK-147).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ....api import options, status
from ....api.kind import Kind
from ....api.outcome import Request
from ....api.routes import flag
from ....schema import fields
from ....schema.fields import FieldError
from ...selection import selectors
from ...selection.selectors import Selection

VERSION_MATCHES = ["Exact", "NotOlderThan", ""]
VERSION_MATCH = "resourceVersionMatch"
SEND_INITIAL_EVENTS = "sendInitialEvents"


class ListOptions(Struct, frozen=True, kw_only=True):
    """The query of a collection; `revision` and `match` are as the client wrote them."""

    selection: Selection
    revision: str = ""
    match: str = ""
    limit: int = 0
    token: str = ""
    initial_events: bool | None = None
    bookmarks: bool = False
    timeout: int | None = None

    @property
    def legacy(self) -> bool:
        """Whether a watch without sendInitialEvents begins with the stored objects (FK-140)."""
        return self.initial_events is None and self.revision in {"", "0"}


def of(request: Request, kind: Kind, use: Literal["list", "watch"]) -> ListOptions:
    """Read the query. Raises 400 for what cannot be read, 422 for what does not go together."""
    initial = request.option(SEND_INITIAL_EVENTS)
    # Parameters are read before they are judged together: a value that is none is 400, not 422.
    timeout = options.integer(request, "timeoutSeconds")
    list_options = ListOptions(
        limit=options.integer(request, "limit") or 0,
        timeout=timeout,
        selection=selectors.of(request, kind),
        revision=request.option("resourceVersion") or "",
        match=request.option(VERSION_MATCH) or "",
        token=request.option("continue") or "",
        initial_events=None if initial is None else flag(initial),
        bookmarks=flag(request.option("allowWatchBookmarks")),
    )
    errors = _watch_errors(list_options) if use == "watch" else _list_errors(list_options)
    if errors:
        raise status.invalid_options("ListOptions", errors)
    return list_options


def unreadable(text: str, why: ValueError) -> FieldError:
    """Word a resourceVersion that is no number."""
    return fields.invalid("resourceVersion", text, str(why))


def _match_errors(options: ListOptions) -> list[FieldError]:
    if not options.match:
        return []
    errors = []
    if not options.revision:
        errors.append(
            fields.forbidden(
                VERSION_MATCH, f"{VERSION_MATCH} is forbidden unless resourceVersion is provided"
            )
        )
    if options.token:
        errors.append(
            fields.forbidden(VERSION_MATCH, f"{VERSION_MATCH} is forbidden when continue is provided")
        )
    if options.match not in VERSION_MATCHES:
        errors.append(fields.not_supported(VERSION_MATCH, options.match, VERSION_MATCHES))
    if options.match == "Exact" and options.revision == "0":
        errors.append(
            fields.forbidden(VERSION_MATCH, f'{VERSION_MATCH} "exact" is forbidden for resourceVersion "0"')
        )
    return errors


def _list_errors(options: ListOptions) -> list[FieldError]:
    errors = _match_errors(options)
    if options.initial_events is not None:
        errors.append(fields.forbidden(SEND_INITIAL_EVENTS, f"{SEND_INITIAL_EVENTS} is forbidden for list"))
    return errors


def _watch_errors(options: ListOptions) -> list[FieldError]:
    errors = []
    if options.initial_events is None:
        if options.match:
            errors.append(
                fields.forbidden(
                    VERSION_MATCH,
                    f"{VERSION_MATCH} is forbidden for watch unless {SEND_INITIAL_EVENTS} is provided",
                )
            )
    elif options.match != "NotOlderThan":
        errors.append(
            fields.forbidden(
                VERSION_MATCH, f"{SEND_INITIAL_EVENTS} requires setting {VERSION_MATCH} to NotOlderThan"
            )
        )
    if options.match not in {"", "NotOlderThan"}:
        errors.append(fields.not_supported(VERSION_MATCH, options.match, ["NotOlderThan"]))
    # The message speaks of the match even where the token is what is too much.
    if options.token and (options.match or options.legacy):
        errors.append(
            fields.forbidden(VERSION_MATCH, f"{VERSION_MATCH} is forbidden when continue is provided")
        )
    return errors
