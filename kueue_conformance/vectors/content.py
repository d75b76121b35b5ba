"""What an answer's bytes say: JSON, protobuf, text, plain or compressed; of a watch its first events."""

from __future__ import annotations

import gzip
import http.client
import json

from ..base.json_types import Json
from . import messages


def read(response: http.client.HTTPResponse, events: int) -> Json:
    """Return the body of an answer, or the first `events` events of a stream."""
    content_type = response.getheader("Content-Type") or ""
    if events and content_type.startswith(messages.KIND):
        return [messages.decode(_frame(response)) for _ in range(events)]
    content = b"".join(response.readline() for _ in range(events)) if events else response.read()
    if response.getheader("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    if content_type.startswith(messages.KIND) and content:
        return messages.decode(content)
    text = content.decode("utf-8", "replace")
    if not content_type.startswith("application/json") or not text:
        return text
    return [json.loads(line) for line in text.splitlines()] if events else json.loads(text)


def _frame(response: http.client.HTTPResponse) -> bytes:
    return response.read(int.from_bytes(response.read(4), "big"))
