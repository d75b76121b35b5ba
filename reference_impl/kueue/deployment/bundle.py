"""Everything that a cluster needs, in an order in which it can be applied."""

from __future__ import annotations

from typing import Final

import yaml

from ...api.crds import alpha_definitions, convertible_definitions, definitions_for_requests
from ...api.known_releases import version_of
from ...api.resource import Json
from ..config import WEBHOOK_SERVICE
from ..defects import find
from ..visibility.registration import ServiceReference, api_services
from ..visibility.surface import ApiSurface
from ..webhooks.registration import CONVERT, WebhookEndpoint, configurations
from .identity import authorities_reader, namespace_and_account, roles
from .program import program
from .rights import CERTIFIED, CLUSTER_RIGHTS, LEADER_RIGHTS, SECRET_RIGHTS
from .services import services
from .site import Site
from .throttling import throttling
from .users import user_roles

DUMPER: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class PlainDumper(DUMPER):  # type: ignore[misc,valid-type]
    """Writes what occurs twice twice: not every reader of YAML follows anchors."""

    def ignore_aliases(self, _data: Json) -> bool:
        """Ignore all."""
        return True


def bundle(site: Site) -> tuple[Json, ...]:
    """Return the objects. The authority of the webhooks is not among them: the leader writes it into them."""
    visibility = find(site.dialect, defects=not site.without_defects).visibility
    limits = throttling(visibility) if site.visibility_apf else ()
    called = WebhookEndpoint(url="", namespace=site.namespace, service=WEBHOOK_SERVICE)
    rights = roles(
        site.namespace, cluster=(*CLUSTER_RIGHTS, *CERTIFIED), inside=(*LEADER_RIGHTS, *SECRET_RIGHTS)
    )
    return (
        *convertible_definitions(site.dialect, called.client(CONVERT)),
        *(alpha_definitions(site.dialect) if site.alpha_apis else ()),
        *(definitions_for_requests(site.requests_of) if site.requests_of else ()),
        *(
            obj
            for _, obj in (
                *namespace_and_account(site.namespace),
                *rights,
                authorities_reader(site.namespace),
            )
        ),
        *user_roles(visibility),
        *(obj for _, obj in limits),
        *services(site),
        *program(site),
        *api_services(
            ApiSurface.of(version_of(site.dialect)).versions, ServiceReference(namespace=site.namespace)
        ),
        *(obj for _, obj in configurations(called, version_of(site.dialect))),
    )


def text(site: Site) -> str:
    """Return the objects as a stream of YAML documents."""
    dumped = yaml.dump_all(bundle(site), Dumper=PlainDumper, sort_keys=False, explicit_start=True, width=110)
    return str(dumped)
