"""Observes a live cluster without writing: judges the safety
rules on what a watch shows of a controller (harness/N-11).

`reader` only sends GET, `follower` lists and watches, `authors` guesses authors from
managedFields, `observer` judges Workload by Workload. No module here can write.
"""

from __future__ import annotations

from ..wire.follower import Follower
from ..wire.reader import Reader
from .observer import Observation, Observer

__all__ = ["Follower", "Observation", "Observer", "Reader"]
