"""Outside work that the user's own means list: a service, a command, or a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ...base.errors import EnvironmentProblem
from ...base.json_types import Json
from ..bounded_request import BoundedRequest, RequestFailed, ServiceAnswer
from ..placeholders import replace_words
from . import WorkItem, WorkloadIdentity, WorkSources

_SECONDS = 10.0
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
        del sources
        request = BoundedRequest(url=self.url, headers=self.headers)
        try:
            answer = request.send(workload.words, _SECONDS)
        except RequestFailed as problem:
            raise EnvironmentProblem(f"effects.http: {problem.args[0]}", hint=problem.hint) from problem
        asked = f"effects.http: GET {request.filled_url(workload.words)}"
        if answer.status == 404:
            return []
        if not answer.is_good:
            raise EnvironmentProblem(
                f"{asked} was answered with {answer.status}: {answer.text}",
                hint="check effects in the subject file",
            )
        return [WorkItem(name, name) for name in _names_in(asked, answer)]


def _names_in(asked: str, answer: ServiceAnswer) -> Iterator[str]:
    """Yield the name of each listed item: a text, or an object with id, name or uid."""
    try:
        document: Json = json.loads(answer.body) if answer.body.strip() else []
    except ValueError:
        document = None
    items = document.get("items") if isinstance(document, dict) else document
    if not isinstance(items, list):
        raise EnvironmentProblem(
            f"{asked} answered {answer.text}, expected a JSON array, or an object with `items`",
            hint="let the service list what it holds for one Workload",
        )
    for item in items:
        named = [str(item[key]) for key in _NAMES if item.get(key)] if isinstance(item, dict) else [str(item)]
        yield named[0] if named else json.dumps(item, sort_keys=True)


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
        # Imported on use: most subject files name no command.
        from ..bounded_command import BoundedCommand, CommandFailed

        command = BoundedCommand(self.argv, self.folder)
        try:
            printed = command.run(workload.words, sources.kubeconfig, _SECONDS)
        except CommandFailed as problem:
            raise EnvironmentProblem(f"effects.run: {problem.args[0]}", hint=problem.hint) from problem
        return [WorkItem(line, line) for line in map(str.strip, printed.splitlines()) if line]


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
