"""A shape: a name, where it is sent, and how a conversation of it is made."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ..conversation import Conversation, Site

API = frozenset({"serve", "front"})
EVERYWHERE = API | {"webhooks", "metrics", "visibility"}


@dataclass(frozen=True)
class Shape:
    """One way to be hostile."""

    name: str
    make: Callable[[Site, Random], Conversation]
    sites: frozenset[str] = API
    anonymous: bool = False
    """Whether the client has no credentials."""
