"""The scale subresource (FK-278, FK-503)."""

from __future__ import annotations

from . import status
from .action import Action
from .outcome import Outcome


def get(action: Action) -> Outcome:
    """Return the Scale of an object."""
    raise status.no_route()


def update(action: Action) -> Outcome:
    """Replace the Scale of an object."""
    raise status.no_route()


def patch(action: Action) -> Outcome:
    """Change the Scale of an object."""
    raise status.no_route()
