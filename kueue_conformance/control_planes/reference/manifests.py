"""What a cluster needs to run the reference inside, or to be followed by one in this process."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...dialect import Dialect

AGENT = "kueue-conformance"


def bundle(dialect: Dialect) -> list[Any]:
    """Return everything that a cluster needs to run the reference inside."""
    from reference_impl.deployment.bundle import bundle
    from reference_impl.deployment.site import Site

    return list(bundle(Site(dialect=dialect.name)))


def definitions(dialect: Dialect) -> list[Any]:
    """Return Kueue's definitions and webhook configurations of a dialect, called behind the Service of a deployed Kueue."""
    return [one for one in bundle(dialect) if one["kind"] == "CustomResourceDefinition" or "webhooks" in one]


def image() -> str:
    """Return the name of the reference's image, as `make image` makes it."""
    from reference_impl.deployment.site import IMAGE

    return IMAGE


async def install(path: str, dialect: str, webhooks: Any, converter: Any = None) -> None:
    """Install in real time: nothing is there yet that could make virtual time pass."""
    from reference_impl.install import install
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.client import Client
    from reference_impl.runtime.clock import WallClock
    from reference_impl.runtime.log import Logger

    client, clock = Client(kubeconfig.load(Path(path)), user_agent=AGENT), WallClock()
    try:
        await install(
            client, clock, Logger(clock=clock, level="warning"), dialect=dialect, namespace="kueue-system",
            webhooks=webhooks, converter=converter,
        )  # fmt: skip
    finally:
        await client.close()


async def register_objects(path: str, objects: Iterable[Any]) -> None:
    """Have the API server pass on what belongs to the visibility server."""
    from reference_impl.install import register
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.client import Client

    client = Client(kubeconfig.load(Path(path)), user_agent=AGENT)
    try:
        await register(client, objects)
    finally:
        await client.close()
