"""Whether a text has a match of a pattern, in time that grows with the text and never beyond (FK-265).

Python's engine tries every way to match. Where a pattern repeats more than once, or repeats a group, there may be too many ways, so such patterns are left
to the engine of the rules, whose expressions are RE2 as Go's are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache

from .patterns import compile_pattern

_UNIMPORTANT = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]", re.DOTALL)
_REPEAT = re.compile(r"[*+]|\{\d+(,\d*)?\}")
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{\d+(,\d*)?\})")
Search = Callable[[str], bool]


@lru_cache(maxsize=4096)
def searching(pattern: str) -> Search:
    """Return what tells whether a text has a match. Raises PatternError."""
    quick = compile_pattern(pattern)
    if not _may_explode(pattern):
        return lambda text: quick.search(text) is not None
    return _linear(pattern) or (lambda text: quick.search(text) is not None)


def _may_explode(pattern: str) -> bool:
    bare = _UNIMPORTANT.sub("x", pattern)
    return len(_REPEAT.findall(bare)) > 1 or _REPEATED_GROUP.search(bare) is not None


def _linear(pattern: str) -> Search | None:
    """Return a search by the engine of the rules, None where it does not take the pattern."""
    from .cel.engine import CelError, CompileError, engine

    rules = engine()
    try:
        program = rules.compile(f"self.matches({json.dumps(pattern)})")
    except CompileError:
        return None
    if isinstance(program.eval(rules.bind("", None)), CelError):
        return None
    # Names and the like come again and again.
    return lru_cache(maxsize=4096)(lambda text: program.eval(rules.bind(text, None)) is True)
