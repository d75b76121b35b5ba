"""Options of a cluster that a backend makes: its image,
its lifetime, and the images that are loaded into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import Problems, UsageError, unknown

KEEP = ("never", "failed", "always")
_OF_A_NEW_ONE = ("kind-config", "keep")
_ALL = ("kind-image", "kind-config", "kind-reuse", "kind-load", "keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """The options of a cluster; by default our node image, and nothing is kept afterwards."""

    image: str = ""
    config: Path | None = None
    keep: str = "never"
    reuse: str = ""
    """The name of an existing cluster to use; it is not deleted."""
    load: tuple[str, ...] = ()
    """Images, or image archives, to load into the nodes."""
    logs: Path | None = None
    """The folder for logs after a failure."""


def cluster_options(raw: Mapping[str, str], logs: Path | None) -> ClusterOptions:
    """Return the cluster options among all options. Raises UsageError with every problem."""
    problems = Problems()
    problems.of(lambda: _check_backend(raw), None)
    problems.of(lambda: _check_reuse(raw), None)
    problems.of(lambda: _check_keep(raw["keep"]), None)
    config = problems.of(lambda: _file(raw["kind-config"]), None)
    problems.end()
    images = tuple(word.strip() for word in raw["kind-load"].split(",") if word.strip())
    return ClusterOptions(
        image=raw["kind-image"],
        config=config,
        keep=raw["keep"] or "never",
        reuse=raw["kind-reuse"],
        load=images,
        logs=logs,
    )


def _check_backend(raw: Mapping[str, str]) -> None:
    keys_in_use = [key for key in _ALL if raw[key]]
    if keys_in_use and raw["backend"] != "kind":
        raise UsageError(
            f"--{keys_in_use[0]} is about a kind cluster, and --backend is {raw['backend']!r}",
            hint=f"add --backend kind, or leave --{keys_in_use[0]} out",
        )


def _check_reuse(raw: Mapping[str, str]) -> None:
    keys_in_use = [key for key in _OF_A_NEW_ONE if raw[key]]
    if keys_in_use and raw["kind-reuse"]:
        raise UsageError(
            f"--{keys_in_use[0]} is about a cluster that is made, and --kind-reuse {raw['kind-reuse']} names an existing one",
            hint="leave one of them out; an existing cluster is never deleted",
        )


def _check_keep(word: str) -> None:
    if word and word not in KEEP:
        raise unknown("value of --keep", word, KEEP)


def _file(text: str) -> Path | None:
    if text and not Path(text).is_file():
        raise UsageError(
            f"--kind-config {text!r} is no file",
            hint="name a file with `kind: Cluster` of kind.x-k8s.io/v1alpha4",
        )
    return Path(text).absolute() if text else None
