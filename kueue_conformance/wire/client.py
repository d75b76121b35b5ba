"""The harness's own access to an API server: plain objects in and out.

Everything created is labelled with the run and remembered, so that clean-up
removes what is ours and nothing else (harness/H-39, H-40). The User-Agent
names the scenario, so that journals tell our writes from the subject's (H-47).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

import orjson

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from ..base.numbers import whole
from ..scenarios.cases import NEWEST
from .resource import ALPHA, KUEUE, RESOURCES, Resource
from .transport import Transport

RUN_LABEL = "kueue-conformance.dev/run"


class ApiError(Exception):
    """The server's answer to a request it did not fulfil: `code`, `reason` and the whole Status."""

    def __init__(self, code: int, status: Json) -> None:
        super().__init__(status.get("message") or f"HTTP {code}")
        self.code = code
        self.reason = str(status.get("reason", ""))
        self.status = status

    @property
    def fields(self) -> list[str]:
        """The fields that the causes name."""
        return [cause.get("field", "") for cause in self.status.get("details", {}).get("causes", [])]


class Client:
    """Reads and writes objects as one actor; `created` is removed in reverse order by `clean_up`.

    `wrote` hears the revision of each object that a write left, 0 where the answer does not say it.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        agent: str,
        run: str = "",
        version: str = NEWEST,
        wrote: Callable[[int], None] | None = None,
    ) -> None:
        self._send = transport
        self._wrote = wrote
        self._agent = agent
        self.run = run
        self.version = version
        """Of Kueue's API."""
        self.versions: Mapping[str, str] = {}
        """The versions in which kinds are read and written, where these are not those of the table."""
        self.further: dict[str, Resource] = {}
        """Where kinds live that are not in the table, such as the jobs of a subject."""
        self.created: list[tuple[Resource, str, str]] = []
        self._spaces: set[str] = set()
        self._wide: set[tuple[str, str]] = set()
        self._afterwards: list[Callable[[], object]] = []

    def with_agent(self, agent: str, *, reports_writes: bool = True) -> Client:
        """Return a client over the same connection whose writes bear another name; unless
        `reports_writes`, `wrote` is not called for them.
        """
        other = Client(
            self._send,
            agent=agent,
            run=self.run,
            version=self.version,
            wrote=self._wrote if reports_writes else None,
        )
        other.versions, other.further = self.versions, self.further
        return other

    def speaking(self, version: str) -> Client:
        """Return a client over the same connection that speaks a version of Kueue's API."""
        other = Client(self._send, agent=self._agent, run=self.run, version=version, wrote=self._wrote)
        other.further = self.further
        return other

    def resource(self, kind: str) -> Resource:
        """Return where a kind lives, in the version of Kueue's API that is spoken."""
        resource = self.further[kind] if kind in self.further else RESOURCES[kind]
        if kind in self.versions:
            return replace(resource, version=self.versions[kind])
        # Only Kueue's kinds have the version of the dialect; a Pod is v1 in each, an alpha kind has one.
        other = resource.group == KUEUE and resource.version not in (ALPHA, self.version)
        return replace(resource, version=self.version) if other else resource

    def call(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        media: str = "application/json",
        **query: str | bool,
    ) -> Json:
        """Send one request and return the decoded answer. Raises ApiError."""
        # Go reads `true`; Python writes `True`.
        words = {
            key: str(value).lower() if isinstance(value, bool) else value for key, value in query.items()
        }
        url = f"{path}?{urlencode(words)}" if words else path
        headers = {"User-Agent": self._agent, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = media
        code, answer = self._send(method, url, headers, None if body is None else orjson.dumps(body))
        if code >= 400:
            raise ApiError(code, _status(code, answer))
        document = orjson.loads(answer) if answer else {}
        # A dry run answers with a revision that is never stored.
        if self._wrote is not None and method != "GET" and "dryRun" not in words:
            self._wrote(whole(str((document.get("metadata") or {}).get("resourceVersion", ""))) or 0)
        return document

    def served_versions(self) -> list[str]:
        """Return the versions of Kueue's API that are served, the preferred one first. Raises ApiError."""
        return [version["version"] for version in self.call("GET", f"/apis/{KUEUE}")["versions"]]

    def text(self, path: str, **query: str | bool) -> str:
        """Return what a path answers that is no JSON, such as the log of a pod. Raises ApiError."""
        words = {
            key: str(value).lower() if isinstance(value, bool) else value for key, value in query.items()
        }
        headers = {"User-Agent": self._agent, "Accept": "*/*"}
        code, answer = self._send("GET", f"{path}?{urlencode(words)}", headers, None)
        if code >= 400:
            raise ApiError(code, _status(code, answer))
        return answer.decode("utf-8", "replace")

    def create(self, manifest: Json, resource: Resource | None = None) -> Json:
        """Create an object, labelled as ours; `resource` is
        where it lives, for a kind that is not in the table.
        """
        resource = resource or self.resource(manifest["kind"])
        metadata = manifest["metadata"]
        body = {"apiVersion": resource.api_version, **self.with_run_label(manifest)}
        created = self.call("POST", resource.path(metadata.get("namespace", "")), body)
        # From the answer: with generateName the server has chosen the name.
        self._remember(resource, created["metadata"])
        return created

    def with_run_label(self, manifest: Json) -> Json:
        """Return a manifest that says which run made the object."""
        if not self.run:
            return manifest
        metadata = manifest["metadata"]
        return {
            **manifest,
            "metadata": {**metadata, "labels": {**metadata.get("labels", {}), RUN_LABEL: self.run}},
        }

    def owns(self, kind: str, namespace: str, name: str) -> bool:
        """Tell whether an object is in a namespace that was
        created here, or a cluster-scoped object that was.
        """
        return namespace in self._spaces or (kind, name) in self._wide

    def _remember(self, resource: Resource, metadata: Json) -> None:
        name = metadata["name"]
        self.created.append((resource, metadata.get("namespace", ""), name))
        if resource.kind == "Namespace":
            self._spaces.add(name)
        # What lies in a namespace of ours is known by that.
        if not resource.namespaced:
            self._wide.add((resource.kind, name))

    def get(self, kind: str, name: str, namespace: str = "") -> Json:
        """Return an object. Raises ApiError 404."""
        return self.call("GET", self.resource(kind).path(namespace, name))

    def find(self, kind: str, name: str, namespace: str = "") -> Json | None:
        """Return an object, None when there is none."""
        try:
            return self.get(kind, name, namespace)
        except ApiError as error:
            if error.code == 404:
                return None
            raise

    def list(self, kind: str, namespace: str = "", **query: str) -> Sequence[Json]:
        """Return the objects of a kind."""
        items: Sequence[Json] = self.call("GET", self.resource(kind).path(namespace), None, **query)["items"]
        return items

    def update(
        self, kind: str, name: str, change: Callable[[Json], Json], *, namespace: str = "", sub: str = ""
    ) -> Json:
        """Read, change and PUT an object; retry after a conflict."""
        while True:
            try:
                return self.call(
                    "PUT",
                    self.resource(kind).path(namespace, name, sub),
                    change(self.get(kind, name, namespace)),
                )
            except ApiError as error:
                # Kubernetes' optimistic lock: 409 with reason Conflict asks to read again.
                # AlreadyExists is 409 too.
                if error.reason != "Conflict":
                    raise

    def merge(self, kind: str, name: str, patch: Json, *, namespace: str = "", sub: str = "") -> Json:
        """Send a JSON merge patch."""
        return self.call(
            "PATCH",
            self.resource(kind).path(namespace, name, sub),
            patch,
            # Not a strategic merge patch: custom resources do not know it (415).
            media="application/merge-patch+json",
        )

    def apply(self, manifest: Json, *, manager: str, sub: str = "") -> Json:
        """Send a forced server-side apply."""
        resource, metadata = self.resource(manifest["kind"]), manifest["metadata"]
        path = resource.path(metadata.get("namespace", ""), metadata["name"], sub)
        # Without force the first field of another manager is a conflict.
        body = {"apiVersion": resource.api_version, **manifest}
        return self.call(
            "PATCH", path, body, media="application/apply-patch+yaml", fieldManager=manager, force=True
        )

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        """Delete an object; an absent one is no error."""
        self._remove(self.resource(kind).path(namespace, name))

    def _remove(self, path: str) -> None:
        try:
            # The default of batch/v1 leaves the Pods of a Job behind.
            self.call("DELETE", path, {"propagationPolicy": "Background"})
        except ApiError as error:
            if error.code != 404:
                raise

    def afterwards(self, undo: Callable[[], object]) -> None:
        """Register a function to run before objects are deleted, such as the removal of a finalizer."""
        self._afterwards.append(undo)

    def forget(self) -> None:
        """Skip the clean-up: the cluster ends with the case."""
        self._afterwards.clear()

    def clean_up(self) -> None:
        """Delete what was created, newest first. Raises ExceptionGroup with every failure."""
        failures: list[Exception] = []
        # Before the deletions: a finalizer of the harness would keep its object alive for ever.
        while self._afterwards:
            self._afterwards.pop()()
        while self.created:
            # Newest first: what refers to an object was made after it.
            resource, namespace, name = self.created.pop()
            try:
                self._remove(resource.path(namespace, name))
            except (ApiError, EnvironmentProblem) as failure:
                # One that cannot be deleted must not save the others.
                failures.append(failure)
        if failures:
            # Reports show the text of the group alone.
            reasons = "; ".join(dict.fromkeys(str(failure).partition("\n")[0] for failure in failures))
            raise ExceptionGroup(f"objects of the scenario could not be deleted: {reasons}", failures)


def _status(code: int, answer: bytes) -> Json:
    try:
        document = orjson.loads(answer)
    # A proxy, a panic and a server that starts answer with text.
    except ValueError:
        return {"code": code, "message": answer.decode("utf-8", "replace").strip()}
    return document if isinstance(document, dict) else {"code": code, "message": str(document)}
