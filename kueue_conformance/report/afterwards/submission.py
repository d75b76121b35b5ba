"""Requirements for the submission of a report: a name,
an owner, a version, and how to get it again (harness/H-32).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...base.json_types import Json
from ..results.recount import is_strict

_NEEDED = ("organization", "project", "url", "version", "contact")
_BRANCHES = frozenset(
    {"main", "master", "trunk", "develop", "dev", "head", "latest", "nightly", "snapshot", "edge", "next"}
)
# A release, a commit or an image digest: names that do not move.
_VERSION = re.compile(r"v?\d+(\.\d+)+([-+.][\w.+-]+)?|[0-9a-f]{7,40}|sha256:[0-9a-f]{64}")
_HEADING = re.compile(r"^#{1,6}\s+reproduce\b.*$", re.IGNORECASE | re.MULTILINE)


def problems(report: Json, file: Path) -> Iterator[str]:
    """Yield everything that keeps a report from being submitted, besides what `verify` finds anyway."""
    implementation = report["implementation"]
    for name in _NEEDED:
        if not implementation.get(name):
            yield f"implementation.{name}: it is missing; add it to the subject file"
    version = str(implementation.get("version", ""))
    if version and not is_version(version):
        yield f"implementation.version: {version!r} is no version: name a release or a commit, never a branch"
    if implementation.get("project") and version and file.name != (due := file_name(report)):
        yield f"file name: is {file.name!r}, expected {due!r}"
    if not report["complete"]:
        yield "complete: the run was interrupted or stopped early"
    if report["environment"]["options"].get("select"):
        yield "options: only a part of the profile was run (--select)"
    if report["environment"]["options"].get("level"):
        yield "options: only a part of the profile was run (--level)"
    # The evidence may have been changed since; only the run itself is a witness.
    if "rejudged" in report:
        yield "rejudged: submit the report of the run itself"
    yield from _readme(file.with_name("README.md"))


def is_version(text: str) -> bool:
    """Tell whether a version is a release or a commit, and not a branch."""
    return text.lower() not in _BRANCHES and bool(_VERSION.fullmatch(text))


def file_name(report: Json) -> str:
    """Return the name that a submitted report has, such as
    `budget-controller-v1.2.0-check-controller-report.yaml`.
    """
    implementation = report["implementation"]
    profiles = "-".join(profile["name"].lower() for profile in report["profiles"])
    words = [
        implementation.get("project", ""),
        implementation.get("version", ""),
        profiles,
        *(["strict"] if is_strict(report) else []),
        "report",
    ]
    return "-".join(re.sub(r"[^a-z0-9.]+", "-", str(word).lower()).strip("-") for word in words) + ".yaml"


def _readme(file: Path) -> Iterator[str]:
    """Yield the missing parts of the README beside the report."""
    if not file.is_file():
        yield "README.md: there is none beside the report"
        return
    text = file.read_text("utf-8", errors="replace")
    match = _HEADING.search(text)
    if match is None:
        yield "README.md: it has no section Reproduce"
    elif (
        "kueue-conformance"
        not in re.split(r"^#{1,6}\s", text[match.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    ):
        yield "README.md: its section Reproduce shows no `kueue-conformance` command"
