"""What runs leave on a machine, and the commands that judge on kind."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from kueue_conformance.backends.kind.command import BUILT
from kueue_conformance.tests.checkout import ROOT

COMMAND = [sys.executable, "-m", "kueue_conformance"]
SHELF = "state/kueue-conformance/clusters"
KUBECONFIG = "somebody else's"


@dataclass(frozen=True, slots=True)
class Machine:
    """A home of its own for each test, with a kubeconfig that no test may touch."""

    home: Path
    ever: set[str] = field(default_factory=set)
    """The clusters that were seen so far."""

    @property
    def environment(self):
        """What commands are given."""
        path = os.pathsep.join([os.environ["PATH"], str(ROOT / BUILT)])
        own = {
            "HOME": self.home,
            "XDG_STATE_HOME": self.home / "state",
            "TMPDIR": self.home / "tmp",
            "PATH": path,
        }
        return {**os.environ, **{key: str(value) for key, value in own.items()}}

    def start(self, *words):
        """Start our command line; its output goes where ours goes."""
        return subprocess.Popen([*COMMAND, *words], env=self.environment, cwd=self.home)

    def run(self, *words):
        """Run our command line to its end,
        noting which clusters there are meanwhile; return its exit code.
        """
        with self.start(*words) as process:
            while process.poll() is None:
                self.note()
        return process.returncode

    def await_cluster(self):
        """Return the name of the cluster, when its node is there, and the process that it belongs to."""
        while not (self.note() and self.traces()["containers"]):
            pass
        (name,) = self.clusters()
        return name, json.loads((self.home / SHELF / name / "record.json").read_text())["owner"]["pid"]

    def note(self):
        """Remember which clusters there are; tell whether there are some."""
        time.sleep(0.2)  # noqa: TID251 - there is no event to wait for
        clusters_at_present = self.clusters()
        self.ever.update(clusters_at_present)
        return clusters_at_present

    def ask(self, *command):
        """Run any program and return what it printed."""
        return subprocess.run(
            command, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    def clusters(self):
        """Return the clusters on disk."""
        return sorted(path.name for path in (self.home / SHELF).glob("*"))

    def traces(self):
        """Return everything that is there of clusters that were made, by where it would be."""
        has_network = "kind" in self.ask("docker", "network", "ls", "--format", "{{.Name}}").split()
        network = (
            json.loads(self.ask("docker", "network", "inspect", "kind"))[0]["Containers"]
            if has_network
            else {}
        )
        return {
            "containers": self._of_ours(self.ask("docker", "ps", "--all", "--format", "{{.Names}}").split()),
            "network": self._of_ours(container["Name"] for container in network.values()),
            "state": self.clusters(),
            "folders": sorted(path.name for path in (self.home / "tmp").glob("kueue-*")),
            "kubeconfig": (self.home / ".kube/config").read_text(),
        }

    def _of_ours(self, names):
        return sorted(name for name in names if name.startswith(tuple(self.ever)))
