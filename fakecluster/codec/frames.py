"""Watch events as lines of JSON or as messages with their length,
and the object of a bookmark (FK-140, FK-142, FK-532).
"""

from __future__ import annotations

from ..base.json_types import Json
from .protobuf.wire import BYTES, block, tag

FIELD_1, FIELD_2 = tag(1, BYTES), tag(2, BYTES)
INITIAL_END = {"k8s.io/initial-events-end": "true"}


def event(type: str, obj: bytes) -> bytes:  # noqa: A002
    """Return a watch event as a line."""
    return b'{"type":"%b","object":%b}\n' % (type.encode(), obj)


def message(type: str, answer: bytes) -> bytes:  # noqa: A002
    """Return a watch event as a message behind its length;
    `answer` is the object as it would be answered alone.
    """
    event = block(FIELD_1, type.encode()) + block(FIELD_2, block(FIELD_1, answer))
    # A message does not end by itself: in a stream each has its length before it.
    return b"%b%b" % (len(event).to_bytes(4, "big"), event)


def marker(api_version: str, kind: str, revision: int, *, initial_end: bool) -> Json:
    """Return the object of a bookmark."""
    # client-go waits for this bookmark before it takes its store for complete.
    annotations = {"annotations": INITIAL_END} if initial_end else {}
    return {
        "kind": kind,
        "apiVersion": api_version,
        "metadata": {"resourceVersion": str(revision), **annotations},
    }
