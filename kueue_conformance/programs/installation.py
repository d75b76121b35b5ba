"""How this suite was installed, so that another machine can install the same version."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, distribution

NAME = "kueue-conformance"


def requirement(installed: Distribution | None = None) -> str:
    """Return the pip requirement of this version: a release, a commit, a URL, or a path."""
    installed = installed or distribution(NAME)
    direct_url = json.loads(installed.read_text("direct_url.json") or "{}")
    if not direct_url:
        return f"{NAME}=={installed.version}"
    url, vcs = str(direct_url["url"]), direct_url.get("vcs_info")
    if vcs:
        return f"{NAME} @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    return url.removeprefix("file://") if url.startswith("file:") else f"{NAME} @ {url}"


def is_here_only(pip_requirement: str) -> bool:
    """Tell whether a pip requirement names a file or folder of this machine."""
    return pip_requirement.startswith("/")
