"""The harness's own access to an API server: the official client's connection, plain objects in and out.

Everything created is labelled with the run and remembered, so that clean-up removes what is ours and nothing
else (harness/H-39, H-40). The User-Agent names the scenario, so that journals tell our writes from the
subject's (H-47).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode

import orjson

from ..cases import NEWEST
from ..errors import EnvironmentProblem, UsageError
from ..numbers import whole
from .authorization import bearer
from .endpoint import USERS, Endpoint

Json: TypeAlias = Any
RUN_LABEL = "kueue-conformance.dev/run"


@dataclass(frozen=True, slots=True)
class Resource:
    """Where objects of a kind live."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """`group/version`, or the version alone."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """Return the URL path of a collection, an object or a subresource."""
        root = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        parts = [
            root,
            f"namespaces/{namespace}" if self.namespaced and namespace else "",
            self.plural,
            name,
            subresource,
        ]
        return "/".join(part for part in parts if part)


KUEUE = "kueue.x-k8s.io"
RESOURCES = {
    one.kind: one
    for one in (
        Resource("", "v1", "Namespace", "namespaces", namespaced=False),
        Resource("", "v1", "Event", "events"),
        Resource("", "v1", "ConfigMap", "configmaps"),
        Resource("", "v1", "Node", "nodes", namespaced=False),
        Resource("", "v1", "Pod", "pods"),
        Resource("", "v1", "LimitRange", "limitranges"),
        Resource("", "v1", "PodTemplate", "podtemplates"),
        Resource("autoscaling.x-k8s.io", "v1", "ProvisioningRequest", "provisioningrequests"),
        Resource("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", namespaced=False),
        Resource("batch", "v1", "Job", "jobs"),
        Resource(
            "apiextensions.k8s.io",
            "v1",
            "CustomResourceDefinition",
            "customresourcedefinitions",
            namespaced=False,
        ),
        Resource(KUEUE, NEWEST, "Workload", "workloads"),
        Resource(KUEUE, NEWEST, "LocalQueue", "localqueues"),
        Resource(KUEUE, NEWEST, "ClusterQueue", "clusterqueues", namespaced=False),
        Resource(KUEUE, NEWEST, "ResourceFlavor", "resourceflavors", namespaced=False),
        Resource(KUEUE, NEWEST, "AdmissionCheck", "admissionchecks", namespaced=False),
        Resource(KUEUE, NEWEST, "WorkloadPriorityClass", "workloadpriorityclasses", namespaced=False),
        Resource(KUEUE, NEWEST, "Cohort", "cohorts", namespaced=False),
        Resource(KUEUE, NEWEST, "ProvisioningRequestConfig", "provisioningrequestconfigs", namespaced=False),
    )
}


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


Transport = Callable[[str, str, Mapping[str, str], bytes | None], tuple[int, bytes]]


def connect(kubeconfig: str, context: str = "") -> Transport:
    """Return the way to send requests to the server a kubeconfig names. Raises UsageError when it cannot be
    read.
    """
    api = _configured(kubeconfig, context)
    pool, host = api.rest_client.pool_manager, api.configuration.host.rstrip("/")

    def send(method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> tuple[int, bytes]:
        from urllib3.exceptions import HTTPError

        authorized = {**headers, **bearer(api)}
        try:
            answer = pool.request(
                method, host + path, body=body, headers=authorized, retries=False, timeout=30.0
            )
        except HTTPError as problem:
            raise EnvironmentProblem(
                f"the API server at {host} does not answer: {problem}",
                hint="is it running, and is the kubeconfig for it?",
            ) from problem
        return answer.status, answer.data

    return send


def endpoint(kubeconfig: str, context: str = "") -> Endpoint:
    """Return the server a kubeconfig names, with its user as admin and the others impersonated. Raises
    UsageError.
    """
    found = _configured(kubeconfig, context)
    told = found.configuration
    own = list(bearer(found).items())
    users = {
        name: [*own, ("Impersonate-User", name), *(("Impersonate-Group", group) for group in groups)]
        for name, groups in USERS.items()
    }
    return Endpoint(
        url=told.host.rstrip("/"),
        users={**users, "admin": own},
        tls=_tls(told),
        anonymous_tls=_tls(told, certified=False),
    )


def _tls(told: Any, *, certified: bool = True) -> ssl.SSLContext | None:
    if not told.host.startswith("https:"):
        return None
    context = ssl.create_default_context(cafile=told.ssl_ca_cert)
    if not told.verify_ssl:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certified and told.cert_file:
        context.load_cert_chain(told.cert_file, told.key_file)
    return context


def _configured(kubeconfig: str, context: str) -> Any:
    from kubernetes import config
    from kubernetes.config import ConfigException
    from yaml import YAMLError

    hint = "check the path and the current-context"
    try:
        Path(kubeconfig).read_bytes()
        return config.new_client_from_config(kubeconfig, context=context or None)
    except OSError as problem:
        why = problem.strerror or problem
        raise UsageError(f"the kubeconfig {kubeconfig!r} cannot be read: {why}", hint=hint) from problem
    except (ConfigException, YAMLError, AttributeError, LookupError, TypeError, ValueError) as problem:
        # The official client checks little: a file of another shape ends in whatever Python says about it.
        why = str(problem).strip().partition("\n")[0]
        raise UsageError(f"the kubeconfig {kubeconfig!r} cannot be used: {why}", hint=hint) from problem


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
        self.created: list[tuple[Resource, str, str]] = []
        self._spaces: set[str] = set()
        self._wide: set[tuple[str, str]] = set()
        self._afterwards: list[Callable[[], object]] = []

    def acting_as(self, agent: str, *, told: bool = True) -> Client:
        """Return a client over the same connection whose writes bear another name; `told` false: `wrote` does
        not hear of them.
        """
        other = Client(
            self._send, agent=agent, run=self.run, version=self.version, wrote=self._wrote if told else None
        )
        other.versions = self.versions
        return other

    def speaking(self, version: str) -> Client:
        """Return a client over the same connection that speaks a version of Kueue's API."""
        return Client(self._send, agent=self._agent, run=self.run, version=version, wrote=self._wrote)

    def resource(self, kind: str) -> Resource:
        """Return where a kind lives, in the version of Kueue's API that is spoken."""
        found = RESOURCES[kind]
        if kind in self.versions:
            return replace(found, version=self.versions[kind])
        other = found.group == KUEUE and found.version != self.version
        return replace(found, version=self.version) if other else found

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
        found = orjson.loads(answer) if answer else {}
        if self._wrote is not None and method != "GET" and "dryRun" not in words:
            self._wrote(whole(str((found.get("metadata") or {}).get("resourceVersion", ""))) or 0)
        return found

    def served_versions(self) -> list[str]:
        """Return the versions of Kueue's API that are served, the preferred one first. Raises ApiError."""
        return [one["version"] for one in self.call("GET", f"/apis/{KUEUE}")["versions"]]

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
        """Create an object, labelled as ours; `resource` is where it lives, for a kind that is not in the
        table.
        """
        resource = resource or self.resource(manifest["kind"])
        metadata = manifest["metadata"]
        body = {"apiVersion": resource.api_version, **self.labelled(manifest)}
        made = self.call("POST", resource.path(metadata.get("namespace", "")), body)
        self._remember(resource, made["metadata"])
        return made

    def labelled(self, manifest: Json) -> Json:
        """Return a manifest that says which run made the object."""
        if not self.run:
            return manifest
        metadata = manifest["metadata"]
        return {
            **manifest,
            "metadata": {**metadata, "labels": {**metadata.get("labels", {}), RUN_LABEL: self.run}},
        }

    def owns(self, kind: str, namespace: str, name: str) -> bool:
        """Tell whether an object is in a namespace that was created here, or a cluster-scoped object that
        was.
        """
        return namespace in self._spaces or (kind, name) in self._wide

    def _remember(self, resource: Resource, metadata: Json) -> None:
        name = metadata["name"]
        self.created.append((resource, metadata.get("namespace", ""), name))
        if resource.kind == "Namespace":
            self._spaces.add(name)
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
                if error.reason != "Conflict":
                    raise

    def merge(self, kind: str, name: str, patch: Json, *, namespace: str = "", sub: str = "") -> Json:
        """Send a JSON merge patch."""
        return self.call(
            "PATCH",
            self.resource(kind).path(namespace, name, sub),
            patch,
            media="application/merge-patch+json",
        )

    def apply(self, manifest: Json, *, manager: str, sub: str = "") -> Json:
        """Send a forced server-side apply."""
        resource, metadata = self.resource(manifest["kind"]), manifest["metadata"]
        path = resource.path(metadata.get("namespace", ""), metadata["name"], sub)
        body = {"apiVersion": resource.api_version, **manifest}
        return self.call(
            "PATCH", path, body, media="application/apply-patch+yaml", fieldManager=manager, force=True
        )

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        """Delete an object; an absent one is no error."""
        self._remove(self.resource(kind).path(namespace, name))

    def _remove(self, path: str) -> None:
        try:
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
        while self._afterwards:
            self._afterwards.pop()()
        while self.created:
            resource, namespace, name = self.created.pop()
            try:
                self._remove(resource.path(namespace, name))
            except (ApiError, EnvironmentProblem) as failure:
                failures.append(failure)
        if failures:
            raise ExceptionGroup("objects of the scenario could not be deleted", failures)


def _status(code: int, answer: bytes) -> Json:
    try:
        found = orjson.loads(answer)
    except ValueError:
        return {"code": code, "message": answer.decode("utf-8", "replace").strip()}
    return found if isinstance(found, dict) else {"code": code, "message": str(found)}
