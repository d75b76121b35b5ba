"""Why a strategic merge patch cannot be merged (FK-165, FK-166)."""

from __future__ import annotations

from typing import Literal


class StrategicProblem(Exception):
    """The patch and the object do not fit; the text is the Status message, `kind` decides about its code.

    `format` is a malformed directive (400), `nesting` a list of lists (422), `content` everything else (500).
    """

    def __init__(self, text: str, kind: Literal["format", "nesting", "content"] = "content") -> None:
        super().__init__(text)
        self.kind: str = kind
