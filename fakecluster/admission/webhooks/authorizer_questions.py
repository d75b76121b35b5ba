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


def authorizer(user: User, **attributes: str) -> Json:
    """Return the value of `authorizer` for a user; `asked` is what `requestResource` has settled already."""
    return {"user": user_info(user), **attributes}


def asking(decide: Decide) -> authorizing.Decide:
    """Return how rules ask."""
    return lambda question: decide(_wish(question))


def _wish(question: Mapping[str, Json]) -> Attributes:
    from ...schema.cel.library import authorizer as authorizing  # few conditions ask

    user_fields = question["user"]
    extra = {key: tuple(values) for key, values in (user_fields.get("extra") or {}).items()}
    user = User(
        name=user_fields.get("username", ""),
        groups=tuple(user_fields.get("groups") or ()),
        uid=user_fields.get("uid", ""),
        extra=extra,
    )
    attributes = {name: question[name] for name in authorizing.CHECK_FIELDS if name in question}
    return Attributes(user=user, verb=question["verb"], **attributes)
