"""Objects that a cluster needs to run the reference in pods, or in this process."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...scenarios.dialect import Dialect
from ...scenarios.feature_gates import gates_text

AGENT = "kueue-conformance"


def bundle(dialect: Dialect) -> list[Any]:
    """Return all objects that run the reference in pods."""
    # Imported on use: a run that judges a real Kueue does not load the reference.
    from reference_impl.kueue.deployment.bundle import bundle
    from reference_impl.kueue.deployment.site import Site

    return list(bundle(Site(dialect=dialect.name, feature_gates=gates_text(dialect.gates))))


def definitions(dialect: Dialect) -> list[Any]:
    """Return Kueue's CustomResourceDefinitions and webhook
    configurations of a dialect, for a deployed Kueue's Service.
    """
    return [
        manifest
        for manifest in bundle(dialect)
        if manifest["kind"] == "CustomResourceDefinition" or "webhooks" in manifest
    ]


def request_definitions() -> list[Any]:
    """Return the CustomResourceDefinition of ProvisioningRequests, as cluster-autoscaler has it."""
    from reference_impl.api.crds import definitions_for_requests

    return list(definitions_for_requests("ca"))


def image() -> str:
    """Return the name of the image that `make image` builds."""
    from reference_impl.kueue.deployment.site import IMAGE

    return IMAGE


async def install(
    path: str, dialect: str, webhooks: Any, converter: Any = None, *, alpha_apis: bool = False
) -> None:
    """Install in real time: no controller runs yet that could advance virtual time."""
    from reference_impl.kueue.install import install
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.client import Client
    from reference_impl.runtime.clock import WallClock
    from reference_impl.runtime.log import Logger

    client, clock = Client(kubeconfig.load(Path(path)), user_agent=AGENT), WallClock()
    try:
        await install(
            client,
            clock,
            Logger(clock=clock, level="warning"),
            dialect=dialect,
            namespace="kueue-system",
            webhooks=webhooks,
            converter=converter,
            alpha_apis=alpha_apis,
        )
    finally:
        await client.close()


async def register_objects(path: str, objects: Iterable[Any]) -> None:
    """Register the APIService of the visibility server."""
    from reference_impl.kueue.install import register
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.client import Client

    client = Client(kubeconfig.load(Path(path)), user_agent=AGENT)
    try:
        await register(client, objects)
    finally:
        await client.close()
