"""The DNS-1035 labels that most names of a definition are (FK-251)."""

from __future__ import annotations

import re

from ..meta.names import length_problem

KIND_RULE = "may have mixed case, but should otherwise match: "
LABEL_FORMAT = "[a-z]([-a-z0-9]*[a-z0-9])?"
LABEL_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character,"
    f" and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{LABEL_FORMAT}')"
)


def label_problems(text: str) -> str:
    """Word what keeps a text from being a DNS-1035 label; empty when nothing does."""
    shape = "" if re.fullmatch(LABEL_FORMAT, text) else LABEL_TEXT
    return ",".join(filter(None, (length_problem(text, 63), shape)))
