"""The path at which a Service is asked: by a webhook, or by a definition that converts (FK-251, FK-301)."""

from __future__ import annotations

from collections.abc import Iterator

from ..schema import fields
from ..schema.fields import FieldError
from . import names


def problems(text: str, path: str) -> Iterator[FieldError]:
    """Judge a path: a slash, then segments that are DNS subdomains."""
    if text == "/":
        return
    # Split like any other path it would have no segment at all, and the real server blames the first.
    if text == "//":
        yield fields.invalid(path, text, "segment[0] may not be empty")
        return
    if not text.startswith("/"):
        yield fields.invalid(path, text, "must start with a '/'")
    for number, step in enumerate(text[1:].removesuffix("/").split("/")):
        if not step:
            yield fields.invalid(path, text, f"segment[{number}] may not be empty")
            continue
        for problem in names.subdomain_problems(step):
            yield fields.invalid(path, text, f"segment[{number}]: {problem}")
