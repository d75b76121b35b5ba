"""A client without a socket: what tests ask of a cluster in the same process."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

import orjson

from ..api.outcome import Outcome, Request, Response, User
from ..api.status import StatusError
from ..auth.authentication.authenticator import with_authenticated_group
from ..base.json_types import Json
from .applied_objects import ManifestError, flatten, require_list

ADMIN = User(name="admin", groups=("system:masters", "system:authenticated"))


class InProcessClient(ABC):
    """Sends requests as any user; `FakeCluster` says how a request is answered and where an object lives."""

    @abstractmethod
    def _ask(self, request: Request) -> Outcome: ...

    @abstractmethod
    def _path_of(self, obj: Json) -> str: ...

    def request(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        query: Iterable[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        user: User = ADMIN,
    ) -> Json:
        """Ask the API server without a socket and return the answer's JSON.

        Raises StatusError when it fails.
        """
        content = {"content-type": "application/json", "user-agent": "fakecluster", **(headers or {})}
        encoded = b"" if body is None else orjson.dumps(body)
        request = Request(
            method=method,
            path=path,
            query=tuple(query),
            headers=content,
            body=encoded,
            user=with_authenticated_group(user),
            audit_id=secrets.token_hex(16),
        )
        return decode(self._answer(request))

    def apply(self, objects: Iterable[Json]) -> None:
        """Server-side apply objects in order, as the field
        manager `fakecluster`; a List stands for its items.

        Raises ManifestError for what is no object, before any is applied;
        LookupError for a kind that is not served, StatusError.
        """
        numbered_objects = enumerate(require_list(objects, "apply", "objects"))
        for manifest in [
            one for number, item in numbered_objects for one in flatten(item, f"apply(): object {number}")
        ]:
            self.request(
                "PATCH",
                self._path_of(manifest),
                manifest,
                query=(("fieldManager", "fakecluster"), ("force", "true")),
                # JSON is YAML, so the body needs no other encoding.
                headers={"content-type": "application/apply-patch+yaml"},
            )

    def apply_files(self, paths: Iterable[str | PathLike[str]]) -> None:
        """Apply the objects of YAML or JSON files and folders.

        Raises OSError or ManifestError for what cannot be read.
        """
        from . import manifests  # loads a YAML reader, which a cluster fed through its API does not need

        files = require_list(paths, "apply_files", "paths")
        for path in files:
            if not isinstance(path, str | PathLike):
                raise ManifestError(f"apply_files() takes paths, and was given {path!r}")
        self.apply(obj for path in files for obj in manifests.load(Path(path)))

    def _answer(self, request: Request) -> Response:
        outcome = self._ask(request)
        if not isinstance(outcome, Response):
            raise TypeError(
                f"{request.method} {request.path} opens a watch, which request() cannot return: use a client"
            )
        return outcome


def decode(response: Response) -> Json:
    """Return a response's JSON. Raises StatusError when it is a failure."""
    value = (
        orjson.loads(response.body) if response.content_type == "application/json" else response.body.decode()
    )
    if response.code >= 400:
        raise StatusError(value if isinstance(value, dict) else {"message": value, "code": response.code})
    return value
