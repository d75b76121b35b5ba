"""Whom a binding reaches: its subjects by name, so that a user of many groups is looked up and not compared
with each of them (FK-394).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...api.outcome import User
from ...base.json_types import Json
from ...store import Stored

SERVICE_ACCOUNT = "system:serviceaccount:"


class Subjects(Struct, frozen=True):
    """The subjects of a binding, and the first place of each user and group among them."""

    subjects: tuple[Json, ...]
    users: Mapping[str, int]
    groups: Mapping[str, int]

    def reaching(self, user: User, groups: frozenset[str]) -> Json | None:
        """Return the first subject that a user of these groups is, None when there is none."""
        # Whichever is shorter is gone through: both may have ten thousands.
        shared = (
            [name for name in groups if name in self.groups]
            if len(groups) <= len(self.groups)
            else [name for name in self.groups if name in groups]
        )
        places = [self.groups[name] for name in shared]
        if user.name in self.users:
            places.append(self.users[user.name])
        return self.subjects[min(places)] if places else None


def subjects_of(binding: Stored) -> Subjects:
    """Return the subjects of a stored binding, which are made once."""
    index: Subjects | None = binding.cache.get(subjects_of)
    if index is None:
        index = binding.cache[subjects_of] = _index(binding)
    return index


def _index(binding: Stored) -> Subjects:
    subjects = tuple(binding.object.get("subjects") or ())
    users: dict[str, int] = {}
    groups: dict[str, int] = {}
    for position, subject in enumerate(subjects):
        kind, name = subject["kind"], subject["name"]
        if kind == "Group":
            groups.setdefault(name, position)
        elif kind == "User":
            users.setdefault(name, position)
        elif kind == "ServiceAccount":
            namespace = subject.get("namespace") or binding.name[0]
            users.setdefault(f"{SERVICE_ACCOUNT}{namespace}:{name}", position)
    return Subjects(subjects, users, groups)
