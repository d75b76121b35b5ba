"""Failures of docker and kind: what each means and what to do, as a table that is searched from the top."""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Pattern

from ...base.errors import EnvironmentProblem
from ...programs.remedies import remedy

# The last lines: docker and kind print the reason after a long trace.
_SHOWN = 12
"""The most lines of a program's output that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFailure:
    """A pattern in a program's output, its meaning, and what to do."""

    sign: Pattern[str]
    problem: str
    todo: str


def _failure(sign: str, problem: str, todo: str) -> KnownFailure:
    return KnownFailure(sign=re.compile(sign, re.IGNORECASE), problem=problem, todo=todo)


NO_DAEMON = remedy("docker")
NO_ROOM = "make room: `docker system df` shows what takes it, `docker system prune` deletes what is unused"
# Searched from the top: a specific sign stands before a general one that the same output also
# has.
KNOWN = (
    _failure(
        r"permission denied.*docker",
        "this user may not talk to Docker's daemon",
        "add the user to the group `docker` and log in again, or run this as root",
    ),
    _failure(
        r"cannot connect to the docker daemon|is the docker daemon running|error during connect|no such host.*docker",
        "no Docker daemon answers",
        NO_DAEMON,
    ),
    _failure(
        r"no space left on device|disk quota exceeded", "the disk that Docker writes to is full", NO_ROOM
    ),
    _failure(
        r"unable to apply caps: operation not permitted",
        "Docker may not start privileged containers: root lacks a capability here",
        remedy("privileged docker"),
    ),
    _failure(
        r"already exist for a cluster with the name",
        "a cluster of this name is there already",
        "`kueue-conformance cleanup` removes those that runs have left, `kind delete cluster --name NAME` any other",
    ),
    _failure(
        r"pull access denied|manifest unknown|repository does not exist|failed to resolve reference|no such image|manifest for .* not found",
        "the node image cannot be had",
        remedy("another node image"),
    ),
    _failure(
        r"port is already allocated|address already in use",
        "a port that the cluster wants is taken",
        "end who has it, or let --kind-config choose another port",
    ),
    _failure(
        r"not run on a host using cgroup v1",
        "the kubelet of this node image refuses a machine with cgroup v1",
        remedy("node image for cgroup v1"),
    ),
    _failure(
        r"could not find a log line that matches",
        "the node did not start",
        "look at the log of its container, which is kept beside the report",
    ),
)


def explain_failure(program: str, output: str) -> EnvironmentProblem:
    """Return the error for a failed program's output."""
    failure = next((candidate for candidate in KNOWN if candidate.sign.search(output)), None)
    shown = tail(output) or "it printed nothing"
    if failure is None:
        return EnvironmentProblem(f"`{program}` failed", hint=f"it printed:\n{shown}")
    return EnvironmentProblem(failure.problem, hint=f"{failure.todo}\n  `{program}` printed:\n{shown}")


def tail(output: str, lines: int = _SHOWN) -> str:
    """Return the last lines, indented."""
    return "\n".join(f"    {line.rstrip()}" for line in output.strip().splitlines()[-lines:])
