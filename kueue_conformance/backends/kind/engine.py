"""Docker for kind: whether it answers, which images it has, and whether there is disk space."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import EnvironmentProblem
from ...base.json_types import Json
from .command import Command, find
from .diagnostics import NO_ROOM

NETWORK = "kind"
_OLDEST = 20
_NODE_GIGABYTES = 2.0
"""Gigabytes of disk space that a node needs."""
_PULL_TIMEOUT_SECONDS = 1800.0
_UNUSED_ADDRESS = "192.0.2.0"
"""An address that no machine has (TEST-NET-1)."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The program `docker`, or the one that KIND_EXPERIMENTAL_PROVIDER names."""

    command: Command

    @classmethod
    def detect(cls) -> Engine:
        """Return the engine that answers. Raises EnvironmentProblem when there is none."""
        # kind itself reads this variable, so both use the same engine.
        name = os.environ.get("KIND_EXPERIMENTAL_PROVIDER") or "docker"
        engine = cls(
            find(name, todo="install Docker (on Debian: apt-get install docker.io) and run this again")
        )
        engine.check()
        return engine

    def check(self) -> None:
        """Raise EnvironmentProblem when no daemon answers, or one that is too old."""
        version = self.version()
        number = re.match(r"\d+", version)
        # Versions of podman and nerdctl count otherwise, so they are not compared.
        if number is None or (self.command.path.endswith("docker") and int(number[0]) < _OLDEST):
            raise EnvironmentProblem(
                f"Docker's daemon has version {version or 'nothing'}, and kind needs {_OLDEST} or newer",
                hint="update Docker",
            )

    def version(self) -> str:
        """Return the daemon's version. Raises EnvironmentProblem when none answers."""
        return self.command.ask("version", "--format", "{{.Server.Version}}", timeout=30)

    def image(self, name: str) -> Json | None:
        """Return the description of a local image, None when it is not here."""
        completed = self.command.run(["image", "inspect", name])
        return json.loads(completed.out)[0] if completed.code == 0 else None

    def images(self, label: str) -> Sequence[str]:
        """Return the names of the images here that bear a label, the newest first."""
        listed = self.command.ask(
            "image", "ls", "--filter", f"label={label}", "--format", "{{.Repository}}:{{.Tag}}"
        )
        return listed.split()

    def fetch(self, name: str) -> Json:
        """Return the description of an image, pulled if needed.

        Raises EnvironmentProblem when it cannot be pulled.
        """
        # A local image is never pulled again: a node image built here is in no registry.
        if self.image(name) is None:
            self.command.ask("pull", name, timeout=_PULL_TIMEOUT_SECONDS)
        return self.image(name)

    def check_room(self) -> None:
        """Raise EnvironmentProblem when the disk has no space for a node; a remote daemon is not checked."""
        root = Path(self.command.ask("info", "--format", "{{.DockerRootDir}}"))
        # The daemon may be remote or in a virtual machine, whose disk is not ours to measure.
        if not root.is_dir():
            return
        free = shutil.disk_usage(root).free / 1e9
        if free < _NODE_GIGABYTES:
            raise EnvironmentProblem(
                f"{free:.1f} GB are free at {str(root)!r}, and a node needs {_NODE_GIGABYTES:.0f} GB",
                hint=NO_ROOM,
            )

    def host_address(self) -> str:
        """Return the address by which a node reaches this machine; empty where the daemon is remote."""
        address = self._gateway()
        try:
            # Only an address of this machine can be bound: that is the test whether the daemon is
            # local.
            socket.create_server((address, 0)).close()
        except OSError:
            return ""
        return address

    def _gateway(self) -> str:
        completed = self.command.run(
            ["network", "inspect", NETWORK, "--format", "{{range .IPAM.Config}}{{.Gateway}} {{end}}"]
        )
        # The network has an IPv6 gateway too; a dot tells IPv4.
        return next((word for word in completed.out.split() if "." in word), _UNUSED_ADDRESS)

    def image_of(self, node: str) -> str:
        """Return the image that a node was made from."""
        return self.command.ask("inspect", "--format", "{{.Config.Image}}", node)

    def runs(self, node: str) -> bool:
        """Tell whether the container of a node runs."""
        return self.command.run(["inspect", "--format", "{{.State.Running}}", node]).out.strip() == "true"
