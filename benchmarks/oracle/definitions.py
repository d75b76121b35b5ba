"""Kueue's definitions: how long until each of their kinds is served, from the first POST, and once more after
they were deleted.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from time import perf_counter
from typing import Any

from reference_impl.api.crds import definitions

from ..figure import Figure
from .client import Client

Json = Any
PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


async def figures(client: Client) -> AsyncIterator[Figure]:
    """Yield the milliseconds of both times, and take the definitions away again."""
    made = definitions("v0.19")
    for name in ("Kueue's definitions served", "Kueue's definitions served again"):
        yield Figure(name, (await _milliseconds(client, made),), "ms")
        for one in made:
            await client.ask("DELETE", f"{PATH}/{one['metadata']['name']}")
        for one in made:
            await _gone(client, f"{PATH}/{one['metadata']['name']}")


async def _milliseconds(client: Client, made: Sequence[Json]) -> float:
    began = perf_counter()
    for one in made:
        await client.ask("POST", PATH, one)
    for one in made:
        await _served(client, one["spec"])
    return (perf_counter() - began) * 1000


async def _served(client: Client, spec: Json) -> None:
    version = next(one["name"] for one in spec["versions"] if one["served"])
    while True:
        try:
            await client.ask("GET", f"/apis/{spec['group']}/{version}/{spec['names']['plural']}")
        except RuntimeError:
            continue
        return


async def _gone(client: Client, path: str) -> None:
    while True:
        try:
            await client.ask("GET", path)
        except RuntimeError:
            return
