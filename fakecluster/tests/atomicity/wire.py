"""Connections of a server without sockets: what a client sends, and what it has been written."""

from __future__ import annotations

import asyncio

import orjson

from fakecluster.codec.protobuf.reader import decode
from fakecluster.server.transport.connection import Connection
from fakecluster.tests.atomicity.interruption import Interrupted

MAPS = "/api/v1/configmaps"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
PROTOBUF = "application/vnd.kubernetes.protobuf"
VIEWS = {
    "json": (MAPS, ""),
    "namespace": ("/api/v1/namespaces/default/configmaps", ""),
    "selected": (f"{MAPS}?labelSelector=kind%3Dseen", ""),
    "fields": (f"{MAPS}?fieldSelector=metadata.namespace%3Ddefault", ""),
    "bookmarks": (f"{MAPS}?allowWatchBookmarks=true", ""),
    "protobuf": (MAPS, f"{PROTOBUF};stream=watch"),
    "table": (MAPS, TABLE),
    "partial": (MAPS, PARTIAL),
}
"""Watchers by name: path and Accept."""


class Transport(asyncio.Transport):
    """Keeps what is written; the client reads all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.data, self.closed = bytearray(), False

    def write(self, data) -> None:
        self.data += data

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            asyncio.get_running_loop().call_soon(self.link.connection_lost, None)

    abort = close

    def is_closing(self):
        return self.closed

    def is_reading(self):
        return True

    def get_write_buffer_size(self):
        return 0

    def set_write_buffer_limits(self, high=None, low=None) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Client:
    """One connection to a listener."""

    def __init__(self, cluster) -> None:
        self.transport, self.token = Transport(), cluster.token()
        self.transport.link = self.link = Connection(cluster.listener)
        self.link.connection_made(self.transport)

    def send(self, method, path, body=None, **headers) -> None:
        content = b"" if body is None else orjson.dumps(body)
        named = {
            "Host": "x",
            "Authorization": f"Bearer {self.token}",
            "Content-Length": len(content),
            **headers,
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())]
        try:
            self.link.data_received("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        except Interrupted:
            self.transport.abort()  # as the event loop does with the connection of a protocol that raises

    @property
    def code(self) -> int | None:
        """The status of the answer; None without one."""
        return int(self.transport.data[9:12]) if self.transport.data else None

    @property
    def answered(self) -> bool:
        """Whether there is an answer, or none will come."""
        return bool(self.transport.data) or self.transport.closed


class Watcher:
    """An open watch, and the objects that its client knows by it."""

    def __init__(self, cluster, view: str) -> None:
        self.view, self.known, self._read = view, {}, 0
        self.client = Client(cluster)
        path, accept = VIEWS[view]
        named = {"Accept": accept} if accept else {}
        self.client.send("GET", f"{path}{'&' if '?' in path else '?'}watch=1", **named)
        self._read = self.client.transport.data.index(b"\r\n\r\n") + 4

    @property
    def ended(self) -> bool:
        """Whether its client has been told to list again."""
        return self.client.transport.closed or self.client.transport.data.endswith(b"0\r\n\r\n")

    def seen(self) -> dict[str, int]:
        """The revisions of the objects its client knows, by name."""
        data = self.client.transport.data
        while (end := data.find(b"\r\n", self._read)) >= 0 and (size := int(data[self._read : end], 16)):
            self._take(bytes(data[end + 2 : end + 2 + size]))
            self._read = end + 2 + size + 2
        return self.known

    def _take(self, frame: bytes) -> None:
        kind, about = _event(frame, messages=self.view == "protobuf")
        if kind == "DELETED":
            del self.known[about["name"]]
        elif kind in {"ADDED", "MODIFIED"}:
            self.known[about["name"]] = int(about["resourceVersion"])


def _event(frame, *, messages):
    if messages:
        # Behind the length of all: tag and length of the type, the type, then the object with its magic.
        kind = frame[6 : 6 + frame[5]].decode()
        return kind, decode(frame[frame.index(b"k8s\0") :]).get("metadata", {})
    event = orjson.loads(frame)
    obj = event["object"]
    return event["type"], (obj["rows"][0]["object"] if "rows" in obj else obj).get("metadata", {})
