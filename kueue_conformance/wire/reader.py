"""A client that only sends GET."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from ..base.errors import EnvironmentProblem, UsageError
from ..base.json_types import Json
from .answer_timeout import answer_timeout, message_of, no_answer
from .authorization import bearer

_PAGE = 500


class Reader:
    """Reads a server that a kubeconfig names."""

    def __init__(
        self, kubeconfig: str, context: str = "", *, agent: str = "kueue-conformance/1 observe"
    ) -> None:
        # Imported on use: the official client is slow to load.
        from kubernetes import config
        from kubernetes.config import ConfigException
        from yaml import YAMLError

        try:
            # The official client reports a missing file as a wrong configuration.
            Path(kubeconfig).read_bytes()
            self._api = config.new_client_from_config(kubeconfig, context=context or None)
        except (
            OSError,
            ConfigException,
            YAMLError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ) as problem:
            why = getattr(problem, "strerror", None) or str(problem).strip().partition("\n")[0]
            raise UsageError(
                f"the kubeconfig {kubeconfig!r} cannot be used: {why}", hint="check the path and the context"
            ) from problem
        self._agent = agent
        self.host = str(self._api.configuration.host).rstrip("/")

    def get(self, path: str) -> Json | None:
        """Return the object at a path, None when there is none.

        Raises EnvironmentProblem when it may not be read.
        """
        answer = self._open(path, stream=False)
        if answer.status == 404:
            return None
        if answer.status >= 400:
            raise EnvironmentProblem(
                f"{self.host}{path} answers {answer.status}: {message_of(answer.data)}",
                hint="get, list and watch of that resource are needed",
            )
        return orjson.loads(answer.data)

    def list(self, path: str) -> tuple[list[Json], str]:
        """Return every object of a collection, and the revision from which to watch on."""
        objects: list[Json] = []
        token = ""
        while True:
            # In pages, as client-go lists: a large collection in one answer burdens the server.
            page = self.get(f"{path}?limit={_PAGE}{f'&continue={token}' if token else ''}") or {
                "items": [],
                "metadata": {},
            }
            objects += page["items"]
            token = page["metadata"].get("continue", "")
            if not token:
                return objects, str(page["metadata"].get("resourceVersion", ""))

    def watch(self, path: str, revision: str, seconds: int) -> Iterator[Json]:
        """Yield the events of a collection for so long, or until the server ends the watch."""
        from urllib3.exceptions import HTTPError

        answer = self._open(
            f"{path}?watch=true&allowWatchBookmarks=true&resourceVersion={revision}&timeoutSeconds={seconds}",
            stream=True,
        )
        rest = b""
        try:
            if answer.status != 200:
                # A watch that is refused at once (410) is told like one that ends later.
                yield {"type": "ERROR", "object": {"code": answer.status}}
                return
            for chunk in answer.stream(65536):
                # A chunk ends anywhere, also within an event.
                *lines, rest = (rest + chunk).split(b"\n")
                yield from (orjson.loads(line) for line in lines if line.strip())
        except HTTPError as problem:
            raise EnvironmentProblem(f"the API server at {self.host} ended a watch: {problem}") from problem
        finally:
            answer.close()

    def _open(self, path: str, *, stream: bool) -> Any:
        from urllib3.exceptions import HTTPError

        headers = {"User-Agent": self._agent, "Accept": "application/json", **bearer(self._api)}
        pool = self._api.rest_client.pool_manager
        # A watch is silent for as long as nothing happens; the server ends it (timeoutSeconds).
        timeout = None if stream else answer_timeout()
        try:
            return pool.request(
                "GET",
                self.host + path,
                headers=headers,
                preload_content=not stream,
                retries=False,
                timeout=timeout,
            )
        except HTTPError as problem:
            raise no_answer(self.host, problem) from problem
