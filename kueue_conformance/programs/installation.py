"""How this suite was installed, so that another machine can install the same version."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, distribution

NAME = "kueue-conformance"


def requirement(found: Distribution | None = None) -> str:
    """Return the pip requirement of this version: a release, a commit, a URL, or a path."""
    found = found or distribution(NAME)
    said = json.loads(found.read_text("direct_url.json") or "{}")
    if not said:
        return f"{NAME}=={found.version}"
    url, vcs = str(said["url"]), said.get("vcs_info")
    if vcs:
        return f"{NAME} @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    return url.removeprefix("file://") if url.startswith("file:") else f"{NAME} @ {url}"


def is_here_only(wanted: str) -> bool:
    """Tell whether a pip requirement names a file or folder of this machine."""
    return wanted.startswith("/")
