"""A finding: a story, what interrupted it, and what was not allowed; as a file that can be played again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import yaml

from ..base.errors import UsageError
from ..base.files.saving import save
from ..history.story import Change
from .check_controllers.story import Story as ControllerStory
from .control_planes.story import Story as PlaneStory
from .job_integrations.story import Story as IntegrationStory
from .perturbation import Perturbation
from .story import Story

VERSION = 2
_FIELDS = frozenset(
    {"exploration", "seed", "dialect", "cause", "failed", "runs", "acts", "perturbation", "text"}
)
_CONTROLLER_FIELDS = frozenset(
    {"workloads", "checks", "foreign-checks", "namesakes", "pod-sets", "drawn-names"}
)
_INTEGRATION_FIELDS = frozenset({"integration-checks", "flavors", "drawn-names"})
_AnyStory = ControllerStory | IntegrationStory | PlaneStory


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What was explored: the dialect, of a control plane its name, and that of the other one, and the safety
    rules that were left out (`--known`).
    """

    dialect: str
    control_plane: str = ""
    against: str = ""
    known_breaches: tuple[str, ...] = ()

    def as_fields(self) -> Mapping[str, Any]:
        """Return it as fields of a file."""
        plane = {"control-plane": self.control_plane, "against": self.against} if self.control_plane else {}
        known = {"known": [*self.known_breaches]} if self.known_breaches else {}
        return {"dialect": self.dialect, **plane, **known}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`failed` of `runs` runs of the story broke the rule `cause`."""

    story: Story
    perturbation: Perturbation | None
    seed: int
    identity: Identity
    cause: str
    text: str
    failed: int = 1
    runs: int = 1
    changes: Sequence[Change] = field(default=(), compare=False, repr=False)
    """What was written in a run that showed it; nothing in a finding that was read from a file."""

    @property
    def rate(self) -> str:
        """How often it comes: `3 of 3`, or `flaky, 2 of 5`."""
        count = f"{self.failed} of {self.runs}"
        return count if self.failed == self.runs else f"flaky, {count}"

    def lines(self) -> Sequence[str]:
        """Return the finding for a terminal: cause, acts and perturbation, and what to look for."""
        perturbation = self.perturbation
        marked = perturbation.act if perturbation else 0
        acts = [
            f"  {number:>2}  {act}{f'   <- {perturbation.kind.meaning}' if perturbation and number == marked else ''}"
            for number, act in enumerate(self.story.acts, 1)
        ]
        advice = f"a {self.story.program} that is right {perturbation.kind.advice}" if perturbation else ""
        return [
            f"{self.cause}  ({self.rate}, seed {self.seed})",
            *acts,
            *([f"  look for   {advice}"] if advice else []),
            *self.text.splitlines(),
        ]

    def as_document(self) -> dict[str, Any]:
        """Return it as the content of a file."""
        return {
            "exploration": VERSION,
            "seed": self.seed,
            **self.identity.as_fields(),
            "cause": self.cause,
            "failed": self.failed,
            "runs": self.runs,
            **self.story.as_fields(),
            "perturbation": str(self.perturbation) if self.perturbation else "",
            "text": self.text,
        }

    @classmethod
    def of(cls, document: Any, file: Path) -> Self:
        """Return the finding of a file's content. Raises UsageError, which names file and field."""
        _check_fields(document, file)
        story = story_of(document, file)
        text = document["perturbation"]
        perturbation = Perturbation.of(text, story.kinds) if text else None
        if perturbation is not None and perturbation.act > len(story.acts):
            raise UsageError(
                f"{file}: {perturbation} is behind the last act, {len(story.acts)}",
                hint="name an act of the story",
            )
        if perturbation is not None and story.is_wait(perturbation.act):
            raise UsageError(
                f"{file}: {perturbation} is at a wait, in which nothing begins", hint="name another act"
            )
        return cls(
            story=story,
            perturbation=perturbation,
            seed=int(document["seed"]),
            identity=Identity(
                dialect=str(document["dialect"]),
                control_plane=str(document.get("control-plane", "")),
                against=str(document.get("against", "")),
                known_breaches=tuple(document.get("known", ())),
            ),
            cause=str(document["cause"]),
            text=str(document["text"]),
            failed=int(document["failed"]),
            runs=int(document["runs"]),
        )


def story_of(document: Mapping[str, Any], file: Path) -> Story:
    """Return the story of a file's fields: one of a control plane where no field of another role is there.

    Raises UsageError.
    """
    story, fields = _role_of(document)
    if missing := sorted((fields | {"acts"}) - document.keys()):
        raise UsageError(f"{file} lacks {', '.join(missing)}", hint="take the fields that `explore` wrote")
    return story.of(document, file)


def _role_of(document: Mapping[str, Any]) -> tuple[type[_AnyStory], frozenset[str]]:
    """Return the class of a story, and the fields that it has beside its acts."""
    if "workloads" in document:
        return ControllerStory, _CONTROLLER_FIELDS
    if "integration-checks" in document:
        return IntegrationStory, _INTEGRATION_FIELDS
    return PlaneStory, frozenset()


def _check_fields(document: Any, file: Path) -> None:
    if not isinstance(document, dict) or document.get("exploration") != VERSION:
        version = document.get("exploration") if isinstance(document, dict) else None
        raise UsageError(
            f"{file} is no finding of version {VERSION}: `exploration` is {version!r}",
            hint="explore again: acts of another release mean something else",
        )
    numbers = [field for field in ("seed", "failed", "runs") if not isinstance(document.get(field, 0), int)]
    if numbers or not isinstance(document.get("acts", []), list):
        raise UsageError(
            f"{file}: {', '.join(numbers) or 'acts'} is no {'number' if numbers else 'list'}",
            hint="edit the acts of a finding, one in a line, and leave the rest",
        )
    known = document.get("known", [])
    if not isinstance(known, list) or not all(isinstance(rule, str) for rule in known):
        raise UsageError(
            f"{file}: known is {known!r}, expected a list of safety rules",
            hint="write it as `known: [CC-035]`, or leave it out",
        )
    missing = sorted(_FIELDS - document.keys())
    # Without these it would be read as a story of a control plane.
    if not document.keys() & {"control-plane", "workloads", "integration-checks"}:
        missing.append("workloads")
    if missing:
        raise UsageError(f"{file} lacks {', '.join(missing)}", hint="name a file that `explore` wrote")


def read_finding(file: Path) -> Finding:
    """Return the finding in a file. Raises UsageError."""
    try:
        document = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as problem:
        raise UsageError(
            f"{file} cannot be read: {problem}", hint="name a file of a folder of findings"
        ) from problem
    return Finding.of(document, file)


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as a block of these lines."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def write_finding(finding: Finding, folder: Path) -> Path:
    """Write a finding as `0001.yaml`, or behind those of earlier runs, and return the file.

    Raises EnvironmentProblem.
    """
    numbers = [int(file.stem) for file in folder.glob("[0-9]*.yaml") if file.stem.isdecimal()]
    file = folder / f"{max(numbers, default=0) + 1:04}.yaml"
    save(file, yaml.dump(finding.as_document(), Dumper=_Dumper, sort_keys=False, allow_unicode=True))
    return file
