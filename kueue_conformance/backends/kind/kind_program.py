"""The program `kind`: makes, lists and deletes clusters, and exports their logs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import EnvironmentProblem
from ...programs.remedies import remedy
from .command import Command, CommandResult, Started, find

# Compared as numbers: as text 0.9 would be newer than 0.20.
_OLDEST = (0, 20)
_READY = "120s"
_CREATE_TIMEOUT_SECONDS = 600.0
# kind prints this sentence in place of an empty list.
_NONE = "No kind clusters found."


@dataclass(frozen=True, slots=True)
class KindProgram:
    """One kind program."""

    command: Command

    @classmethod
    def detect(cls) -> KindProgram:
        """Return the program. Raises EnvironmentProblem when there is none, or one that is too old."""
        kind = cls(find("kind", todo=remedy("kind")))
        kind.check()
        return kind

    def check(self) -> None:
        """Raise EnvironmentProblem for a version that is too old."""
        version = self.version()
        numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
        if numbers < _OLDEST:
            raise EnvironmentProblem(
                f"kind has version {version!r}, and v{_OLDEST[0]}.{_OLDEST[1]} or newer is needed",
                hint="go install sigs.k8s.io/kind@v0.33.0",
            )

    def version(self) -> str:
        """Return its version, such as v0.33.0."""
        return self.command.ask("version", "--quiet", timeout=30)

    def create(
        self, name: str, image: str, kubeconfig: Path, config: Path | None, begun: Started
    ) -> CommandResult:
        """Make a cluster; the parts of one that failed stay until `delete`."""
        words = ["create", "cluster", "--name", name, "--image", image, "--kubeconfig", str(kubeconfig)]
        # --retain: kind removes the nodes of a failed cluster by itself, and with them the logs
        # that explain it.
        chosen = ["--config", str(config)] if config else []
        return self.command.run(
            [*words, *chosen, "--wait", _READY, "--retain"], timeout=_CREATE_TIMEOUT_SECONDS, begun=begun
        )

    def delete(self, name: str, kubeconfig: Path) -> None:
        """Delete a cluster, also an incomplete or missing one. Raises EnvironmentProblem."""
        self.command.ask("delete", "cluster", "--name", name, "--kubeconfig", str(kubeconfig))

    def load(self, name: str, image: str) -> None:
        """Load an image from Docker or an archive into the nodes. Raises EnvironmentProblem."""
        # A file of that name goes first: an archive serves where no Docker daemon has the image.
        subcommand = "image-archive" if Path(image).is_file() else "docker-image"
        self.command.ask("load", subcommand, image, "--name", name)

    def clusters(self) -> Sequence[str]:
        """Return the names of all clusters."""
        return [line for line in self.command.ask("get", "clusters").splitlines() if line and line != _NONE]

    def nodes(self, name: str) -> Sequence[str]:
        """Return the nodes of a cluster."""
        return self.command.ask("get", "nodes", "--name", name).split()

    def kubeconfig(self, name: str) -> str:
        """Return the text of a cluster's kubeconfig."""
        return self.command.ask("get", "kubeconfig", "--name", name) + "\n"

    def logs(self, name: str, folder: Path) -> CommandResult:
        """Write the logs of all nodes and pods; an image without a systemd journal has fewer."""
        return self.command.run(["export", "logs", str(folder), "--name", name])
