"""One request on its way through a front, and where its object is found on the server behind."""

from __future__ import annotations

from urllib.parse import quote

from msgspec import Struct

from ..aggregation import forwarding
from ..api import websocket_request
from ..api.outcome import Request, User
from ..api.routes import RequestInfo
from ..codec.media import PROTOBUF
from ..server.http.message import ArrivedRequest

STREAMED_SUBRESOURCES = frozenset({"log", "proxy", "exec", "attach", "portforward"})
"""Subresources whose answers have no end that could be waited for, and change nothing that is stored."""
WRITE_VERBS = frozenset({"create", "update", "patch", "delete", "deletecollection"})


class FrontRequest(Struct, frozen=True, kw_only=True):
    """Who asks for what; `revisions_ago` is greater than 0 when a fault wants an answer from the past."""

    arrived: ArrivedRequest
    info: RequestInfo
    user: User
    audit_id: str
    revisions_ago: int = 0

    @property
    def request(self) -> Request:
        """The request as answers are made for."""
        arrived = self.arrived
        return Request(
            method=arrived.method,
            path=arrived.path,
            query=arrived.query,
            headers=dict(arrived.headers),
            all_headers=arrived.headers,
            body=arrived.body,
            user=self.user,
            audit_id=self.audit_id,
        )

    @property
    def dry_run(self) -> bool:
        """Whether it is only tried."""
        return any(name == "dryRun" for name, _ in self.arrived.query)

    @property
    def writes(self) -> bool:
        """Whether it is meant to change something for good."""
        return self.info.is_resource and self.info.verb in WRITE_VERBS and not self.dry_run

    @property
    def stores(self) -> bool:
        """Whether the request may change a stored object."""
        return self.writes and self.info.subresource not in STREAMED_SUBRESOURCES

    @property
    def upgrades(self) -> bool:
        """Whether another protocol is wanted, which nothing that is stored is written by."""
        return not (self.stores or self.is_websocket) and forwarding.is_upgrade(self.arrived.headers)

    @property
    def is_websocket(self) -> bool:
        """Whether it is a watch over a WebSocket, which the front opens: it asks for the events as a stream.

        Messages of protobuf cannot be looked into, and come through another server's WebSocket.
        """
        accept = self.arrived.header("accept") or ""
        return (
            self.info.verb == "watch"
            and PROTOBUF not in readable(accept)
            and websocket_request.is_upgrade(self.arrived.headers)
        )


def readable(accept: str) -> str:
    """Return what a watcher accepts without protobuf,
    whose frames cannot be told apart, unless it accepts nothing else.
    """
    # Frames of protobuf would have to be decoded to tell where one ends and whom it is about.
    media_ranges = [media for media in accept.split(",") if PROTOBUF not in media]
    return ",".join(media_ranges) if media_ranges else accept


def collection(info: RequestInfo) -> str:
    """Return the path of the collection that a request is about."""
    root = f"/apis/{info.group}/{info.version}" if info.group else f"/api/{info.version}"
    # A namespace itself has its name twice in what is parsed of its path.
    inside = info.namespace if info.resource != "namespaces" else ""
    return (
        f"{root}/namespaces/{quote(inside, safe='')}/{info.resource}" if inside else f"{root}/{info.resource}"
    )


def path(info: RequestInfo) -> str:
    """Return the path of the object that a request is about, without its subresource."""
    return f"{collection(info)}/{quote(info.name, safe='')}"
