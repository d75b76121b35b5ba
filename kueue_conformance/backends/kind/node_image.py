"""The image of the nodes, and the kind configuration for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...base.cluster_options import ClusterOptions
from ...base.errors import EnvironmentProblem
from ...base.json_types import Json
from ...base.resources import fixtures
from ...programs.remedies import remedy
from .engine import Engine

OURS = "kueue-conformance/kind-node"
LABEL = "kueue-conformance.dev/node-image"
_UNBUILT = remedy("node image")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeImage:
    """An image that Docker has, with the configuration of a cluster made from it."""

    name: str
    config: Path | None


def choose(engine: Engine, cluster_options: ClusterOptions) -> NodeImage:
    """Return the image to use. Raises EnvironmentProblem when it is not available."""
    name = cluster_options.image or _newest(engine)
    image = engine.fetch(name)
    return NodeImage(name=name, config=cluster_options.config or (_config() if _is_ours(image) else None))


def _newest(engine: Engine) -> str:
    """Return the name of the image that was built last."""
    # `docker image ls` lists the newest image first.
    built = engine.images(LABEL)
    named = next((name for name in built if name.startswith(f"{OURS}:")), "")
    if not named:
        raise EnvironmentProblem(f"there is no node image {OURS!r} here", hint=_UNBUILT)
    return named


def _is_ours(image: Json) -> bool:
    # Docker writes null where an image has no labels.
    return LABEL in (image["Config"].get("Labels") or {})


def _config() -> Path:
    return fixtures() / "kind" / "cluster.yaml"
