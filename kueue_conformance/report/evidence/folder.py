"""The evidence of a run: a file for each case, written by its process,
and an index, written by the leading process.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ...base.files import input_limits
from ...base.files.saving import make_folder, save
from ...base.json_types import Json
from ...base.resources import schema

FOLDER, INDEX = "evidence", "index.json"
API_VERSION, KIND = "kueue-conformance.dev/v1", "EvidenceIndex"
_ENDINGS = (".ndjson", ".log")
_CASE = re.compile(r"\[(.*)\]$")


def file_name(scenario: str, test: str) -> str:
    """Return the name of a case's file, such as `CHK-020-v0.19-Ready.ndjson`."""
    match = _CASE.search(test)
    words = re.sub(r"[^\w.-]+", "-", match[1] if match else test)
    # File systems take 255 bytes for a name.
    return f"{scenario}-{words[:120]}.ndjson"


class Folder:
    """The folder `evidence` beside a report, or another one with a file for each case."""

    def __init__(self, report_folder: Path, name: str = FOLDER) -> None:
        self.path = report_folder / name

    def write(self, name: str, content: bytes) -> str:
        """Write a file that its owner alone can read; return its path as the report names it.

        Raises EnvironmentProblem.
        """
        make_folder(self.path, ours=True)
        save(self.path / name, content, private=True)
        return f"{self.path.name}/{name}"

    def file(self, name: str) -> Path:
        """Return the file that a report names. Raises UsageError for a name that leads out of the folder."""
        file = self.path.parent / name
        # Both by text and by what links lead to.
        inside = file.parent == self.path and file.resolve().parent == self.path.resolve()
        if not inside or Path(name).parts[:1] != (FOLDER,):
            raise UsageError(
                f"the report names {input_limits.shorten(name)!r} as evidence, which is not in the folder {FOLDER!r} beside it",
                hint="pass the report on together with the folder that its run wrote",
            )
        return file

    def close(self, cases: Sequence[Mapping[str, Any]]) -> None:
        """Write the index of this run's files, and remove those of earlier runs; a row has file, scenario,
        test and outcome.
        """
        # A link may lead to a folder of others, whose files must not be removed.
        if self.path.is_symlink():
            return
        self.keep(str(case["file"]) for case in cases)
        if not cases:
            (self.path / INDEX).unlink(missing_ok=True)
            return
        rows = [{**case, "sha256": digest(self.path / Path(case["file"]).name)} for case in cases]
        content = {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "files": sorted(rows, key=lambda row: str(row["file"])),
        }
        save(self.path / INDEX, json.dumps(content, indent=1) + "\n")

    def keep(self, named: Iterable[str]) -> None:
        """Remove the files of earlier runs; `named` are this run's.

        A symbolic link in place of the folder is left alone.
        """
        names = {Path(name).name for name in named}
        for stale in () if self.path.is_symlink() else self._files():
            if stale.name not in names:
                stale.unlink()

    def index(self) -> Sequence[Json]:
        """Return the rows of the index, none where it is missing.

        Raises UsageError for a file of another form.
        """
        from jsonschema import Draft202012Validator

        file = self.path / INDEX
        if not file.is_file():
            return []
        try:
            index = input_limits.json_of(input_limits.content(file))
        except (OSError, ValueError) as problem:
            raise UsageError(
                f"{str(file)!r} is no index: {input_limits.shorten(str(problem))}",
                hint="use the folder as the run wrote it",
            ) from problem
        wrong = next(Draft202012Validator(schema("evidence-index")).iter_errors(index), None)
        if wrong is not None:
            raise UsageError(
                f"{str(file)!r} is no index: {input_limits.shorten(wrong.message)}",
                hint="use the folder as the run wrote it",
            )
        rows: Sequence[Json] = index["files"]
        return rows

    def problems(self, named: Iterable[str]) -> Iterator[str]:
        """Yield the problems of the files, given those that the report names."""
        rows = {row["file"]: row["sha256"] for row in self.index()}
        for name in sorted({*named, *rows}):
            file = self.file(name)
            if name not in rows:
                yield f"{name}: the report names it, the index does not"
            elif not file.is_file():
                yield f"{name}: it is missing"
            elif digest(file) != rows[name]:
                yield f"{name}: it is not what the run wrote"

    def _files(self) -> list[Path]:
        return sorted(file for ending in _ENDINGS for file in self.path.glob(f"*{ending}"))


def digest(file: Path) -> str:
    """Return the SHA-256 of a file, "" when it is missing."""
    return "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
