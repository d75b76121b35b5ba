"""`python -m tools.imported_names`: every name that a test takes from the checkout is defined there.

mypy does not read tests, suites and benchmarks, and most of them are collected long after a name was renamed.
This check parses their files once and imports nothing. A name counts where it is imported (`from .site import
start`), where it is read of a module (`module.name`), and where a text names it for a replacement
(`monkeypatch.setattr(clock, "render", …)`).
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .checkout import Checkout

ROOT = Path(__file__).parents[2]
READ_BY_MYPY = ("fakecluster", "kueue_conformance", "reference_impl", "tools")
"""Packages of `[tool.mypy]` in pyproject.toml: of these only the tests are read here."""


def list_python_files(root: Path) -> Iterator[str]:
    """Yield the paths of the Python files that Git knows, new ones that it does not ignore among them."""
    arguments = ("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.py")
    command = ["git", "-C", str(root), *arguments]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return (path for path in listing.split("\0") if path and (root / path).is_file())


def is_read_by_mypy(path: str) -> bool:
    """Tell whether mypy finds what is wrong with the imports of a file."""
    folders = path.split("/")
    return folders[0] in READ_BY_MYPY and "tests" not in folders


def main() -> int:
    """Print the names that are defined nowhere; returns 1 where there are some."""
    checkout = Checkout(ROOT, frozenset(list_python_files(ROOT)))
    unresolved = [
        line
        for path in sorted(checkout.paths)
        if not is_read_by_mypy(path)
        for line in checkout.find_unresolved(path)
    ]
    for line in unresolved:
        print(line)
    return int(bool(unresolved))


if __name__ == "__main__":
    sys.exit(main())
