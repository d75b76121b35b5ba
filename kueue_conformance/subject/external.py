"""`external:`: the user starts the subject by hand,
with the kubeconfig and the addresses that are printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.errors import UsageError
from . import SubjectContext
from .log import Line

if TYPE_CHECKING:
    from ..backends.cluster import Cluster


class ExternalSubject:
    """Starts nothing."""

    # Two workers would both ask the user to start it, at the same time.
    alone = True
    account = ""
    needs: tuple[str, ...] = ()
    on_the_loop = False

    def __init__(self, rest: str) -> None:
        if rest:
            raise UsageError(
                f"subject 'external:{rest}' has text after the colon",
                hint="write external: and start your controller yourself, with the kubeconfig that is printed",
            )

    def look(self) -> None:
        """Do nothing: an external subject cannot be checked."""

    def start(self, context: SubjectContext, cluster: Cluster) -> ExternalProgram:
        """Return at once; whether it runs is seen when its check becomes active."""
        del cluster
        return ExternalProgram(context)


class ExternalProgram:
    """A program that the user starts and stops: its output and its end are not seen."""

    def __init__(self, context: SubjectContext) -> None:
        self.context = context

    def exit_reason(self) -> str:
        """Return "": its end is not seen."""
        return ""

    def log(self) -> list[Line]:
        """Return (): its output is not seen."""
        return []

    def stop(self, seconds: float) -> bool:
        """Do nothing: the user stops it."""
        del seconds
        return True

    def kill(self) -> None:
        """Do nothing: the user stops it."""
