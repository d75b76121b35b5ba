"""Where a webhook is asked: at a URL or at a Service (FK-251, FK-301)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError
from . import names

URL_FORM = "; desired format: https://host[/path]"
ILLEGAL_HOST_CHARACTERS = frozenset(' "<>^`{|}\\')
"""What no host name has."""
NO_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}")
PORT_RANGE = "must be between 1 and 65535, inclusive"


def client_config_errors(value: Json, path: str) -> Iterator[FieldError]:
    """Judge where a webhook is: exactly one of URL and service."""
    url, service = value.get("url"), value.get("service")
    if (url is None) == (service is None):
        yield fields.required(path, "exactly one of url or service is required")
    elif url is not None:
        yield from _url(url, f"{path}.url")
    else:
        yield from _service(service, f"{path}.service")


def _url(text: str, path: str) -> Iterator[FieldError]:
    if problem := _syntax_problem(text):
        yield fields.required(path, f"url must be a valid URL: {problem}{URL_FORM}")
        return
    address = urlsplit(text)
    if address.scheme != "https":
        yield fields.invalid(path, address.scheme, "'https' is the only allowed URL scheme" + URL_FORM)
    if not address.netloc:
        yield fields.invalid(path, "", "host must be specified" + URL_FORM)
    if address.username is not None:
        user = address.netloc.rpartition("@")[0]
        yield fields.invalid(path, user, "user information is not permitted in the URL")
    if address.fragment:
        yield fields.invalid(path, address.fragment, "fragments are not permitted in the URL")
    if address.query:
        yield fields.invalid(path, address.query, "query parameters are not permitted in the URL")


def _syntax_problem(text: str) -> str:
    """Return why a text is no URL; empty when it is one."""
    try:
        address = urlsplit(text)
    except ValueError as error:
        return str(error)
    if odd := next((char for char in address.netloc if char in ILLEGAL_HOST_CHARACTERS), ""):
        return f'parse "{text}": invalid character "{odd}" in host name'
    if escape := NO_ESCAPE.search(address.netloc) or NO_ESCAPE.search(address.path):
        return f'parse "{text}": invalid URL escape "{escape[0]}"'
    return ""


def _service(value: Json, path: str) -> Iterator[FieldError]:
    # The server itself mixes up the two: a missing namespace is blamed on the name, and the other way round.
    if not value.get("namespace"):
        yield fields.required(f"{path}.name")
    if not value.get("name"):
        yield fields.required(f"{path}.namespace")
    if not 1 <= value.get("port", 443) <= 65535:
        yield fields.invalid(f"{path}.port", value["port"], f"port is not valid: {PORT_RANGE}")
    yield from problems(value.get("path") or "/", f"{path}.path")


def problems(text: str, path: str) -> Iterator[FieldError]:
    """Judge a path: a slash, then segments that are DNS subdomains."""
    if text == "/":
        return
    # Split like any other path it would have no segment at all, and the real server blames the first.
    if text == "//":
        yield fields.invalid(path, text, "segment[0] may not be empty")
        return
    if not text.startswith("/"):
        yield fields.invalid(path, text, "must start with a '/'")
    for number, step in enumerate(text[1:].removesuffix("/").split("/")):
        if not step:
            yield fields.invalid(path, text, f"segment[{number}] may not be empty")
            continue
        for problem in names.subdomain_problems(step):
            yield fields.invalid(path, text, f"segment[{number}]: {problem}")
