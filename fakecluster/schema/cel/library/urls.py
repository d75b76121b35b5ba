"""URLs in rules (FK-275): absolute URLs and absolute paths, as an HTTP request line takes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, urlsplit

from ...formats import is_uri

KEY = "__url"
Value = Mapping[str, Any]


def url(text: str) -> dict[str, str]:
    """Parse a URL. Raises ValueError."""
    if not is_uri(text):
        why = "missing protocol scheme" if text.startswith(":") else "invalid URI for request"
        raise ValueError(f'URL parse error during conversion from string: parse "{text}": {why}')
    return {KEY: text}


def _parts(value: Value) -> SplitResult:
    return urlsplit(value[KEY])


def _host(value: Value) -> str:
    return _parts(value).netloc.rpartition("@")[2]


def _hostname(value: Value) -> str:
    host = _host(value)
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _port(value: Value) -> str:
    return _host(value).rpartition("]")[2].partition(":")[2]


def _path(value: Value) -> str:
    return quote(_parts(value).path, safe="/%:@!$&'()*+,;=~-._")


def _query(value: Value) -> dict[str, list[str]]:
    return parse_qs(_parts(value).query, keep_blank_values=True)


FUNCTIONS: Mapping[str, tuple[tuple[str, Callable[..., Any]], ...]] = {
    "url": (("(string) -> object", url),),
    "isURL": (("(string) -> bool", is_uri),),
    "getScheme": (("object.() -> string", lambda value: _parts(value).scheme),),
    "getHost": (("object.() -> string", _host),),
    "getHostname": (("object.() -> string", _hostname),),
    "getPort": (("object.() -> string", _port),),
    "getEscapedPath": (("object.() -> string", _path),),
    "getQuery": (("object.() -> object", _query),),
}
