"""Names that become hostnames of pods (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator

from .....base.json_types import Json
from ....validation import basics

NAME = "metadata.name: this is used in {}, which can result in surprising behavior; a DNS label is recommended: [{}]"


def of_name(obj: Json, use: str) -> Iterator[str]:
    """Yield the warning of a name that is no hostname; `use` says what the name is used in."""
    if problems := basics.dns_label(obj["metadata"].get("name", "")):
        yield NAME.format(use, " ".join(problems))
