"""Readable names for generated ones: `workload A` in place of `workload-1-chk-014-ttdfp-838-morning`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME = r"([a-z]+(?:-[a-z]+)*)-(\d+)-[a-z0-9-]{1,24}-[a-z0-9]{5}-[0-9a-f]{3}(?:-[a-z0-9]+)?\b"
_GENERATED = re.compile(rf"\b{_NAME}")
_DRAWN = re.compile(r"\b([a-z]+)-[a-z0-9-]{1,24}-[a-z0-9]{5}-[0-9a-f]{3}[.-][a-z0-9.-]*[a-z0-9]")
"""A name of a case with drawn data: no place among those of the case, and words up to the longest name."""
_SAID_TWICE = re.compile(
    rf"\b(?:[Ww]orkload (?=workload-)|(?:AdmissionC|c)heck (?=check-)|[Nn]amespace (?=namespace-))(?={_NAME})"
)
_KINDS = re.compile(r"\b(Workload|AdmissionCheck|ClusterQueue|LocalQueue|Namespace|Job) (?=[a-z]+ #)")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text piece by piece: what is shown, and the generated name that it stands for, empty where it
    stands for none.
    """
    text, end = _SAID_TWICE.sub("", text), 0
    for match in _GENERATED.finditer(text):
        yield text[end : match.start()], ""
        yield _role(match[1], int(match[2])), match[0]
        end = match.end()
    yield text[end:], ""


def by_role(text: str) -> str:
    """Replace each generated name by its role and its place among those of the case."""
    return "".join(shown for shown, _ in pieces(text))


def short_names(text: str) -> str:
    """Replace each generated name by its first words, such as `workload-1`."""
    return _GENERATED.sub(lambda match: f"{match[1]}-{match[2]}", text)


def of_any_case(text: str) -> str:
    """Remove names, numbers and times, which differ from case to case."""
    bare = _GENERATED.sub(lambda match: f"{match[1].replace('-', ' ')} #", text)
    bare = _DRAWN.sub(lambda match: f"{match[1]} #", bare)
    return re.sub(r"\d+(\.\d+)?", "#", _KINDS.sub("", bare))


def _role(noun: str, number: int) -> str:
    """Return a noun with its place: Workloads have letters,
    so that they are told from the checks that they list.
    """
    lettered = noun == "workload" and 0 < number <= len(_LETTERS)
    return f"{noun.replace('-', ' ')} {_LETTERS[number - 1] if lettered else number}"
