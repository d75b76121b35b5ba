"""Outside work that the user's own means list: a service, a command, or a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from ...base.errors import EnvironmentProblem
from ...base.json_types import Json
from ..drivers.decision import replace_words
from . import WorkItem, WorkloadIdentity, WorkSources

_SECONDS = 10.0
_SHOWN = 200
_NAMES = ("id", "name", "uid")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceWork:
    """What a GET of a URL lists: a JSON array, or the `items` of an object; 404 means nothing."""

    url: str
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    noun = "item of the service"
    manifest = None
    needs_garbage_collection = False

    def items(self, workload: WorkloadIdentity, sources: WorkSources) -> Sequence[WorkItem]:
        """Return what the service lists for a Workload. Raises EnvironmentProblem."""
        # Imported on use: every command reads subject files (SH-22).
        import urllib3

        del sources
        url = quote(replace_words(self.url, workload.words), safe=":/?&=%#@!$'()*+,;[]~")
        try:
            answer = urllib3.request(
                "GET", url, headers=dict(self.headers), retries=False, timeout=_SECONDS, preload_content=True
            )
        except (urllib3.exceptions.HTTPError, ValueError) as problem:
            raise EnvironmentProblem(
                f"effects.http: GET {url} got no answer: {problem}",
                hint="is the service running? the subject or you have to start it",
            ) from problem
        if answer.status == 404:
            return []
        if not 200 <= answer.status < 300:
            raise EnvironmentProblem(
                f"effects.http: GET {url} was answered with {answer.status}: {_shown(answer.data)}",
                hint="check effects in the subject file",
            )
        return [WorkItem(name, name) for name in _names_in(url, answer.data)]


def _names_in(url: str, data: bytes) -> Iterator[str]:
    """Yield the name of each listed item: a text, or an object with id, name or uid."""
    try:
        document: Json = json.loads(data) if data.strip() else []
    except ValueError:
        document = None
    items = document.get("items") if isinstance(document, dict) else document
    if not isinstance(items, list):
        raise EnvironmentProblem(
            f"effects.http: GET {url} answered {_shown(data)}, expected a JSON array, or an object with `items`",
            hint="let the service list what it holds for one Workload",
        )
    for item in items:
        named = [str(item[key]) for key in _NAMES if item.get(key)] if isinstance(item, dict) else [str(item)]
        yield named[0] if named else json.dumps(item, sort_keys=True)


def _shown(data: bytes) -> str:
    return data.decode("utf-8", "replace")[:_SHOWN].strip() or "nothing"


@dataclass(frozen=True, slots=True)
class CommandWork:
    """What a command prints, a line for each piece of work; it runs in the folder of the subject file."""

    argv: Sequence[str]
    folder: Path

    noun = "line of the command"
    manifest = None
    needs_garbage_collection = False

    def items(self, workload: WorkloadIdentity, sources: WorkSources) -> Sequence[WorkItem]:
        """Return what the command lists for a Workload. Raises EnvironmentProblem."""
        import os
        import shlex
        import subprocess

        from ..drivers.command import search_path

        # Word by word and without a shell: a name cannot become a second command.
        argv = replace_words(list(self.argv), workload.words)
        try:
            done = subprocess.run(
                argv,
                cwd=self.folder,
                env={**os.environ, "PATH": search_path(), "KUBECONFIG": sources.kubeconfig},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=True,
            )
        except subprocess.CalledProcessError as problem:
            said = (problem.stdout + problem.stderr).strip()[-_SHOWN:] or "it printed nothing"
            raise EnvironmentProblem(
                f"effects.run: {shlex.join(argv)} ended with exit code {problem.returncode}: {said}",
                hint="run it by hand to see why",
            ) from problem
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise EnvironmentProblem(
                f"effects.run: {shlex.join(argv)} cannot be run: {problem}",
                hint="check effects in the subject file; its folder is the working directory",
            ) from problem
        return [WorkItem(line, line) for line in map(str.strip, done.stdout.splitlines()) if line]


@dataclass(frozen=True, slots=True)
class FileWork:
    """Files of a folder, by a pattern that names the Workload."""

    pattern: str
    folder: Path

    noun = "file"
    manifest = None
    needs_garbage_collection = False

    def items(self, workload: WorkloadIdentity, sources: WorkSources) -> Sequence[WorkItem]:
        """Return the files of a Workload."""
        del sources
        # Names of Kubernetes have no characters with a meaning in a pattern.
        pattern = self.folder / replace_words(self.pattern, workload.words)
        anchor = Path(pattern.anchor)
        paths = sorted(anchor.glob(str(pattern.relative_to(anchor))))
        # A file that is written again in place is the same work: its number on the disk stays.
        return [WorkItem(f"{path}#{path.stat().st_ino}", path.name) for path in paths]
