"""How a controller acts: as a user of the API, so that authorization,
admission and the journal treat it like any client.
"""

from __future__ import annotations

import orjson

from ..api.kind import Kind
from ..api.outcome import Outcome, Request, Response, User
from ..api.status import StatusError
from ..api.steps import PAUSE, Steps, pauses, rest
from ..base.json_types import Json
from ..registry.machinery import Api
from ..store import Stored

ACCOUNTS = ("system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated")
MERGE_PATCH = "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"


def service_account(name: str) -> User:
    """Return the account of a built-in controller."""
    return User(name=f"system:serviceaccount:kube-system:{name}", groups=ACCOUNTS)


MANAGER = User(name="system:kube-controller-manager", groups=("system:authenticated",))
"""The user of controllers that have no account of their own."""


class Actor:
    """One system user and what it does to objects of any kind; after each request others may have a turn."""

    def __init__(self, api: Api, user: User, agent: str) -> None:
        self.api = api
        self._user = user
        self._agent = agent
        self._asked = 0

    def kind(self, api_version: str, name: str) -> Kind | None:
        """Return the row of a kind, None when it is not served."""
        return self.api.registry.of_kind(api_version, name)

    def create(self, kind: Kind, obj: Json, subresource: str = "") -> Steps[Json]:
        """Create an object, or a subresource of a named one. Raises StatusError."""
        namespace, name = obj["metadata"].get("namespace", ""), obj["metadata"].get("name", "")
        path = self.path(kind, namespace, name, subresource) if subresource else self.path(kind, namespace)
        return self._ask("POST", path, obj)

    def update_status(self, kind: Kind, obj: Json) -> Steps[Json]:
        """Replace the status of an object that was read before. Raises StatusError."""
        metadata = obj["metadata"]
        return self._ask(
            "PUT", self.path(kind, metadata.get("namespace", ""), metadata["name"], "status"), obj
        )

    def update(self, kind: Kind, obj: Json, subresource: str = "") -> Steps[Json]:
        """Replace an object that was read before. Raises StatusError."""
        metadata = obj["metadata"]
        return self._ask(
            "PUT", self.path(kind, metadata.get("namespace", ""), metadata["name"], subresource), obj
        )

    def patch(self, kind: Kind, stored: Stored, patch: Json, subresource: str = "") -> Steps[Json]:
        """Merge-patch an object, provided it is still the same one. Raises StatusError."""
        # The uid in a patch is a precondition: an object of the same name that was made anew is a conflict.
        guarded = {**patch, "metadata": {**patch.get("metadata", {}), "uid": stored.uid}}
        return self._ask("PATCH", self.path(kind, *stored.name, subresource), guarded, MERGE_PATCH)

    def apply(self, kind: Kind, obj: Json, manager: str) -> Steps[Json]:
        """Apply an object as a field manager that takes what it wants. Raises StatusError."""
        metadata = obj["metadata"]
        path = self.path(kind, metadata.get("namespace", ""), metadata["name"])
        return self._ask(
            "PATCH", path, obj, APPLY_PATCH, query=(("fieldManager", manager), ("force", "true"))
        )

    def delete(self, kind: Kind, stored: Stored, **options: Json) -> Steps[Json]:
        """Delete an object, provided it is still the same one. Raises StatusError."""
        body = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": stored.uid}, **options}
        answer = yield from self._ask("DELETE", self.path(kind, *stored.name), body)
        # A deletion takes the time of the object and not of its short body.
        yield from pauses(len(stored.json()))
        return answer

    def delete_all(self, kind: Kind, namespace: str) -> Steps[Json]:
        """Delete every object of a kind in a namespace. Raises StatusError."""
        body = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}
        return self._ask("DELETE", self.path(kind, namespace), body)

    def path(self, kind: Kind, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """Return the path of a collection, an object or a subresource."""
        root = f"/apis/{kind.api_version}" if kind.group else f"/api/{kind.version}"
        scope = f"namespaces/{namespace}" if kind.namespaced and namespace else ""
        return "/".join(filter(None, (root, scope, kind.plural, name, subresource)))

    def _ask(
        self,
        method: str,
        path: str,
        body: Json,
        content_type: str = "application/json",
        query: tuple[tuple[str, str], ...] = (),
    ) -> Steps[Json]:
        self._asked += 1
        # Each request has a user agent, by which the journal tells the controllers apart.
        headers = {"content-type": content_type, "accept": "application/json", "user-agent": self._agent}
        request = Request(
            method=method,
            path=path,
            query=query,
            headers=headers,
            body=orjson.dumps(body),
            user=self._user,
            audit_id=f"{self._agent}-{self._asked}",
            shares_loop=True,
        )
        # Run to its end within this step as far as it does not wait: a request is no place for others to come
        # between.
        steps: Steps[Outcome] = rest(self.api.handle(request))
        outcome = yield from steps
        yield PAUSE
        yield from pauses(len(request.body))
        # Watches and streams are no answers that a controller could read.
        if not isinstance(outcome, Response):
            raise TypeError(f"{method} {path} of a controller was answered with {type(outcome).__name__}")
        answer = orjson.loads(outcome.body)
        if outcome.code >= 400:
            raise StatusError(answer)
        return answer
