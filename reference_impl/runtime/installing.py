"""Makes objects in a cluster, and waits until it serves the kinds that definitions among them declare."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from ..api.kinds import CRDS
from ..api.resource import Json, Resource
from .client import Client
from .clock import Clock, pause
from .errors import ApiError, OutsideError
from .informer import Informer
from .log import Logger

ESTABLISH_SECONDS = 60.0
SERVED_POLL_SECONDS = 0.1


async def apply(client: Client, resource: Resource, obj: Json, *, manager: str) -> None:
    """Make or update an object. Raises OutsideError."""
    try:
        await client.apply(resource, obj, manager=manager)
    except ApiError as error:
        description = f"{resource.kind} {obj['metadata']['name']}"
        reason = error.message or error
        raise OutsideError(
            f"cannot install {description}: {reason}; --install needs an administrator"
        ) from None


async def is_of_others(client: Client, definition: Json) -> bool:
    """Tell whether the cluster has a definition of this name that does not carry its labels."""
    metadata = definition["metadata"]
    existing = (await client.list(CRDS, fieldSelector=f"metadata.name={metadata['name']}")).get("items") or ()
    return any(
        metadata["labels"].items().isdisjoint((definition["metadata"].get("labels") or {}).items())
        for definition in existing
    )


async def wait_until_established(
    client: Client, clock: Clock, log: Logger, definitions: Sequence[Json]
) -> None:
    """Wait until the server has taken every definition in. Raises OutsideError."""
    missing = {definition["metadata"]["name"] for definition in definitions}
    all_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look(_old: Json | None, new: Json | None) -> None:
        if new is None or new["metadata"]["name"] not in missing or not _is_established(new):
            return
        missing.discard(new["metadata"]["name"])
        if not missing and not all_in.done():
            all_in.set_result(None)

    informer = Informer(client, CRDS, clock, log, random=random.Random(0))  # noqa: S311 jitter, no secret
    informer.add_handler(look)
    following = asyncio.create_task(informer.run())
    try:
        await asyncio.wait_for(all_in, ESTABLISH_SECONDS)
    except TimeoutError:
        names = ", ".join(sorted(missing))
        raise OutsideError(f"not established after {ESTABLISH_SECONDS:.0f} s: {names}") from None
    finally:
        # The informer is for this wait alone.
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def wait_until_served(client: Client, clock: Clock, resource: Resource) -> None:
    """Wait until a kind answers: a real server begins to a moment after it says that it is established.

    Raises OutsideError.
    """
    while not await answers(client, resource):
        # Established says that the names are taken; the handlers come a moment later.
        await pause(clock, SERVED_POLL_SECONDS)


async def answers(client: Client, resource: Resource) -> bool:
    """Tell whether the server serves a kind. Raises OutsideError."""
    try:
        await client.list(resource, limit="1")
    except ApiError as error:
        if error.is_not_found:
            return False
        raise OutsideError(f"cannot list {resource}: {error.message or error}") from None
    return True


def _is_established(crd: Json) -> bool:
    conditions = (crd.get("status") or {}).get("conditions") or ()
    return any(
        condition["type"] == "Established" and condition["status"] == "True" for condition in conditions
    )
