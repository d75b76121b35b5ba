"""Names that a server keeps for configurations in files of its own (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json

SUFFIX = ".static.k8s.io"
RESERVED_NAME_WARNING = (
    f'metadata.name: names ending with "{SUFFIX}" are reserved for static manifest-based configurations'
    " and cannot be managed via the API"
)


def warnings(new: Json, old: Json) -> list[str]:
    """Return the warning of a name that is reserved."""
    del old
    return [RESERVED_NAME_WARNING] if new["metadata"].get("name", "").endswith(SUFFIX) else []
