"""`external:`: somebody starts the subject by hand, with the kubeconfig and the addresses that are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UsageError
from . import SubjectContext
from .unseen import Unseen

if TYPE_CHECKING:
    from ..backends import Cluster


class External:
    """Starts nothing."""

    alone = True
    needs: tuple[str, ...] = ()
    on_the_loop = False

    def __init__(self, rest: str) -> None:
        if rest:
            raise UsageError(
                f"subject 'external:{rest}' has something after the colon",
                hint="write external: and start your controller yourself, with the kubeconfig that is printed",
            )

    def start(self, context: SubjectContext, cluster: Cluster) -> Elsewhere:
        """Return at once; whether it runs is seen when its check becomes active."""
        del cluster
        return Elsewhere(context)


class Elsewhere(Unseen):
    """A program that somebody else started, and will end."""

    def __init__(self, context: SubjectContext) -> None:
        self.context = context
