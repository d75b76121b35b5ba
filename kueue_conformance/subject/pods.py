"""The pods of a subject in a cluster: what they print, what keeps them from running, and their end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..base.json_types import Json
from ..base.printable import printable
from ..programs.polling import becomes
from ..wire.client import ApiError, Client
from .log import Line

HOPELESS = frozenset(
    {
        "CrashLoopBackOff",
        "CreateContainerConfigError",
        "CreateContainerError",
        "ErrImageNeverPull",
        "ErrImagePull",
        "ImagePullBackOff",
        "InvalidImageName",
        "RunContainerError",
    }
)
"""Waiting reasons of containers that need a changed manifest or program."""
_KEPT = 5000
"""Newest lines of a container that are asked for."""


@dataclass(frozen=True, slots=True)
class Pods:
    """All pods with a label."""

    client: Client
    label: str

    def trouble(self) -> str:
        """Return why a pod does not run, empty where all run."""
        for pod in self._all():
            for container in pod.get("status", {}).get("containerStatuses", ()):
                waiting = container.get("state", {}).get("waiting") or {}
                # Other reasons, such as ContainerCreating, pass by themselves.
                if waiting.get("reason") in HOPELESS:
                    return f"pod {pod['metadata']['name']}: {waiting['reason']}: {waiting.get('message', '')}"
        return ""

    def log(self) -> list[Line]:
        """Return the newest lines that they printed, of a container that was restarted also those before."""
        return sorted((line for pod in self._all() for line in self._of(pod)), key=lambda line: line.at)

    def await_end(self, seconds: float) -> bool:
        """Wait until there is none, no longer than so many seconds; tells whether that is so."""
        return becomes(lambda: not self._all(), seconds)

    def end(self, seconds: float) -> None:
        """Delete the pods with a grace period of 0, also those that are created meanwhile."""
        # A ReplicaSet makes new pods until its own deletion is seen, so they are deleted again
        # and again.
        becomes(self._none_after_deletion, seconds)

    def _none_after_deletion(self) -> bool:
        pods = self._all()
        for pod in pods:
            # The default of 30 seconds is for orderly ends.
            self._ask("DELETE", _path(pod), {"gracePeriodSeconds": 0})
        return not pods

    def _all(self) -> Sequence[Json]:
        pods: Sequence[Json] = self.client.call("GET", "/api/v1/pods", labelSelector=self.label)["items"]
        return pods

    def _of(self, pod: Json) -> Iterator[Line]:
        for container in pod.get("status", {}).get("containerStatuses", ()):
            # Kubernetes keeps the log of one earlier run of a container; that is where a crash
            # explains itself.
            for earlier in (True, False) if container.get("restartCount") else (False,):
                yield from self._log_lines(pod, container["name"], earlier=earlier)

    def _log_lines(self, pod: Json, container: str, *, earlier: bool) -> Iterator[Line]:
        try:
            text = self.client.text(
                f"{_path(pod)}/log",
                container=container,
                tailLines=str(_KEPT),
                timestamps=True,
                previous=earlier,
            )
        except ApiError:  # it has printed nothing yet, or is gone
            return
        for line in text.splitlines():
            stamp, _, text_of_line = line.partition(" ")
            yield Line(_seconds(stamp), printable(text_of_line))

    def _ask(self, method: str, path: str, body: Json) -> None:
        try:
            self.client.call(method, path, body)
        except ApiError as error:
            if error.code != 404:
                raise


def _path(pod: Json) -> str:
    return f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods/{pod['metadata']['name']}"


def _seconds(stamp: str) -> float:
    """Return the seconds of a time with nanoseconds, of which Python reads six digits."""
    seconds, _, rest = stamp.rstrip("Z").partition(".")
    try:
        return datetime.fromisoformat(f"{seconds}.{rest[:6] or 0:0<6}+00:00").timestamp()
    except ValueError:
        return 0.0
