"""Reads the metrics of a control plane: in this process, or from a given address."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from typing import cast

from ..base.errors import EnvironmentProblem
from . import HasMetrics, RunningControlPlane

TIMEOUT_SECONDS = 10.0


def read_from(address: str, running: Callable[[], RunningControlPlane | None]) -> Callable[[], str]:
    """Return a function that reads the metrics:
    from an address if given, else from the control plane in this process.
    """
    return (lambda: _fetch(address)) if address else (lambda: cast("HasMetrics", running()).exposition())


def _fetch(address: str) -> str:
    """Return the answer of an address. Raises EnvironmentProblem."""
    try:
        # The address is the user's own.
        with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            return str(answer.read().decode())
    except (OSError, urllib.error.URLError, ValueError) as problem:
        raise EnvironmentProblem(
            f"the metrics of the control plane cannot be read from {address!r}: {problem}",
            hint="is it the address of /metrics, and reachable from here? kubectl port-forward provides one",
        ) from problem
