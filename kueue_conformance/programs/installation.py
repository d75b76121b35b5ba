"""How the suite and its fakecluster were installed, so that another machine can install the same."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, distribution

NAMES = ("fakecluster", "kueue-conformance")


def requirements() -> tuple[str, ...]:
    """Return the pip requirements of this version; fakecluster is left out where the index has it."""
    fakecluster, suite = (requirement(distribution(name)) for name in NAMES)
    return (suite,) if "==" in fakecluster else (fakecluster, suite)


def requirement(installed: Distribution) -> str:
    """Return the pip requirement of an installed distribution: a release, a commit, a URL, or a path."""
    name = installed.metadata["Name"]
    direct_url = json.loads(installed.read_text("direct_url.json") or "{}")
    if not direct_url:
        return f"{name}=={installed.version}"
    url, vcs = str(direct_url["url"]), direct_url.get("vcs_info")
    folder = f"#subdirectory={direct_url['subdirectory']}" if "subdirectory" in direct_url else ""
    if vcs:
        return f"{name} @ {vcs['vcs']}+{url}@{vcs['commit_id']}{folder}"
    return url.removeprefix("file://") if url.startswith("file:") else f"{name} @ {url}{folder}"


def is_here_only(pip_requirement: str) -> bool:
    """Tell whether a pip requirement names a file or folder of this machine."""
    return pip_requirement.startswith("/")
