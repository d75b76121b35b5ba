"""Expectations: failures that a user knows of, with reason, issue and expiry, matched by fingerprint
(harness/H-15…H-18, N-10).

`entry` is one row and when it holds, `file` reads rows and their includes, `checking` finds dead and expired
ones, `editing` and `updating` write a file anew from a report and leave everything else in it as it was.
"""

from __future__ import annotations

from .entry import Expectation, Situation
from .file import Expectations, read

__all__ = ["Expectation", "Expectations", "Situation", "read"]
