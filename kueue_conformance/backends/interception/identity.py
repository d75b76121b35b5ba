"""The user that the judged controller is, so that its requests are told from all others (harness/H-47)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

SUBJECT_USER = "kueue-conformance:subject"
EVERY_REPLICA = f"{SUBJECT_USER}*"
"""The pattern that fits the user of each of its replicas."""


def identity(write: Callable[[Path, str], object], folder: Path, replica: int) -> str:
    """Have `write` make a kubeconfig for the user of a replica and return its path; each replica is a user of its own."""
    user = user_of(replica)
    file = folder / f"{user.rpartition(':')[2]}.kubeconfig"
    write(file, user)
    return str(file)


def user_of(replica: int) -> str:
    """Return the user that a replica is."""
    return SUBJECT_USER if replica == 1 else f"{SUBJECT_USER}-{replica}"


def is_subject(user: str) -> bool:
    """Tell whether a user is one of the subject's replicas."""
    return user == SUBJECT_USER or user.startswith(f"{SUBJECT_USER}-")
