"""What conditions of webhooks may ask about access, and who is asked (FK-303)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..api.outcome import User
from ..schema.cel import authorizing
from .reviews import user_info

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody may or may not do: a verb on a resource, or on a path when `path` is set."""

    user: User
    verb: str
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""


Decide = Callable[[Wish], tuple[bool, str]]
"""Whether a wish is allowed, and why."""


def authorizer(user: User, **asked: str) -> Json:
    """Return the value of `authorizer` for a user; `asked` is what `requestResource` has settled already."""
    return {"user": user_info(user), **asked}


def asking(decide: Decide) -> authorizing.Decide:
    """Return how rules ask."""
    return lambda asked: decide(_wish(asked))


def _wish(asked: Mapping[str, Json]) -> Wish:
    who = asked["user"]
    extra = {key: tuple(values) for key, values in (who.get("extra") or {}).items()}
    user = User(
        name=who.get("username", ""),
        groups=tuple(who.get("groups") or ()),
        uid=who.get("uid", ""),
        extra=extra,
    )
    said = {name: asked[name] for name in authorizing.ASKED if name in asked}
    return Wish(user=user, verb=asked["verb"], **said)
