"""Paths that are no API: each is served exactly, or with everything below it (VIS-112, VIS-316, VIS-317)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...runtime.serving.exchange import Response
from .request_context import Endpoint, RequestContext
from .serialization import raw


class RootPaths:
    """The root paths of a server; one that ends with a slash serves what lies below it too.

    `unlisted` ones work but are not told.
    """

    def __init__(
        self,
        listed: Mapping[str, Endpoint],
        unlisted: Mapping[str, Endpoint],
        additional_paths: Iterable[str],
    ) -> None:
        self._endpoints = {**listed, **unlisted}
        self._paths = sorted({*listed, *additional_paths})

    async def answer(self, request: RequestContext) -> Response:
        """Answer any path; one that is not known is told which there are (VIS-112)."""
        path = request.url.path
        endpoint = self._endpoints.get(path) or self._below(path)
        if endpoint is not None:
            return await endpoint(request)
        return raw(200 if path in {"/", "/index.html"} else 404, {"paths": self._paths})

    def _below(self, path: str) -> Endpoint | None:
        return next(
            (
                self._endpoints[endpoint]
                for endpoint in self._endpoints
                if endpoint.endswith("/") and path.startswith(endpoint)
            ),
            None,
        )
