"""The checkout that is tested: its files and its documents."""

import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("fakecluster", "reference_impl", "kueue_conformance", "suites", "tools")
_BLOCK = re.compile(r"<!-- (?P<label>[^>]+) -->\n```python\n(?P<code>.*?)```", re.DOTALL)
_PROMPT = re.compile(r"^\$ (.*?)(?:\s+#.*)?(?: &)?$", re.MULTILINE)


@cache
def files() -> tuple[Path, ...]:
    """Return every file that belongs to the project, as git knows it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return tuple(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())


def modules() -> list[Path]:
    """Return the Python modules of the packages, tests left out."""
    return [
        path
        for path in files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in PACKAGES and "tests" not in path.parts
    ]


def path_as_id(path: Path) -> str:
    """Return a path as a test's id."""
    return str(path.relative_to(ROOT))


def block(document: str, label: str) -> str:
    """Return the Python block of a document that follows a label."""
    text = (ROOT / document).read_text("utf-8")
    return next(match["code"] for match in _BLOCK.finditer(text) if match["label"] == label)


def commands(*programs: str) -> list[str]:
    """Return the command lines of the documents that call one of these programs."""
    documents = [path for path in files() if path.suffix == ".md"]
    lines = {line for path in documents for line in _PROMPT.findall(path.read_text("utf-8"))}
    return sorted(line for line in lines if line.startswith(programs))
