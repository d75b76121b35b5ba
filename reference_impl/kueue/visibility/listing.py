"""A page of a queue as a document: the faults of a request
from the name on, in the order of VIS-140, and the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ...runtime.serving.exchange import Headers, Response
from ..queueing.view import PositionedWorkload
from .attributes import GROUP
from .layouts import empty, laid_out, layout_of
from .negotiation import Format, partial_metadata
from .request_context import RequestContext
from .status import bad_request, not_acceptable
from .surface import ApiSurface


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a queue at one moment, and its headers."""

    items: Iterator[PositionedWorkload]
    headers: Headers = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Answers with documents of one kind; `read` raises StatusError 400 for bad options, then 404, `item`
    encodes in JSON.
    """

    kind: str
    surface: ApiSurface
    read: Callable[[RequestContext], ListPage]
    item: Callable[[PositionedWorkload], bytes]

    async def answer(self, version: str, request: RequestContext) -> Response:
        """Answer in a version. Raises StatusError."""
        # Checked before the representation: the real endpoint does so too (VIS-140).
        if not request.names["name"]:
            raise bad_request("name must be provided")
        media_type = request.accept.agree(partial_metadata)
        page = self.read(request)
        if media_type.transform is not None:
            self._refuse_transform(media_type.transform[2])
        if media_type.format is Format.PROTOBUF:
            # Kueue's visibility types have no protobuf: the real server refuses them
            # after it has read the object.
            self._refuse_protobuf(version)
        head = self._head(version)
        body = await laid_out(map(self.item, page.items), layout_of(media_type, head))
        headers = (("Content-Type", media_type.format.value), *page.headers)
        return Response(code=200, headers=headers, body=empty(media_type, head) if body is None else body)

    def _head(self, version: str) -> Mapping[str, Any]:
        metadata = dict(self.surface.metadata)
        return {"kind": self.kind, "apiVersion": f"{GROUP}/{version}", "metadata": metadata, "items": []}

    def _refuse_transform(self, kind: str) -> NoReturn:
        wrong = "not a list" if kind.endswith("List") else "a list"
        type_name = f"*{self.surface.preferred_version}.{self.kind}"
        raise not_acceptable(f"you requested {kind}, but the requested object is {wrong} ({type_name})")

    def _refuse_protobuf(self, version: str) -> NoReturn:
        raise not_acceptable(
            f"object *{version}.{self.kind} does not implement the protobuf marshalling interface"
            " and cannot be encoded to a protobuf message"
        )
