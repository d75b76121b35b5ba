"""What the control plane needs in a cluster: its kinds,
its namespace, its identity and its rights (--install).

The rights are the least that the parts use;
running with more is never needed (apiserver.md §2.5.3, AC-370…375).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api import kinds
from ..api.crds import (
    alpha_definitions,
    convertible_definitions,
    definitions,
    definitions_for_requests,
)
from ..api.kinds import CRDS, GROUP, VERSION
from ..api.known_releases import version_of
from ..api.resource import Json, Resource
from ..runtime.client import Client
from ..runtime.clock import Clock
from ..runtime.errors import ApiError, OutsideError
from ..runtime.installing import apply, is_of_others, wait_until_established, wait_until_served
from ..runtime.log import Logger
from .defects import find
from .deployment.identity import CLUSTER_ROLES, authorities_reader, namespace_and_account, roles
from .deployment.rights import CLUSTER_RIGHTS, LEADER_RIGHTS
from .deployment.site import NAME
from .deployment.throttling import throttling
from .deployment.users import user_roles
from .visibility.registration import APISERVICES, SERVICES
from .webhooks.registration import CONVERT, WebhookEndpoint, configurations


def manifests(
    namespace: str, dialect: str, *, defects: bool = True, visibility_apf: bool = False
) -> tuple[tuple[Resource, Json], ...]:
    """Return namespace, identity and rights, the roles of users, and what limits requests, in the order in
    which they are made.
    """
    visibility = find(dialect, defects=defects).visibility
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
    webhooks: WebhookEndpoint | None = None,
    converter: WebhookEndpoint | None = None,
    requests_of: str = "ca",
    beside: bool = False,
    alpha_apis: bool = False,
) -> None:
    """Make or update everything, and return when the kinds are served.

    With webhooks, v1beta1 is served beside v1beta2 and every write is looked at there; with a `converter`
    alone it is served. With `visibility_apf`, the FlowSchema and the PriorityLevelConfiguration for
    visibility are there too, without `defects` in a form that has an effect (VIS-601, VIS-612). `requests_of`
    says whose definition of ProvisioningRequest comes along; one that the cluster had stays as it is, also
    with its versions. `beside` another Kueue its kinds stay what they are, too. `alpha_apis` brings the kinds
    of v1alpha1 along, which are stored and validated (KV-63).
    """
    crds = () if beside else _definitions(dialect, webhooks or converter)
    # Kueue's chart brings them on request alone: an alpha kind may change with each release.
    alpha_crds = alpha_definitions(dialect) if alpha_apis else ()
    crds = (*crds, *alpha_crds)
    requests = definitions_for_requests(requests_of) if requests_of else ()
    if requests and not await is_of_others(client, requests[0]):
        crds = (*crds, *requests)
    ours = manifests(namespace, dialect, defects=defects, visibility_apf=visibility_apf)
    for resource, obj in (*ours, *((CRDS, crd) for crd in crds)):
        await apply(client, resource, obj, manager=NAME)
    if crds:
        await wait_until_established(client, clock, log, crds)
    for kind in (*(() if beside else kinds.KUEUE_KINDS), *(kinds.ALPHA_KINDS if alpha_crds else ())):
        await wait_until_served(client, clock, kind)
    for resource, obj in configurations(webhooks, version_of(dialect)) if webhooks else ():
        await apply(client, resource, obj, manager=NAME)


def _definitions(dialect: str, converter: WebhookEndpoint | None) -> tuple[Json, ...]:
    return convertible_definitions(dialect, converter.client(CONVERT)) if converter else definitions(dialect)


async def register(client: Client, objects: Iterable[Json]) -> None:
    """Have the API server pass on what belongs to the visibility server. Raises OutsideError."""
    for obj in objects:
        resource = {resource.kind: resource for resource in (SERVICES, APISERVICES)}[obj["kind"]]
        await apply(client, resource, obj, manager=NAME)


async def require_installed(client: Client) -> None:
    """Make sure that the kinds are served, which everybody may ask; raises OutsideError."""
    try:
        served = await client.request("GET", f"/apis/{GROUP}/{VERSION}")
    except ApiError as error:
        if not error.is_not_found:
            raise OutsideError(f"cannot see what is served: {error.message or error}") from None
        served = {"resources": ()}
    names = {resource["name"] for resource in served["resources"]}
    missing = [str(kind) for kind in kinds.KUEUE_KINDS if kind.plural not in names]
    if missing:
        raise OutsideError(
            f"the server does not know {', '.join(missing)}; run with --install, or apply `kueue-reference manifests`"
        )
