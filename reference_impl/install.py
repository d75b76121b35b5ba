"""What the control plane needs in a cluster: its kinds, its namespace, its identity and its rights (--install).

The rights are the least that the parts use; running with more is never needed (apiserver.md §2.5.3, AC-370…375).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable

from .api import kinds
from .api.crds import EDITIONS, convertible_definitions, definitions, definitions_for_requests
from .api.crds.provisioning_requests import OURS, definition_of_requests
from .api.kinds import CRDS, GROUP, VERSION
from .api.resource import Json, Resource
from .defects import followed
from .deployment.identity import CLUSTER_ROLES, authorities_reader, namespace_and_account, roles
from .deployment.rights import CLUSTER_RIGHTS, LEADER_RIGHTS
from .deployment.site import NAME
from .deployment.throttling import throttling
from .deployment.users import user_roles
from .runtime.client import Client
from .runtime.clock import Clock, pause
from .runtime.errors import ApiError, OutsideError
from .runtime.informer import Informer
from .runtime.log import Logger
from .visibility.registration import APISERVICES, SERVICES
from .webhooks.registration import CONVERT, Endpoint, configurations

ESTABLISH_SECONDS = 60.0
SERVED_POLL_SECONDS = 0.1


def manifests(
    namespace: str, dialect: str, *, defects: bool = True, visibility_apf: bool = False
) -> tuple[tuple[Resource, Json], ...]:
    """Return namespace, identity and rights, the roles of users, and what limits requests, in the order in which they are made."""
    visibility = followed(dialect, defects=defects).visibility
    return (
        *namespace_and_account(namespace),
        *roles(namespace, cluster=CLUSTER_RIGHTS, inside=LEADER_RIGHTS),
        authorities_reader(namespace),
        *((CLUSTER_ROLES, role) for role in user_roles(visibility)),
        *(throttling(visibility) if visibility_apf else ()),
    )


async def install(
    client: Client,
    clock: Clock,
    log: Logger,
    *,
    dialect: str,
    namespace: str,
    defects: bool = True,
    visibility_apf: bool = False,
    webhooks: Endpoint | None = None,
    requests_of: str = "ca",
    beside: bool = False,
) -> None:
    """Make or update everything, and return when the kinds are served.

    With webhooks, v1beta1 is served beside v1beta2 and every write is looked at there. With `visibility_apf`, the FlowSchema and the
    PriorityLevelConfiguration for visibility are there too, without `defects` in a form that has an effect (VIS-601, VIS-612).
    `requests_of` says whose definition of ProvisioningRequest comes along; one that the cluster had stays as it is, also with
    its versions. `beside` another Kueue its kinds stay what they are, too.
    """
    crds = () if beside else _definitions(dialect, webhooks)
    if requests_of and not await _has_requests_of_others(client):
        crds = (*crds, *definitions_for_requests(requests_of))
    ours = manifests(namespace, dialect, defects=defects, visibility_apf=visibility_apf)
    for resource, obj in (*ours, *((CRDS, crd) for crd in crds)):
        await _apply(client, resource, obj)
    if crds:
        await _established(client, clock, log, {crd["metadata"]["name"] for crd in crds})
    for kind in () if beside else kinds.KUEUE_KINDS:
        # A real server begins to answer a moment after it says that the kind is established.
        while not await _answers(client, kind):
            await pause(clock, SERVED_POLL_SECONDS)
    for resource, obj in configurations(webhooks, EDITIONS[dialect].release) if webhooks else ():
        await _apply(client, resource, obj)


def _definitions(dialect: str, webhooks: Endpoint | None) -> tuple[Json, ...]:
    return convertible_definitions(dialect, webhooks.client(CONVERT)) if webhooks else definitions(dialect)


async def _has_requests_of_others(client: Client) -> bool:
    """Tell whether the cluster has a definition of ProvisioningRequest that is not ours."""
    name = definition_of_requests()["metadata"]["name"]
    found = (await client.list(CRDS, fieldSelector=f"metadata.name={name}")).get("items") or ()
    return any(OURS.items().isdisjoint((each["metadata"].get("labels") or {}).items()) for each in found)


async def register(client: Client, objects: Iterable[Json]) -> None:
    """Have the API server pass on what belongs to the visibility server. Raises OutsideError."""
    for obj in objects:
        await _apply(client, {one.kind: one for one in (SERVICES, APISERVICES)}[obj["kind"]], obj)


async def _apply(client: Client, resource: Resource, obj: Json) -> None:
    try:
        await client.apply(resource, obj, manager=NAME)
    except ApiError as error:
        what = f"{resource.kind} {obj['metadata']['name']}"
        reason = error.message or error
        raise OutsideError(f"cannot install {what}: {reason}; --install needs an administrator") from None


async def _established(client: Client, clock: Clock, log: Logger, wanted: set[str]) -> None:
    """Wait until the server has taken every definition in."""
    missing = set(wanted)
    settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look(_old: Json | None, new: Json | None) -> None:
        if new is None or new["metadata"]["name"] not in missing or not _is_established(new):
            return
        missing.discard(new["metadata"]["name"])
        if not missing and not settled.done():
            settled.set_result(None)

    informer = Informer(client, CRDS, clock, log, random=random.Random(0))  # noqa: S311 jitter, no secret
    informer.add_handler(look)
    following = asyncio.create_task(informer.run())
    try:
        await asyncio.wait_for(settled, ESTABLISH_SECONDS)
    except TimeoutError:
        names = ", ".join(sorted(missing))
        raise OutsideError(f"not established after {ESTABLISH_SECONDS:.0f} s: {names}") from None
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def require_installed(client: Client) -> None:
    """Make sure that the kinds are served, which everybody may ask; raises OutsideError."""
    try:
        served = await client.request("GET", f"/apis/{GROUP}/{VERSION}")
    except ApiError as error:
        if not error.not_found:
            raise OutsideError(f"cannot see what is served: {error.message or error}") from None
        served = {"resources": ()}
    names = {one["name"] for one in served["resources"]}
    missing = [str(kind) for kind in kinds.KUEUE_KINDS if kind.plural not in names]
    if missing:
        raise OutsideError(
            f"the server does not know {', '.join(missing)}; run with --install, or apply `kueue-reference manifests`"
        )


async def _answers(client: Client, resource: Resource) -> bool:
    """Tell whether the server serves a kind."""
    try:
        await client.list(resource, limit="1")
    except ApiError as error:
        if error.not_found:
            return False
        raise OutsideError(f"cannot list {resource}: {error.message or error}") from None
    return True


def _is_established(crd: Json) -> bool:
    conditions = (crd.get("status") or {}).get("conditions") or ()
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)
