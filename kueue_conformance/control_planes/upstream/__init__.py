"""A real Kueue: found in the cluster, started as a process, or installed from manifests.

`words` parses the text after `upstream:`, `found`, `process` and `installed` are the three kinds, `release`
finds the version.
"""

from __future__ import annotations

from .. import ControlPlane
from .words import read

FORMS = (
    "upstream",
    "upstream:COMMAND",
    "upstream:manifests=FILE,command=COMMAND",
    "upstream:manifests=FILE,images=ARCHIVE",
)


def upstream(rest: str) -> ControlPlane:
    """Return the control plane for the text after `upstream:`. Raises UsageError."""
    wanted = read(rest)
    if wanted.command:
        from .process import Process

        return Process(wanted)
    if wanted.manifests:
        from .installed import Installed

        return Installed(wanted)
    from .found import Found

    return Found()
