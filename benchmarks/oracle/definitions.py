"""Kueue's definitions: how long until each of their kinds is served, from the first POST, and once more after
they were deleted.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from time import perf_counter

from reference_impl.api.crds import definitions

from ..figure import Figure
from ..objects import Json
from .client import Client

PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the milliseconds of both times, and take the definitions away again."""
    manifests = definitions("v0.19")
    for name in ("Kueue's definitions served", "Kueue's definitions served again"):
        yield Figure(name, (await _milliseconds(client, manifests),), "ms")
        for manifest in manifests:
            await client.ask("DELETE", f"{PATH}/{manifest['metadata']['name']}")
        for manifest in manifests:
            await _await_removal(client, f"{PATH}/{manifest['metadata']['name']}")


async def _milliseconds(client: Client, manifests: Sequence[Json]) -> float:
    began = perf_counter()
    for manifest in manifests:
        await client.ask("POST", PATH, manifest)
    for manifest in manifests:
        await _await_served(client, manifest["spec"])
    return (perf_counter() - began) * 1000


async def _await_served(client: Client, spec: Json) -> None:
    version = next(version_row["name"] for version_row in spec["versions"] if version_row["served"])
    while True:
        try:
            await client.ask("GET", f"/apis/{spec['group']}/{version}/{spec['names']['plural']}")
        except RuntimeError:
            continue
        return


async def _await_removal(client: Client, path: str) -> None:
    while True:
        try:
            await client.ask("GET", path)
        except RuntimeError:
            return
