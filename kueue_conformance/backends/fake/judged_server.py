"""The fake API server as the subject of profile API-SERVER."""

from __future__ import annotations

from collections.abc import Iterable

from fakecluster import controllers
from fakecluster.api.outcome import User
from fakecluster.cluster.fake_cluster import FakeCluster

from ...wire.endpoint import TOKEN, USERS, Endpoint


def controllers_of_a_manager() -> tuple[str, ...]:
    """Return the controllers that stand for kube-controller-manager: all but scheduler and kubelets."""
    # kube-controller-manager runs neither scheduler nor kubelets: its Pods stay Pending.
    return tuple(name for name in controllers.chosen("all") if name != "pods")


class JudgedServer:
    """A cluster whose API server is judged, started on first use.

    controllers: names of the controllers that run in it, or `none`.
    """

    def __init__(self, controllers: Iterable[str] | str = "none") -> None:
        self._controllers = controllers
        self._cluster: FakeCluster | None = None

    def endpoint(self) -> Endpoint:
        """Return the server's address and users."""
        if self._cluster is None:
            tokens = {
                TOKEN.format(name): User(name=name, groups=groups, uid=name) for name, groups in USERS.items()
            }
            self._cluster = FakeCluster(
                clock="wall",
                authorization="rbac",
                controllers=self._controllers,
                tls=False,
                tokens=tokens,
                patience=0,
            ).start()
        return Endpoint.by_token(self._cluster.url, {name: TOKEN.format(name) for name in USERS})

    def close(self) -> None:
        """Stop it."""
        if self._cluster is not None:
            self._cluster.stop()
        self._cluster = None
