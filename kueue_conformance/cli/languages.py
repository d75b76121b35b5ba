"""The languages of check controllers that `init` knows: the example, its command, its build, and what a
workflow of GitHub needs for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a controller in a language is begun, built and started."""

    files: tuple[str, ...]
    """Patterns of the files of the example, in its folder."""
    connect: str
    build: str = ""
    action: str = ""
    """The action of GitHub that installs what the build needs; empty where runners have it."""
    options: Mapping[str, str]


LANGUAGES: Mapping[str, Language] = {
    "python": Language(files=("controller.py",), connect="process:python controller.py", options={}),
    "java": Language(
        files=("pom.xml", "src/**/*.java"),
        connect="process:java -jar target/check-controller.jar",
        build="mvn -B -q package",
        action="actions/setup-java@v4",
        options={"distribution": "temurin", "java-version": "17"},
    ),
    "go": Language(
        files=("*.go", "go.mod", "go.sum"),
        connect="process:./check-controller",
        build="go build -o check-controller .",
        action="actions/setup-go@v5",
        options={"go-version": "stable"},
    ),
    "rust": Language(
        files=("Cargo.toml", "src/**/*.rs"),
        connect="process:./target/release/check-controller",
        build="cargo build --release",
        options={},
    ),
    "node": Language(
        files=("controller.mjs", "package.json", "package-lock.json"),
        connect="process:node controller.mjs",
        build="npm ci",
        action="actions/setup-node@v4",
        options={"node-version": "20"},
    ),
}


def files_of_example(language: str) -> Mapping[Path, str]:
    """Return the files of an example, by their paths in a new project."""
    folder = resources.example(language)
    paths = [path for pattern in LANGUAGES[language].files for path in sorted(folder.glob(pattern))]
    return {path.relative_to(folder): path.read_text("utf-8") for path in paths}
