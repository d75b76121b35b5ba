"""The front of one worker before a real cluster: started when a subject first asks for an identity, stopped
with the backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream, UpstreamError

from ...base.errors import UsageError
from ...history.story import Change, Request
from .faults import SubjectFaults
from .identity import identity, user_of
from .requests import Requests
from .writes import Writes

LOOPBACK = "127.0.0.1"
_SETTLE_SECONDS = 2.0


class SubjectFront:
    """Passes the subject's requests to a foreign cluster on; empty before it is started.

    It listens on loopback; for a subject in pods on `host_address`, by which pods reach this machine.
    """

    def __init__(self, kubeconfig: str, context: str, host_address: str = "") -> None:
        self._kubeconfig = kubeconfig
        self._context = context
        self._host_address = host_address
        self._front: Front | None = None
        self._requests: Requests | None = None
        self._writes: Writes | None = None

    @property
    def started(self) -> bool:
        """Whether a subject's requests pass through it."""
        return self._front is not None

    def identity(self, folder: Path, replica: int, account: str = "") -> str:
        """Write a kubeconfig for a replica of the subject and return its path. Raises UsageError.

        A replica in pods asks in the name of its service account;
        where they do not reach us, they go to the server itself.
        """
        if account and self._host_address in {"", LOOPBACK}:
            return self._kubeconfig
        front = self._standing(self._host_address if account else LOOPBACK)
        if account:
            front.impersonate(user_of(replica), account)
        return identity(front.kubeconfig, folder, replica)

    def requests(self) -> Sequence[Request]:
        """Return every request of the subject so far."""
        self.settle()
        return self._requests.all() if self._requests else ()

    def settle(self) -> None:
        """Wait until the journal has the subject's writes so far: other clients may see a write before its
        answer arrives here.
        """
        if self._front is not None:
            self._front.wait_for_writes(_SETTLE_SECONDS)

    def attributed(self, change: Change) -> Change:
        """Return a change with the subject as its author when an answer to one of its writes says so, before
        the subject sees the change.
        """
        if self._front is None or self._writes is None:
            return change
        shown = self._front.revisions.by(change.revision)
        seen = self._writes.attributed(change)
        return seen if shown is None or seen.at <= shown else replace(seen, at=shown)

    def faults(self) -> SubjectFaults | None:
        """Return the faults of one case, None where no subject's requests pass through."""
        return SubjectFaults(self._front) if self._front else None

    def restart(self, pause: float) -> None:
        """Cut every connection and accept new ones after `seconds`."""
        if self._front is not None:
            self._front.restart(pause)

    def close(self) -> None:
        """End it."""
        if self._front is not None:
            self._front.stop()
            self._front = None

    def _standing(self, host: str) -> Front:
        if self._front is None:
            try:
                front = Front(Upstream.of_kubeconfig(Path(self._kubeconfig), self._context), host=host)
            except (OSError, UpstreamError) as problem:
                raise UsageError(
                    f"the kubeconfig {self._kubeconfig!r} cannot be used: {problem}",
                    hint="check the path and the context",
                ) from problem
            self._requests, self._writes = Requests(front.journal), Writes(front.journal)
            self._front = front.start()
        return self._front
