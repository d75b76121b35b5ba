"""What conditions of webhooks may ask about access, and who is asked (FK-303)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...api.attributes import Attributes
from ...api.outcome import User
from ...base.json_types import Json
from .reviews import user_info

if TYPE_CHECKING:
    from ...schema.cel.library import authorizer as authorizing

Decide = Callable[[Attributes], tuple[bool, str]]
"""Whether a wish is allowed, and why."""


def authorizer(user: User, **asked: str) -> Json:
    """Return the value of `authorizer` for a user; `asked` is what `requestResource` has settled already."""
    return {"user": user_info(user), **asked}


def asking(decide: Decide) -> authorizing.Decide:
    """Return how rules ask."""
    return lambda asked: decide(_wish(asked))


def _wish(asked: Mapping[str, Json]) -> Attributes:
    from ...schema.cel.library import authorizer as authorizing  # few conditions ask

    who = asked["user"]
    extra = {key: tuple(values) for key, values in (who.get("extra") or {}).items()}
    user = User(
        name=who.get("username", ""),
        groups=tuple(who.get("groups") or ()),
        uid=who.get("uid", ""),
        extra=extra,
    )
    said = {name: asked[name] for name in authorizing.ASKED if name in asked}
    return Attributes(user=user, verb=asked["verb"], **said)
