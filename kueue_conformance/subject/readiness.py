"""The readiness signs of a program: an address that answers, a line, a Lease that is held (harness §10.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from ..wire.client import ApiError, Client
from .start import Start

_SECONDS = 1.0


@runtime_checkable
class Talks(Protocol):
    """A program whose output can be searched."""

    def said(self, pattern: str) -> bool:
        """Tell whether a line that it printed matches a regular expression."""


def signs(start: Start, program: object, client: Client) -> Mapping[str, Callable[[], bool]]:
    """Return how to look for each sign that is wanted, by what a user calls it."""
    wanted: dict[str, Callable[[], bool]] = {}
    if start.ready_http:
        wanted[f"an answer at {start.ready_http}"] = lambda: _answers(start.ready_http)
    if start.ready_log and isinstance(program, Talks):
        wanted[f"a line like {start.ready_log!r}"] = lambda: program.said(start.ready_log)
    if start.ready_lease:
        wanted[f"a holder of Lease {start.ready_lease}"] = lambda: _is_held(client, start.ready_lease)
    return wanted


def _answers(url: str) -> bool:
    import urllib3

    try:
        return 200 <= urllib3.request("GET", url, retries=False, timeout=_SECONDS).status < 300
    except urllib3.exceptions.HTTPError:
        return False


def _is_held(client: Client, lease: str) -> bool:
    namespace, _, name = lease.partition("/")
    try:
        found = client.call("GET", f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}")
    except ApiError as error:
        if error.code != 404:
            raise
        return False
    return bool(found["spec"].get("holderIdentity"))
