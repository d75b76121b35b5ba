"""One copy of the subject under an identity of its own:
it runs, has died, or was ended on purpose (harness/H-43, H-59).
"""

from __future__ import annotations

import re
from typing import Any

from ..backends.cluster import Cluster
from ..base.errors import SubjectDied
from . import Connector, SubjectContext
from .log import SHOWN, Line

BY_HAND = "run it by hand to see why: `kueue-conformance smoke --keep` leaves a cluster for it and prints its command"

PORT_IN_USE = "a port that it listens on is taken, by another worker's copy perhaps: give each copy its own by `${port}` in the subject file, or run one process: -n 0"
_IN_USE = re.compile(r"address (is )?already in use|EADDRINUSE", re.IGNORECASE)
"""What programs in Go, Python, Java and Node print, and the name of the error."""


class Replica:
    """Started when it is made. Raises SubjectDied when that is not possible."""

    def __init__(self, connector: Connector, context: SubjectContext, cluster: Cluster, number: int) -> None:
        self.number = number
        self.context = context
        self.up = True
        """Whether it should run."""
        self.handle: Any = connector.start(context, cluster)

    def check_alive(self) -> None:
        """Raise SubjectDied, with the newest lines of its log, when it has ended by itself."""
        # An end that the scenario ordered is no death.
        ended = self.handle.exit_reason() if self.up else ""
        if ended:
            raise SubjectDied(f"the subject died: {ended}{self.tail()}", hint=self._hint())

    def log(self) -> list[Line]:
        """Return the lines that it printed."""
        lines: list[Line] = self.handle.log()
        return lines

    def tail(self) -> str:
        """Return the newest lines of its log as lines of a failure."""
        lines = self.log()[-SHOWN:]
        return "".join(f"\n  log  {line}" for line in lines) or "\n  log  it printed nothing"

    def _hint(self) -> str:
        """Return what is done about its death."""
        # A port that is written in a program is free in smoke, and taken where workers run beside each other.
        return PORT_IN_USE if any(_IN_USE.search(str(line)) for line in self.log()) else BY_HAND

    def dies(self, cluster: Cluster) -> None:
        """Cut it off from the cluster and kill it, so that its last requests have no effect."""
        self.up = False
        # First cut off, then killed: requests on the way must not arrive after the crash.
        cluster.cut_off(self.number)
        self.handle.kill()

    def stops(self, seconds: float) -> bool:
        """Ask it to end, and end it by force after so many seconds; tells whether it went by itself."""
        self.up = False
        politely: bool = self.handle.stop(seconds)
        return politely
