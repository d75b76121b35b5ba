"""The API server of a run. A backend lends a cluster to each case; suites do not know which backend it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.cluster_options import ClusterOptions
from ..base.errors import UsageError
from ..wire.client import Client
from ..wire.transport import connect as reach
from .assets import find
from .backend import Backend

KINDS = ("fake", "envtest", "kind", "kubeconfig")
_NOTHING = ClusterOptions()


def connect(
    text: str,
    *,
    foreign: bool = False,
    rights: Sequence[Any] | None = None,
    joined: str = "",
    allow_imitation: bool = False,
    cluster_options: ClusterOptions = _NOTHING,
    delay_seed: int | None = None,
    tell: Callable[[str], None] = print,
) -> Backend:
    """Return the backend for a connection text such as `fake` or `kubeconfig:PATH@context`.

    Raises ConformanceError.

    `rights` are the subject's RBAC rules on a cluster that the harness makes, None without a subject; a
    `foreign` subject lives in real time. `joined` is the `handle` of the backend of the process that leads
    the run. `allow_imitation` lets backend envtest take programs that are not the real ones. Backend kind
    makes the cluster that is `cluster_options`, and tells what it is doing. `delay_seed` delays what the
    watches of the story deliver; on the fake backend it delays what its journal tells.
    """
    kind, _, rest = text.partition(":")
    if kind == "fake":
        # Each backend is imported where it is chosen: the fake server and the official client
        # cost every command that needs neither.
        from .fake import FakeBackend, WallFakeBackend

        return WallFakeBackend(rights, tell, delay_seed) if foreign else FakeBackend(rights, delay_seed)
    if kind == "kubeconfig" and rest:
        from .kubeconfig import KubeconfigBackend

        # The first @ ends the path: a context of kubeconfig may have more of them, as
        # user@cluster has.
        path, _, context = rest.partition("@")
        return KubeconfigBackend(path, context, tell=tell, delay_seed=delay_seed)
    if kind == "envtest":
        from .envtest import EnvtestBackend

        return EnvtestBackend(joined, allow_imitation=allow_imitation, delay_seed=delay_seed)
    if kind == "kind":
        from .kind import KindBackend

        return KindBackend(cluster_options, joined, tell, delay_seed)
    raise UsageError(
        f"backend {text!r} is incomplete", hint="write fake, envtest, kind, or kubeconfig:PATH[@context]"
    )


def look(text: str, *, allow_imitation: bool = False, cluster_options: ClusterOptions = _NOTHING) -> None:
    """Raise ConformanceError when a backend cannot be used: no kubeconfig, server, programs or Docker."""
    kind, colon, rest = text.partition(":")
    if kind == "kubeconfig" and not rest:
        raise UsageError(
            f"backend {text!r} names no kubeconfig",
            hint="write kubeconfig:PATH[@context], such as kubeconfig:cluster.yaml",
        )
    if kind != "kubeconfig" and colon:
        raise UsageError(f"backend {text!r} is unknown: {kind} takes no further word", hint=f"write {kind}")
    if kind == "envtest":
        find(allow_imitation=allow_imitation)
    if kind == "kind":
        from . import kind as clusters

        clusters.look(cluster_options)
    if kind == "kubeconfig":
        path, _, context = rest.partition("@")
        # /version is open to every authenticated user (system:public-info-viewer), so a right
        # that is lacking is not reported here.
        Client(reach(path, context), agent="kueue-conformance").call("GET", "/version")
