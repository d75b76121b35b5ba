"""Where a new project lies in its repository: which file GitHub reads as its workflow, and which paths the
steps of that workflow use.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_WORKFLOWS = Path(".github/workflows")


@dataclass(frozen=True, slots=True)
class ProjectPlace:
    """The folder of a project, and the top of the repository that it lies in."""

    folder: Path
    """As it was named on the command line."""
    top: Path

    @classmethod
    def of(cls, folder: Path) -> ProjectPlace:
        """Find the repository of a folder; a folder outside of every repository is a top itself."""
        # Git, too, follows links and `..`.
        absolute = folder.resolve()
        repositories = (path for path in (absolute, *absolute.parents) if (path / ".git").exists())
        return cls(folder, next(repositories, absolute))

    @property
    def inside(self) -> str:
        """The path of the folder in its repository, empty at the top."""
        absolute = self.folder.resolve()
        return "" if absolute == self.top else absolute.relative_to(self.top).as_posix()

    @property
    def workflow(self) -> Path:
        """The file of the workflow, by a path to be printed."""
        if not self.inside:
            return self.folder / _WORKFLOWS / "conformance.yml"
        name = f"conformance-{self.inside.replace('/', '-')}.yml"
        return Path(os.path.relpath(self.top)) / _WORKFLOWS / name

    def package(self, requirement: str) -> str:
        """Return a pip requirement as the workflow names it: a file of the repository by its path from the
        folder, in which the steps run.
        """
        path = Path(requirement)
        # pip takes a word without a slash for the name of a project, unless it is a wheel.
        if not ("/" in requirement or path.suffix == ".whl") or not path.exists():
            return requirement
        absolute = path.resolve()
        if not absolute.is_relative_to(self.top):
            return str(absolute)
        return f"./{os.path.relpath(absolute, self.folder.resolve())}"
