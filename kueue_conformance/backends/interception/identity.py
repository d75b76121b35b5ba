"""The user name of the judged controller, which tells its requests from all others (harness/H-47)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

SUBJECT_USER = "kueue-conformance:subject"
EVERY_REPLICA = f"{SUBJECT_USER}*"
"""The pattern that fits the user of each of its replicas."""


def identity(write: Callable[[Path, str], object], folder: Path, replica: int) -> str:
    """Write a kubeconfig for the user of a replica by `write`
    and return its path; each replica has its own user.
    """
    # A user of its own for each replica: `cut_off` refuses a crashed one and spares its
    # successor.
    user = user_of(replica)
    file = folder / f"{user.rpartition(':')[2]}.kubeconfig"
    write(file, user)
    return str(file)


def user_of(replica: int) -> str:
    """Return the user name of a replica."""
    # The first replica has the bare name, since most subjects have no other.
    return SUBJECT_USER if replica == 1 else f"{SUBJECT_USER}-{replica}"


def is_subject(user: str) -> bool:
    """Tell whether a user is one of the subject's replicas."""
    return user == SUBJECT_USER or user.startswith(f"{SUBJECT_USER}-")
