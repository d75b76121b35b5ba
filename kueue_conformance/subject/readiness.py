"""How a subject is known to be ready: the signs of `start.ready`, and a check that it makes Active
(harness/H-03, harness §10.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..backends.cluster import Cluster
from ..base.errors import EnvironmentProblem, SubjectFileError
from ..base.json_types import Json
from ..wire import kinds
from ..wire.client import RUN_LABEL, ApiError, Client
from . import role
from .declaration import Declaration
from .parameters import Parameters
from .start import StartSettings

_SECONDS = 1.0
"""For an answer of the address that says whether a program is ready."""
_UNKNOWN = re.compile(r'unknown field "([^"]+)"')
"""How an API server names a field of a request that it does not know."""
MANAGER = "kueue-conformance"


@runtime_checkable
class HasLog(Protocol):
    """A program whose output can be searched."""

    def has_printed(self, pattern: str) -> bool:
        """Tell whether a line that it printed matches a regular expression."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of a program that is ready: an address that answers, a line, a Lease that is held."""

    field: str
    """The field of a subject file that asks for it."""
    text: str
    is_there: Callable[[], bool]


def signs(start: StartSettings, program: object, client: Client) -> Iterator[Sign]:
    """Yield the signs that the field `start.ready` asks for."""
    if start.ready_http:
        yield Sign("start.ready.http", f"an answer at {start.ready_http}", lambda: _answers(start.ready_http))
    if start.ready_log and isinstance(program, HasLog):
        yield Sign(
            "start.ready.log",
            f"a line like {start.ready_log!r}",
            lambda: program.has_printed(start.ready_log),
        )
    if start.ready_lease:
        yield Sign(
            "start.ready.lease",
            f"a holder of Lease {start.ready_lease}",
            lambda: _is_held(client, start.ready_lease),
        )


def _answers(url: str) -> bool:
    import urllib3

    try:
        return 200 <= urllib3.request("GET", url, retries=False, timeout=_SECONDS).status < 300
    except urllib3.exceptions.HTTPError:
        return False


def _is_held(client: Client, lease: str) -> bool:
    namespace, _, name = lease.partition("/")
    try:
        holder = client.call("GET", f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}")
    except ApiError as error:
        if error.code != 404:
            raise
        return False
    return bool(holder["spec"].get("holderIdentity"))


def install(declaration: Declaration, cluster: Cluster, seconds: float) -> None:
    """Have the kinds of parameters served, and everything there that `setup` names.

    Raises SubjectFileError for what the server refuses.
    """
    client = Client(cluster.transport, agent="kueue-conformance/1 set-up", run=cluster.mark)
    of_setup = [manifest for manifest in declaration.setup if manifest["kind"] == role.DEFINITION]
    of_kinds = (declaration.parameters, declaration.job_kind)
    crds = [*(definition for declared in of_kinds if declared for definition in declared.crds), *of_setup]
    if crds:
        kinds.apply(client, crds, manager=MANAGER)
        # A definition that was created is served only after the server has established it.
        cluster.wait(lambda: all(kinds.is_served(client, crd) for crd in crds), seconds, lambda: False)
    try:
        kinds.apply(
            client,
            [manifest for manifest in declaration.setup if manifest["kind"] != role.DEFINITION],
            manager=MANAGER,
        )
    except ApiError as error:
        raise declaration.with_line(
            SubjectFileError(
                f"setup.apply: the API server does not take a manifest: {error}",
                hint="correct that manifest; its namespace is created where a manifest of setup has it",
                path="setup.apply",
            )
        ) from error


def spec_of_probe(controller: str, declared: Parameters | None, client: Client, name: str) -> Json:
    """Return the spec of a check that the subject must make Active; its parameters are made with it."""
    spec = {"controllerName": controller}
    if declared is None:
        return spec
    if declared.valid:
        objects = declared.objects(name)
        kinds.apply(client, objects, manager=MANAGER)
        # Manifests may hold kinds that the client has no table for, so `created` does not know
        # them.
        client.afterwards(lambda: kinds.remove(client, objects))
    return {**spec, "parameters": declared.reference(name if declared.valid else declared.name)}


def check_kinds(declaration: Declaration, cluster: Cluster) -> None:
    """Raise SubjectFileError where the subject file names a kind that the cluster does not serve."""
    client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe", run=cluster.mark)
    for path, manifest in declaration.manifests():
        try:
            kinds.resource_of(client, manifest)
        except EnvironmentProblem as problem:
            raise declaration.with_line(
                SubjectFileError(
                    f"{path} names a kind that cannot be used: {problem.args[0]}",
                    hint=f"correct apiVersion and kind, or name its CustomResourceDefinition in {path.partition('.')[0]}.crds",
                    path=path,
                )
            ) from problem


def check_workload_template(declaration: Declaration, cluster: Cluster) -> None:
    """Raise SubjectFileError where the API server would not take a Workload, or an owner, of the template."""
    template = declaration.workload_template
    if template is None:
        return
    client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe", run=cluster.mark)
    manifests = [("workload", template.example())]
    if template.owner is not None:
        manifests.append(
            ("workload.owner", template.new_owner("example", "default", template.example_pods()))
        )
    for path, manifest in manifests:
        resource = kinds.resource_of(client, manifest)
        where = resource.path("default" if resource.namespaced else "")
        try:
            client.call("POST", where, manifest, dryRun="All", fieldValidation="Strict")
        except ApiError as error:
            field = next(iter([*_UNKNOWN.findall(str(error)), *error.fields]), "")
            raise declaration.with_line(
                SubjectFileError(
                    f"{path}: the API server does not take what is made of it: {error}",
                    hint="correct that field; `kubectl explain workload.spec` tells what it may hold",
                    path=f"{path}.{field}" if field else path,
                )
            ) from error


def is_there(client: Client, declaration: Declaration) -> bool:
    """Tell whether a case has made the check that `checkName` names.

    Raises SubjectFileError where it was there before the run.
    """
    check = client.find("AdmissionCheck", declaration.check_name)
    if check is None:
        return False
    if RUN_LABEL in check["metadata"].get("labels", {}):
        return True
    raise declaration.with_line(
        SubjectFileError(
            f"checkName is {declaration.check_name!r}, and the cluster has an AdmissionCheck of that name",
            hint="scenarios make and delete it: remove it, or name another cluster",
            path="checkName",
        )
    )


def is_active(check: Json) -> bool:
    """Tell whether an AdmissionCheck is Active."""
    conditions = (check.get("status") or {}).get("conditions", [])
    return any(condition["type"] == "Active" and condition["status"] == "True" for condition in conditions)
