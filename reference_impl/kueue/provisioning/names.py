"""Names of requests and of their PodTemplates (PA-045…053)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 247
HASH_LENGTH: Final = 5
LARGEST: Final = 2**63 - 1
FIRST: Final = 1
DIGITS: Final = 20
"""More than any attempt has."""
ENDING: Final = re.compile(r"[0-9]+")


def limit(name: str) -> str:
    """Cut a name that is too long and end it with a hash of all of it (PA-047)."""
    if len(name) <= LONGEST:
        return name
    return f"{name[:LONGEST]}-{_hash(name)}"


def _hash(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:HASH_LENGTH]


def template(request: str, pod_set: str) -> str:
    """Return the name of the PodTemplate of one podSet (PA-046)."""
    return limit(f"ppt-{request}-{pod_set}")


@dataclass(frozen=True, slots=True)
class Naming:
    """How requests are named, and recognised by their names."""

    prefix: Callable[[str, str], str]
    """Of Workload and check: what the number of the attempt follows."""
    request: Callable[[str, str, int], str]
    template: Callable[[str, str], str] = template
    """Of request and podSet."""

    def attempt(self, name: str, workload: str, check: str) -> int | None:
        """Return the attempt of a request, None for a name of another pair;
        a number beyond all counts as 1 (PA-049).
        """
        prefix = self.prefix(workload, check)
        rest = name[len(prefix) :] if name.startswith(prefix) else ""
        if not ENDING.fullmatch(rest):
            return None
        number = int(rest)
        return number if number <= LARGEST else FIRST


def _prefix(workload: str, check: str) -> str:
    return limit(f"{workload}-{check}-")


def _request(workload: str, check: str, attempt: int) -> str:
    return limit(f"{workload}-{check}-{attempt}")


def _stable_prefix(workload: str, check: str) -> str:
    """Cut what all attempts share, so that the number is always seen; a cut never ends in a dot."""
    full_name = f"{workload}-{check}"
    if len(full_name) <= LONGEST - DIGITS:
        return f"{full_name}-"
    prefix = full_name[: LONGEST - DIGITS].rstrip("-.")
    return f"{prefix}-{_hash(full_name)}-"


def _number(workload: str, check: str, attempt: int) -> str:
    return f"{_stable_prefix(workload, check)}{attempt}"


CUT_AT_THE_END: Final = Naming(_prefix, _request)
"""As released: a name that is too long loses its number (PA-051)."""
CUT_BEFORE_THE_NUMBER: Final = Naming(_stable_prefix, _number)
"""The same with long names that can be recognised (PA-051, PC-22, fixed)."""
