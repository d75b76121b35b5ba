"""A real Kueue: found in the cluster, started as a process, or installed from manifests.

`sources` parses the text after `upstream:`, `existing_kueue`, `process` and `installed_kueue` are the three
kinds, `release` finds the version.
"""

from __future__ import annotations

from .. import ControlPlane
from .sources import read

FORMS = (
    "upstream",
    "upstream:COMMAND",
    "upstream:manifests=FILE,command=COMMAND",
    "upstream:manifests=FILE,images=ARCHIVE",
)


def upstream(rest: str) -> ControlPlane:
    """Return the control plane for the text after `upstream:`. Raises UsageError."""
    sources = read(rest)
    if sources.command:
        from .process import ManagerProcess

        return ManagerProcess(sources)
    if sources.manifests:
        from .installed_kueue import InstalledKueue

        return InstalledKueue(sources)
    from .existing_kueue import ExistingKueue

    return ExistingKueue()
