"""What a manager runs: the name and the lease of a program, how it reaches its API server, and its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..api.resource import Key
from .election import Election
from .kubeconfig import Connection
from .part import OptionalPart, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One program for one manager: parts are assembled once.

    `user_agent` names it to its API server. With `leader_election` its replicas share `lease` by the times of
    `election`. The addresses are HOST:PORT, empty for none. `seed` is for the jitter of its retries.
    """

    user_agent: str
    lease: Key
    connection: Connection
    components: Sequence[Part | OptionalPart]
    leader_election: bool = False
    election: Election = field(default_factory=Election)
    metrics_address: str = ""
    health_address: str = ""
    log_level: str = "warning"
    seed: int = 0
