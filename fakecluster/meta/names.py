"""What an object may be called (FK-063…FK-067)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from ..api.kind import NameRule
from . import addresses

LABEL_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SUBDOMAIN_FORMAT = rf"{LABEL_FORMAT}(\.{LABEL_FORMAT})*"
LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an "
    f"alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{LABEL_FORMAT}')"
)
SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end "
    f"with an alphanumeric character (e.g. 'example.com', regex used for validation is '{SUBDOMAIN_FORMAT}')"
)
# No vowels and no 0, 1, 3: the suffix can be no word, and is not misread.
SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
BASE_LIMIT = 58
# Only when the generated name is taken; the real server tries as often before it answers 409.
NAME_ATTEMPTS = 8


def length_problem(text: str, limit: int, unit: str = "characters") -> str:
    """Word a text that is too long; empty when it is not. Labels count in bytes, names say characters."""
    return f"must be no more than {limit} {unit}" if len(text.encode()) > limit else ""


def label_problems(text: str) -> list[str]:
    """Judge an RFC 1123 label."""
    problems = [length_problem(text, 63)]
    if not re.fullmatch(LABEL_FORMAT, text):
        problems.append("must not contain dots" if re.fullmatch(SUBDOMAIN_FORMAT, text) else LABEL_TEXT)
    return list(filter(None, problems))


def subdomain_problems(text: str, unit: str = "characters") -> list[str]:
    """Judge an RFC 1123 subdomain."""
    problems = [length_problem(text, 253, unit)]
    if not re.fullmatch(SUBDOMAIN_FORMAT, text):
        problems.append(SUBDOMAIN_TEXT)
    return list(filter(None, problems))


def path_problems(text: str) -> list[str]:
    """Judge a path segment, the only rule for RBAC names."""
    if text in {".", ".."}:
        return [f"may not be '{text}'"]
    return [f"may not contain '{char}'" for char in "/%" if char in text]


RULES: Mapping[NameRule, Callable[[str], list[str]]] = {
    "subdomain": subdomain_problems,
    "label": label_problems,
    "service": label_problems,
    "path": path_problems,
    "address": addresses.problems,
}


def generate_name(base: str, random: Random) -> str:
    """Return a name that starts with `base` (FK-063)."""
    # The base is cut so that the whole name stays a label of 63 characters.
    return base[:BASE_LIMIT] + "".join(random.choices(SUFFIX_LETTERS, k=5))


def as_prefix(base: str) -> str:
    """Return a base for names as it can be judged: a dash at its end is fine there (FK-063)."""
    return f"{base[:-1]}a" if len(base) > 1 and base.endswith("-") else base
