"""The story: a Job waits, gets quota, asks for machines, runs on them, and the machines go; on virtual time,
so that it takes no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import yaml

from reference_impl.autoscaler.flags import Flags
from reference_impl.cloud.groups import NodeGroupSpec

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from .journal_rows import RowChange, happenings
from .world import world

GROUP = NodeGroupSpec(
    "pool",
    max=4,
    cpu="4",
    memory="16Gi",
    labels={"example.com/pool": "batch"},
    boot_seconds=60,
    ready_seconds=5,
)
FLAGS = Flags(enable_provisioning_requests=True)
LONGEST_SECONDS = 3600.0
"""Seconds of virtual time that the demonstration lasts at most."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the story: it begins with the first object of a kind in a state; an empty state is an object
    that is gone.
    """

    title: str
    kind: str
    state: str


CHAPTERS = (
    Chapter("A Job is created, and waits", "Job", "Suspended"),
    Chapter("Kueue reserves quota, and asks for machines", "Workload", "Prechecked"),
    Chapter(
        "The autoscaler takes the request up, and has a node group grow", "ProvisioningRequest", "Accepted"
    ),
    Chapter("Kueue lets the Job start; its pods wait for the nodes", "Workload", "Admitted"),
    Chapter("The machines come up", "Node", "NotReady"),
    Chapter("The pods run", "Pod", "Running"),
    Chapter("The Job is done, and its quota is free", "Workload", "Finished"),
    Chapter("Nodes that nothing has used for ten minutes go", "Node", ""),
)


@dataclass(frozen=True, slots=True)
class ChapterEvents:
    """A chapter with what happened in it."""

    chapter: Chapter
    happenings: Sequence[RowChange]


def play() -> Sequence[ChapterEvents]:
    """Run the demonstration, and return its chapters.

    Raises EnvironmentProblem when one of them did not happen.
    """
    with world([GROUP], FLAGS, manifests("queues.yaml"), manifests("job.yaml")) as cluster:
        cluster.advance(LONGEST_SECONDS)
        return divide_into_chapters(happenings(cluster))


def manifests(name: str) -> Sequence[Json]:
    """Return the objects of a file of this folder."""
    return list(yaml.safe_load_all(text(name)))


def text(name: str) -> str:
    """Return a file of this folder."""
    return (files(__package__) / name).read_text("utf-8")


def divide_into_chapters(every: Sequence[RowChange]) -> Sequence[ChapterEvents]:
    """Divide the writes into chapters. Raises EnvironmentProblem when one is missing or out of order."""
    begins = [_beginning(chapter, every) for chapter in CHAPTERS]
    if begins != sorted(begins):
        raise EnvironmentProblem(
            f"the chapters of the demonstration happened in another order: {begins}",
            hint="this is a bug of the reference: please report it",
        )
    ends = [*begins[1:], len(every)]
    return [
        ChapterEvents(chapter, every[first:last])
        for chapter, first, last in zip(CHAPTERS, begins, ends, strict=True)
    ]


def _beginning(chapter: Chapter, every: Sequence[RowChange]) -> int:
    for number, happening in enumerate(every):
        if (happening.kind, happening.state) == (chapter.kind, chapter.state):
            return number
    raise EnvironmentProblem(
        f"the demonstration did not reach {chapter.title!r}: no {chapter.kind} became {chapter.state or 'gone'}",
        hint="this is a bug of the reference: please report it",
    )
