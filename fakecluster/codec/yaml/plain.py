"""Which texts Go's YAML writer leaves without quotes: those that its reader would take for text (FK-020)."""

from __future__ import annotations

import re
from math import isinf

WORDS = frozenset(
    [
        "~",
        "y",
        "Y",
        "yes",
        "Yes",
        "YES",
        "on",
        "On",
        "ON",
        "n",
        "N",
        "no",
        "No",
        "NO",
        "off",
        "Off",
        "OFF",
        "true",
        "True",
        "TRUE",
        "false",
        "False",
        "FALSE",
        "null",
        "Null",
        "NULL",
        ".nan",
        ".NaN",
        ".NAN",
        ".inf",
        ".Inf",
        ".INF",
        "+.inf",
        "+.Inf",
        "+.INF",
        "-.inf",
        "-.Inf",
        "-.INF",
    ]
) | {""}
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BASED = re.compile(r"[-+]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?)?"
)


def is_plain(text: str) -> bool:
    """Tell whether a text needs no quotes to stay a text; what its signs need is the emitter's matter."""
    if text in WORDS:
        return False
    # Nothing that YAML 1.1 reads as a number or a time begins with another character.
    if text[0] not in "+-.0123456789":
        return True
    digits = text if text[0] == "." else text.replace("_", "")
    if _NUMBER.fullmatch(digits):
        # What no float holds stays a text for Go's reader.
        return isinf(float(digits))
    return not (_BASED.fullmatch(digits) or _BASE_60.fullmatch(text) or _TIME.fullmatch(text))
