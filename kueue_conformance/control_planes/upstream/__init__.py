"""A real Kueue: one that is found in the cluster, a manager that is started as a process, or one that is installed from manifests.

`words` reads what stands after `upstream:`, `found`, `process` and `installed` are the three ways, `release` tells which version it is.
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
    """Return the control plane for what stands after `upstream:`. Raises UsageError."""
    wanted = read(rest)
    if wanted.command:
        from .process import Process

        return Process(wanted)
    if wanted.manifests:
        from .installed import Installed

        return Installed(wanted)
    from .found import Found

    return Found()
