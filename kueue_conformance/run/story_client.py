"""A client that reads objects as they were at a moment of the story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.json_types import Json
from ..history.retrospect import Viewpoint
from ..wire.client import ApiError, Client
from ..wire.transport import Transport


class StoryClient(Client):
    """Reads objects as they were at the moment that is looked at.

    Another kind, and another version of the API, is read as it is now.
    """

    def __init__(self, transport: Transport, viewpoint: Viewpoint, **more: Any) -> None:
        super().__init__(transport, wrote=viewpoint.acts, **more)
        self._viewpoint = viewpoint

    def get(self, kind: str, name: str, namespace: str = "") -> Json:
        """Return an object. Raises ApiError 404."""
        moment = self._viewpoint.moment
        if moment is None or not moment.knows(kind):
            return super().get(kind, name, namespace)
        found = moment.find(kind, namespace, name)
        if found is None:
            raise ApiError(404, {"message": f"{kind} {name} was not there", "reason": "NotFound"})
        return found

    def list(self, kind: str, namespace: str = "", **query: str) -> Sequence[Json]:
        """Return the objects of a kind."""
        moment = self._viewpoint.moment
        if moment is None or query or not moment.knows(kind):
            return super().list(kind, namespace, **query)
        return moment.list(kind, namespace)
