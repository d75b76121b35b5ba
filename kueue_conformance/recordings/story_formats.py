"""Forms of recordings: what is compared after a step, and when a state counts as final."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..base.errors import unknown
from ..base.json_types import Json
from . import quota_view, view


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryFormat:
    """How the stories of a file were recorded."""

    views: Mapping[str, Callable[[Json], Json]]
    """The compared part of an object, by kind; other kinds are not compared."""
    tellers: frozenset[str] | None = None
    """The kinds whose events are compared; None for all."""
    calm: float
    """Seconds without a change that the recording waited for before it read the state."""
    by_part: bool
    """A file names the parts of an object that have changed; otherwise the whole object, where one has."""
    rests: bool
    """Each action is followed by a wait for quiet, and not only the last of a step."""


WORKLOADS = "workloads"
"""One Workload from its creation to its end, with all that is written about it."""
QUEUES = "queues"
"""Who gets which quota, of many Workloads in many queues."""
FORMS: Mapping[str, StoryFormat] = MappingProxyType(
    {
        WORKLOADS: StoryFormat(views=view.VIEWS, calm=3.0, by_part=False, rests=True),
        QUEUES: StoryFormat(
            views=quota_view.VIEWS,
            tellers=frozenset({"Workload"}),
            calm=2.2,
            by_part=True,
            rests=False,
        ),
    }
)


def form(name: str) -> StoryFormat:
    """Return a form. Raises UsageError for a name that is none."""
    if name not in FORMS:
        raise unknown("form of a story", name, FORMS)
    return FORMS[name]
