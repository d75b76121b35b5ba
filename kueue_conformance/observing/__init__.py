"""A live cluster, only looked at: the safety rules judged on what a watch shows of a controller (harness/N-11).

`reading` can do nothing but GET, `following` keeps what is there and tells what changed, `authors` guesses who wrote it from
managedFields, `judging` judges one Workload after another. Nothing here knows how to write.
"""

from __future__ import annotations

from ..wire.following import Follower
from ..wire.reading import Reader
from .judging import Observation, Observer

__all__ = ["Follower", "Observation", "Observer", "Reader"]
