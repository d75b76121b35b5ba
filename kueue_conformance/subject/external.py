"""`external:`: somebody starts the subject by hand, with the kubeconfig and the addresses that are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UsageError
from . import SubjectContext
from .log import Line

if TYPE_CHECKING:
    from ..backends import Cluster


class External:
    """Starts nothing."""

    alone = True
    account = ""
    needs: tuple[str, ...] = ()
    on_the_loop = False

    def __init__(self, rest: str) -> None:
        if rest:
            raise UsageError(
                f"subject 'external:{rest}' has something after the colon",
                hint="write external: and start your controller yourself, with the kubeconfig that is printed",
            )

    def look(self) -> None:
        """Nothing can be told before it is there."""

    def start(self, context: SubjectContext, cluster: Cluster) -> Elsewhere:
        """Return at once; whether it runs is seen when its check becomes active."""
        del cluster
        return Elsewhere(context)


class Elsewhere:
    """A program that somebody else started, and will end: nothing is known of what it prints, nor whether it still lives."""

    def __init__(self, context: SubjectContext) -> None:
        self.context = context

    def ended(self) -> str:
        """Return nothing: it cannot be known."""
        return ""

    def log(self) -> list[Line]:
        """Return nothing: it prints where we do not see it."""
        return []

    def stop(self, seconds: float) -> bool:
        """Leave it alone: whoever started it has to end it."""
        del seconds
        return True

    def kill(self) -> None:
        """Leave it alone, as above."""
