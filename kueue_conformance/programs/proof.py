"""Proof that a recorded program is the named release: by its build information, not by its own report.

A fake server and the reference answer `/version`, leases and User-Agents as the real programs do. So only a
program that was started here from a file is proven, by the build information in the file, and a Deployment in
a cluster by the image that its pods run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import UsageError
from ..base.json_types import Json
from . import go_program
from .remedies import remedy

_IMAGE = re.compile(r"(?:[^@]*/)?kueue/kueue:(v[^@]+)(?:@sha256:[0-9a-f]{64})?")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_NO_COMMIT = "0" * 40
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Unproven(UsageError):
    """A program is not proven to be the one that the recording would name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A real program: its name, its main package, and the module whose version it has."""

    name: str
    package: str
    module: str
    hint: str


KUBE_APISERVER = Program(
    name="kube-apiserver",
    package="k8s.io/kubernetes/cmd/kube-apiserver",
    module="k8s.io/kubernetes",
    hint=remedy("api server"),
)
KUEUE = Program(
    name="kueue",
    package="sigs.k8s.io/kueue/cmd/kueue",
    module="sigs.k8s.io/kueue",
    hint="build it with `go build sigs.k8s.io/kueue/cmd/kueue` and name the file itself: --control-plane upstream:FILE",
)
CLUSTER_AUTOSCALER = Program(
    name="cluster-autoscaler",
    package="k8s.io/autoscaler/cluster-autoscaler",
    module="k8s.io/autoscaler/cluster-autoscaler",
    hint="build it with `go build` in k8s.io/autoscaler/cluster-autoscaler and name the file itself: --autoscaler process:FILE",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A proof: name and version of the program, and the evidence for them."""

    program: str
    version: str
    by: str

    def to_dict(self) -> dict[str, str]:
        """Return the form in a file."""
        return {"program": self.program, "version": self.version, "proof": self.by}


def of_file(program: Program, file: Path, reported_version: str) -> Proof:
    """Return the proof of a program that was started from a file and reports that it is of a version.

    Raises Unproven for a file that was not built from the program's package, or from another version of its
    module than it says.
    """
    try:
        build_info = go_program.read(file)
    except OSError as problem:
        raise Unproven(f"{str(file)!r} cannot be read: {problem.strerror}", hint=program.hint) from problem
    built = build_info.package if build_info else "no Go program"
    if build_info is None or build_info.package != program.package:
        raise Unproven(
            f"{str(file)!r} is not proven to be {program.name}: it was built from {built!r}, expected {program.package!r}",
            hint=program.hint,
        )
    module = build_info.modules.get(program.module, "")
    version = module.partition(" ")[0]
    if not reported_version.startswith("v") or (_is_release(version) and version != reported_version):
        raise Unproven(
            f"{str(file)!r} says that it is {program.name} {reported_version or 'of no version'}, and it was built from {version or 'no version'} of {program.module}",
            hint="build it from the release whose version is linked into it",
        )
    return Proof(
        program=program.name,
        version=reported_version,
        by=f"built from {program.package}, {program.module} {module}, sha256:{build_info.sha256}",
    )


def _is_release(version: str) -> bool:
    return version.startswith("v") and not version.startswith("v0.0.0-")


def beside(kueue: Proof, server: Proof) -> Proof:
    """Return the proof of a Kueue together with that of its API server."""
    return Proof(
        program=kueue.program,
        version=kueue.version,
        by=f"{kueue.by}; beside {server.program} {server.version}, {server.by}",
    )


def of_server(version: Json) -> Proof:
    """Return the proof from the version of an existing API server.

    Raises Unproven for one without a commit in it.
    """
    git_version, commit = str(version.get("gitVersion", "")), str(version.get("gitCommit", ""))
    if not _COMMIT.fullmatch(commit) or commit == _NO_COMMIT:
        raise Unproven(
            f"the API server {git_version or 'of no version'} is not proven to be kube-apiserver: /version says gitCommit {commit!r}, expected that of a build",
            hint="record beside a real API server: --backend envtest, or kind",
        )
    return Proof(program="kube-apiserver", version=git_version, by=f"commit {commit}")


def of_deployment(deployments: Sequence[Json], pods: Sequence[Json]) -> Proof:
    """Return the proof of a Kueue in a cluster: a pod of its Deployment runs an image of Kueue's repository.

    Raises Unproven.
    """
    images = [
        container["image"]
        for deployment in deployments
        for container in deployment["spec"]["template"]["spec"]["containers"]
    ]
    named = {image: match[1] for image in images if (match := _IMAGE.fullmatch(image))}
    running = [
        status
        for pod in pods
        for status in (pod.get("status") or {}).get("containerStatuses") or ()
        if status.get("ready") and _DIGEST.search(status.get("imageID", "")) and status.get("image") in named
    ]
    if not running:
        raise Unproven(
            f"the Kueue of the cluster is not proven to be real: its images are {images}, expected …/kueue/kueue:vVERSION and a ready pod that runs it",
            hint="install a release from its manifests, or start the manager as a process: --control-plane upstream:FILE",
        )
    image = running[0]
    digest = _DIGEST.search(image["imageID"])
    assert digest is not None, "it was looked for above"
    return Proof(
        program=KUEUE.name,
        version=named[image["image"]],
        by=f"image {image['image']} {digest[0]}",
    )


def refuse_imitation(subject: str, program: Program) -> Unproven:
    """Return the error for an imitation, which is never recorded."""
    return Unproven(
        f"{subject} is an imitation of {program.name}; only the real program may be recorded",
        hint=program.hint,
    )
