"""Hints for missing programs and images, in a checkout and with only the wheel installed.

All hints about Makefile targets are here, so that none names a Makefile that is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..base import resources

_ENVTEST = "`go install sigs.k8s.io/controller-runtime/tools/setup-envtest@latest` and `setup-envtest use 1.36.x -p path`"
_PULLED = "--kind-image kindest/node:v1.36.1"
_REMEDIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "api server": (
            "run `make oracle`, which builds it with Go, or name a folder that has etcd and kube-apiserver in KUBEBUILDER_ASSETS",
            f"name a folder that has etcd and kube-apiserver in KUBEBUILDER_ASSETS: {_ENVTEST} fetch one and print it",
        ),
        "another api server": ("`make oracle` builds it again", f"{_ENVTEST} fetch one that is"),
        "recorded api server": ("the programs of `make oracle`", "programs that KUBEBUILDER_ASSETS names"),
        "docker": (
            "start Docker and wait until `docker info` answers; as root on a machine without an init system: fixtures/kind/engine/start.sh .kind/engine",
            "start Docker and wait until `docker info` answers",
        ),
        "privileged docker": (
            "end this daemon and start one with fixtures/kind/engine/start.sh, which asks for what root has",
            "use a machine whose root has every capability, such as a virtual machine",
        ),
        "kind": (
            "`make kind-image` builds it with Go, or: go install sigs.k8s.io/kind@v0.33.0",
            "go install sigs.k8s.io/kind@v0.33.0",
        ),
        "node image": (
            f"`make kind-image` builds it from Go modules and Debian packages without a registry; where images can be pulled, name a published one: {_PULLED}",
            f"name a published one: {_PULLED}",
        ),
        "another node image": (
            "`make kind-image` builds one without a registry; a published one is named with --kind-image",
            f"name one that can be pulled: {_PULLED}",
        ),
        "node image for cgroup v1": (
            "take the image of `make kind-image`, or boot the machine with cgroup v2",
            "boot the machine with cgroup v2",
        ),
        "default node image": (
            "the one that `make kind-image` has built",
            "none, so that one has to be named",
        ),
        "story": (
            "take the file as `make recordings` wrote it",
            "take the file as `kueue-conformance record kueue` wrote it",
        ),
        "subject file": (
            "see examples/check_controllers for a file that works",
            "`kueue-conformance init NAME --example` writes a file that works",
        ),
    }
)


def remedy(of: str) -> str:
    """Return the hint for one of the missing things above."""
    checkout, wheel = _REMEDIES[of]
    return checkout if resources.in_checkout() else wheel
