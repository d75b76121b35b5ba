"""HTTP Archive 1.2, which browsers and proxies open.

What the journal does not keep is -1, as the format says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, urlsplit

import orjson

from ...base.json_types import Json
from ..entry import Entry
from .times import timestamp

METHODS = {
    "create": "POST",
    "update": "PUT",
    "patch": "PATCH",
    "delete": "DELETE",
    "deletecollection": "DELETE",
}


def pieces(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the archive, an entry a line."""
    yield b'{"log":{"version":"1.2","creator":{"name":"fakecluster","version":"1"},"entries":['
    separator = b"\n"
    for entry in entries:
        yield separator + orjson.dumps(_entry(entry))
        separator = b",\n"
    yield b"\n]}}\n"


def _entry(entry: Entry) -> Json:
    return {
        "startedDateTime": timestamp(entry.time),
        # -1 is HAR's word for what is not known.
        "time": -1,
        "request": _request(entry),
        "response": {
            "status": entry.code,
            "statusText": entry.reason,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": [],
            "content": {"size": -1, "mimeType": ""},
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": -1,
        },
        "cache": {},
        "timings": {"send": -1, "wait": -1, "receive": -1},
    }


def _request(entry: Entry) -> Json:
    query = parse_qsl(urlsplit(entry.path).query, keep_blank_values=True)
    request = {
        "method": METHODS.get(entry.verb, "GET"),
        "url": f"https://127.0.0.1{entry.path}",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [{"name": "User-Agent", "value": entry.user_agent}],
        "queryString": [{"name": name, "value": value} for name, value in query],
        "headersSize": -1,
        "bodySize": len(entry.body),
    }
    post_data = {
        "mimeType": entry.patch_type or "application/json",
        "text": entry.body.decode("utf-8", "replace"),
    }
    return {**request, "postData": post_data} if entry.body else request
