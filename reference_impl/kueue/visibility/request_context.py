"""The input of an endpoint: the parts of a request on which its answer depends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from ...runtime.serving.exchange import Request, Response
from .negotiation import Accept
from .url import Url


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """A request that has passed the guards; `names` are the parts of its path that a route has bound."""

    request: Request
    url: Url
    accept: Accept
    names: Mapping[str, str] = field(default_factory=dict)


Endpoint = Callable[[RequestContext], Awaitable[Response]]
"""Answers a request. Raises StatusError or TextError."""
