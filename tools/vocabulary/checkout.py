"""What Git says of the checkout: its files, and the lines that were added since a revision."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

from .sources import Source, package_of

HUNK = re.compile(r"@@ -\S+ \+(\d+)")


def list_paths(root: Path) -> list[str]:
    """Return the paths of all files that Git knows, new ones that it does not ignore among them."""
    listing = _git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    return [path for path in listing.split("\0") if path and (root / path).is_file()]


def read_sources(root: Path, packages: Collection[str]) -> Iterator[Source]:
    """Yield the Python files of some packages; `fakecluster tests` names the tests of one."""
    for path in list_paths(root):
        if path.endswith(".py") and package_of(path) in packages:
            yield Source.parse(path, (root / path).read_text("utf-8"))


def find_added_lines(root: Path, revision: str) -> dict[str, set[int]]:
    """Return the numbers of the lines that each file has gained since a branch left a revision."""
    # From the merge base: what others have added to the revision since then is not ours.
    arguments = ("--merge-base", "--unified=0", "--no-color", "--no-ext-diff", revision, "--", "*.py")
    added = parse_diff(_git(root, "diff", *arguments))
    for path in _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.py").split("\0"):
        if path:
            added[path] = set(range(1, len((root / path).read_text("utf-8").splitlines()) + 1))
    return added


def parse_diff(text: str) -> dict[str, set[int]]:
    """Read the added lines of a diff without context, by path and number."""
    added: defaultdict[str, set[int]] = defaultdict(set)
    path, number = "", 0
    for line in text.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/")
        elif hunk := HUNK.match(line):
            number = int(hunk[1])
        elif line.startswith("+"):
            added[path].add(number)
            number += 1
    return dict(added)


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
