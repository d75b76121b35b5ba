"""The languages that `init` knows, of check controllers and of job integrations: the example, its command,
its build, and what a workflow of GitHub needs for it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..base import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a controller in a language is begun, built and started."""

    files: tuple[str, ...]
    """Patterns of the files of the example, in its folder."""
    connect: str
    build: str = ""
    """Its build; `{program}` is what `connect` starts."""
    action: str = ""
    """The action of GitHub that installs what the build needs; empty where runners have it."""
    options: Mapping[str, str] = field(default_factory=dict)

    def build_of(self, connect: str) -> str:
        """Return the command that builds what a connector starts, empty where nothing is built."""
        kind, _, command = connect.partition(":")
        if kind != "process":
            return ""
        # `go run .` starts a command of the machine, which no build may write.
        program = next((word for word in shlex.split(command)[:1] if "/" in word), DEFAULT_PROGRAM)
        return self.build.format(program=shlex.quote(program))

    def files_in(self, folder: Path) -> Mapping[Path, str]:
        """Return the files of the example in a folder, by their paths there."""
        paths = [path for pattern in self.files for path in sorted(folder.glob(pattern))]
        return {path.relative_to(folder): path.read_text("utf-8") for path in paths}


DEFAULT_PROGRAM = "./my-controller"
_NODE_ACTION = "actions/setup-node@v4"
_NODE_OPTIONS = {"node-version": "20"}

LANGUAGES: Mapping[str, Language] = {
    "python": Language(files=("controller.py",), connect="process:python controller.py"),
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
        build="go build -o {program} .",
        action="actions/setup-go@v5",
        options={"go-version": "stable"},
    ),
    "rust": Language(
        files=("Cargo.toml", "src/**/*.rs"),
        connect="process:./target/release/check-controller",
        build="cargo build --release",
    ),
    "node": Language(
        files=("controller.mjs", "package.json", "package-lock.json"),
        connect="process:node controller.mjs",
        build="npm ci",
        action=_NODE_ACTION,
        options=_NODE_OPTIONS,
    ),
    "typescript": Language(
        files=("src/*.ts", "package.json", "package-lock.json", "tsconfig.json"),
        connect="process:node dist/controller.js",
        build="npm ci && npm run build",
        action=_NODE_ACTION,
        options=_NODE_OPTIONS,
    ),
    "bash": Language(files=("controller.sh",), connect="process:bash controller.sh"),
}


def files_of_example(language: str) -> Mapping[Path, str]:
    """Return the files of an example, by their paths in a new project."""
    return LANGUAGES[language].files_in(resources.example(language))
