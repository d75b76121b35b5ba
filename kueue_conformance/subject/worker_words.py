"""The places `${worker}` and `${port}` of a subject file and of the manifests that it names.

The workers of a run share this machine: each has a copy of the subject, and with these places a port and an
outside system of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from ..base.json_types import Json
from .placeholders import placeholders_in, replace_words

WORKER, PORT = "worker", "port"


def fill_worker_words(document: Json) -> Json:
    """Return a document with `${worker}` and `${port}` filled in: the name of this worker, such as `gw0`, and
    a port that is free here.
    """
    mentioned = placeholders_in(document)
    words = {name: value() for name, value in _WORDS.items() if name in mentioned}
    return replace_words(document, words) if words else document


def _worker() -> str:
    # pytest-xdist names its workers; a run in one process has the name of the first.
    return os.environ.get("PYTEST_XDIST_WORKER", "gw0")


@cache
def _port() -> str:
    """Return one port for all places of this process: what listens there is what is asked there."""
    from ..wire.ports import free_ports  # only where a file mentions a port

    return str(free_ports(1)[0])


_WORDS: Mapping[str, Callable[[], str]] = MappingProxyType({WORKER: _worker, PORT: _port})
