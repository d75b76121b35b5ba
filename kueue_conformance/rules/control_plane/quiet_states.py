"""The moments of quiet in a story: a step that Kueue owes then, it will never do by itself."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ...base.json_types import Json
from ...history.present_objects import ObjectKey, apply_change
from ...history.story import Change
from ..story import Story
from ..workload import owner
from ..writes import World


@dataclass(frozen=True, slots=True)
class QuietState:
    """All objects while nothing happens, by kind, namespace and name, and the newest change of each."""

    at: float
    """The time of the last change before it, in seconds since the epoch."""
    until: float
    """The time of the next change, or of the story's end."""
    objects: World
    newest: Mapping[ObjectKey, Change]
    notice_seconds: float
    flavor_sets: Mapping[str, Collection[frozenset[str]]]
    """The flavors that each ClusterQueue has had, at one time after another."""

    def of(self, kind: str, name: str, namespace: str = "") -> Json:
        """Return an object, None where it is not there."""
        return self.objects.get((kind, namespace, name))

    def all(self, kind: str) -> Iterator[tuple[Change, Json]]:
        """Yield every object of a kind with its newest change."""
        yield from ((self.newest[key], object_) for key, object_ in self.objects.items() if key[0] == kind)

    @property
    def is_long(self) -> bool:
        """Whether it lasts so long that what is gathered for a second is done as well (Q-050, Q-380)."""
        return self.until - self.at >= self.notice_seconds

    def queues(self, workload: Json) -> tuple[Json, Json]:
        """Return the LocalQueue of a Workload and its ClusterQueue, None for what is not there."""
        namespace, name = workload["metadata"].get("namespace", ""), workload["spec"].get("queueName", "")
        local = self.of("LocalQueue", name, namespace)
        return local, self.of("ClusterQueue", ((local or {}).get("spec") or {}).get("clusterQueue", ""))

    def job(self, workload: Json) -> Json:
        """Return the Job that a Workload is for, None where it has none."""
        reference = owner(workload)
        if reference.get("kind") != "Job":
            return None
        return self.of("Job", reference["name"], workload["metadata"].get("namespace", ""))


def flavors_of_queue(queue: Json) -> frozenset[str]:
    """Return the flavors of a ClusterQueue."""
    groups = queue["spec"].get("resourceGroups") or ()
    return frozenset(flavor["name"] for group in groups for flavor in group.get("flavors") or ())


def rests(story: Story) -> Iterator[QuietState]:
    """Yield each moment of rest, in their order."""
    objects: dict[ObjectKey, Json] = {}
    newest: dict[ObjectKey, Change] = {}
    flavor_sets: dict[str, set[frozenset[str]]] = defaultdict(set)
    settled = sorted({*story.settled})
    for change, following in zip(story.changes, [*story.changes[1:], None], strict=False):
        apply_change(objects, change)
        newest[change.kind, change.namespace, change.name] = change
        if change.kind == "ClusterQueue" and change.after is not None:
            flavor_sets[change.name].add(flavors_of_queue(change.after))
        # After the last change every moment of quiet counts.
        end = following.revision if following else settled[-1] + 1 if settled else 0
        if bisect_left(settled, change.revision) != bisect_left(settled, end):
            # The mappings are shared and go on to change: a rest is good until the next is asked
            # for.
            until = following.at if following else story.until
            yield QuietState(change.at, until, objects, newest, story.notice_seconds, flavor_sets)


def last_rest(story: Story) -> QuietState | None:
    """Return the last moment of rest, None where there is none;
    what is left is in the state that it will keep.
    """
    end = max(story.settled, default=0)
    before = [change for change in story.changes if change.revision <= end]
    # What came after the last rest is left out: Kueue may be in the midst of it.
    return next(rests(replace(story, changes=before, settled=(end,))), None)
