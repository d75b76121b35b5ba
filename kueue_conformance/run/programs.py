"""The programs of one case: its control plane, and the autoscaler that is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from ..autoscalers.cloud import Cloud, CloudCall
from ..control_planes import HasDirectAccess, RunningControlPlane
from ..wire.raw_client import Headers, RawAnswer, RawRequest, SentRequests


@dataclass(eq=False)
class CaseAutoscaler:
    """The autoscaler of one case: started by the scenario, with a cloud if the scenario uses one."""

    begin: Callable[[Cloud | None, Mapping[str, str]], RunningControlPlane]
    make_cloud: Callable[[], Cloud]
    running: RunningControlPlane | None = None
    running_cloud: Cloud | None = None

    @property
    def cloud(self) -> Cloud:
        """The cloud behind it. Raises UsageError where there can be none."""
        if self.running_cloud is None:
            # Made at the first use: a scenario without node groups asks for none.
            self.running_cloud = self.make_cloud()
        return self.running_cloud

    @property
    def calls(self) -> Sequence[CloudCall]:
        """Its calls to its cloud."""
        return self.running_cloud.calls() if self.running_cloud is not None else ()

    def start(self, flags: Mapping[str, str]) -> None:
        """Start it with these flags."""
        # The cloud of now: one that the scenario asks for after the start is not seen by this
        # autoscaler.
        self.running = self.begin(self.running_cloud, flags)

    def stop(self) -> None:
        """End it, if it works."""
        if self.running is not None:
            self.running.stop()
            self.running = None

    def close(self) -> None:
        """End it and its cloud."""
        # The autoscaler goes before its cloud: its last calls would fail without one.
        self.stop()
        if self.running_cloud is not None:
            self.running_cloud.close()

    def exit_reason(self) -> str:
        """Tell what of it has ended by itself; empty while it works, or where that is not seen."""
        return self.running.exit_reason() if self.running is not None else ""


@dataclass(eq=False)
class CaseControlPlane:
    """The control plane of one case; none where all cases share one."""

    begin: Callable[[], RunningControlPlane] | None
    shared: Callable[[], RunningControlPlane | None] = lambda: None
    """Returns the shared control plane, where this process started it: another one after an upgrade."""
    running: RunningControlPlane | None = None
    begin_replica: Callable[[], RunningControlPlane] | None = None
    replica: RunningControlPlane | None = None
    """A second one beside it, which leads when it has ended."""

    def start(self) -> None:
        """Start it."""
        if self.begin is not None:
            self.running = self.begin()

    def start_replica(self) -> None:
        """Start a second one; for cases that need `REPLICAS`."""
        if self.begin_replica is not None:
            self.replica = self.begin_replica()

    def stop_leader(self) -> None:
        """End the one that was started first, and keep the second one."""
        replica, self.replica = self.replica, None
        self.stop()
        self.running = replica

    def stop(self) -> None:
        """End all of it."""
        for running in (self.replica, self.running):
            if running is not None:
                running.stop()
        self.running = self.replica = None

    def exit_reason(self) -> str:
        """Tell what of it has ended by itself; empty while it works, or where that is not seen."""
        # The case's own one goes first; the shared one may have died in an earlier case and still
        # explains this one.
        playing = self.running or self.shared()
        return playing.exit_reason() if playing is not None else ""

    def restart(self) -> None:
        """End it and start it anew."""
        with self.pause():
            pass

    @contextmanager
    def pause(self) -> Iterator[None]:
        """End it, and start it anew afterwards."""
        self.stop()
        # Not in a `finally`: where the case has failed in the pause, the control plane is not
        # started for nothing.
        yield
        self.start()

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request to its visibility server directly; for cases that need `DIRECT`."""
        # `DIRECT` is in the needs of the case, so the feature check has already refused others.
        return cast("HasDirectAccess", self.running).ask(method, target, headers, body)

    def send(self, requests: Sequence[RawRequest]) -> SentRequests:
        """Send several requests to it at one moment."""
        return cast("HasDirectAccess", self.running).send(requests)
