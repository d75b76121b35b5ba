"""The ordered story of objects: every write with author and revision, from the server's journal or a watch.

A `Change` is one revision of one object. The story is the evidence of a failure and the ground for `never`
and the safety rules (harness/H-21, N-02).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from ..base.json_types import Json
from ..base.numbers import whole

WRITES = frozenset({"create", "update", "patch", "delete", "deletecollection"})
_BAD_REQUEST = 400
_NO_QUERY: Mapping[str, str] = MappingProxyType({})
Owns: TypeAlias = Callable[[str, str, str], bool]
"""Tells by kind, namespace and name whether a thing belongs to a case."""
SUBJECT = "subject"
"""The actor of the judged controller's writes:
known by its user, whatever its User-Agent says (harness/H-47).
"""
KUEUE = "kueue"
"""The actor of a control plane's refused writes."""
UNKNOWN = "unknown"
"""The actor of a change whose author is not known from a watch."""
PLAYERS = ("kueue-conformance", "outside-system", "check-player")
"""Prefixes of the harness's actors that stand for users and check controllers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One write that had an effect.

    `before` is None for a creation, `after` for a removal; `at` is seconds since the epoch.
    """

    revision: int
    at: float
    actor: str
    verb: str
    kind: str
    namespace: str
    name: str
    before: Json | None
    after: Json | None
    subresource: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of the subject, also one that was refused or changed nothing.

    `verb` is the one that RBAC speaks of, `code` the HTTP status, `kind` empty where the harness knows none
    for the resource.
    """

    at: float
    user: str = ""
    agent: str = ""
    verb: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    code: int
    message: str = ""
    changed: bool = False
    patch_type: str = ""
    manager: str = ""
    body: bytes = b""
    answered: int = 0
    """Bytes of the answer's body; 0 for a watch."""
    query: Mapping[str, str] = field(default_factory=lambda: _NO_QUERY)

    @property
    def writes(self) -> bool:
        """Whether the request writes (no dry run)."""
        # A dry run has a write's verb and changes nothing.
        return self.verb in WRITES and "dryRun" not in self.query

    @property
    def is_refused(self) -> bool:
        """Whether it was answered with an error."""
        return self.code >= _BAD_REQUEST

    @property
    def replica(self) -> int:
        """The user name of the replica that sent the request."""
        # The first replica's user has no number.
        number = whole(self.user.rpartition(f"{SUBJECT}-")[2])
        return 1 if number is None else number

    @property
    def target(self) -> str:
        """The resource as RBAC names it, with its subresource after a slash."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource

    def __str__(self) -> str:
        where = "/".join(filter(None, [self.namespace, self.name]))
        return " ".join(filter(None, [self.verb, self.target, where, f"(HTTP {self.code})"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of the subject to the outside system about a Workload,
    with HTTP status and body of the answer.
    """

    at: float
    namespace: str
    workload: str
    check: str
    code: int = 200
    answer: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreleasedWork:
    """Outside work of the subject that is held at the end of a case for a Workload that needs it no more.

    `at` and `revision` are those of the newest change of the Workload; `row` asks for the release.
    """

    at: float
    revision: int
    namespace: str
    name: str
    row: str
    noun: str
    items: Sequence[str]
    kind: str = "Workload"


class Recorder(Protocol):
    """Records every change of a cluster from the start of a scenario on."""

    @property
    def knows_users(self) -> bool:
        """Whether it knows the user of each request,
        so that the subject's writes are known with certainty.
        """

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds whose every change is recorded."""

    def follow(self, group: str, resource: str, kind: str) -> None:
        """Have one more kind in the story from now on, where that is possible."""

    def changes(self) -> Sequence[Change]:
        """Return the changes so far, in order of their revisions.

        A later call may have new changes in its middle, where watches of several kinds deliver out of step: a
        reader that goes on where it stopped reads `arrivals`.
        """

    def arrivals(self, since: int) -> Sequence[Change]:
        """Return the changes from the `since`-th on, in order of arrival: their positions stay."""

    def complete(self) -> None:
        """Wait until the changes so far are all that the server has now: a watch may be late."""

    def newest_revision(self) -> int:
        """Return the newest revision of the server, also where a watch has not delivered it yet; 0 where
        nothing was written.
        """

    def requests(self) -> Sequence[Request]:
        """Return the subject's requests so far, in order of their answers;
        none where requests cannot be seen.
        """

    def attempts(self) -> Sequence[Request]:
        """Return the requests that write known kinds."""

    def refused_writes(self) -> Sequence[Request]:
        """Return the writes that the server called wrong, by clients other than subject and harness; none
        where requests cannot be seen.
        """


class History:
    """The story of a cluster; `of` narrows it to one object."""

    def __init__(self, recorder: Recorder, keep: Callable[[Change], bool] = lambda _: True) -> None:
        self._recorder = recorder
        self._keep = keep

    def __iter__(self) -> Iterator[Change]:
        # Asked anew at each iteration: the recorder goes on.
        return filter(self._keep, self._recorder.changes())

    def of(self, kind: str, name: str, namespace: str = "") -> History:
        """Return the story of one object."""
        return self._narrow(
            lambda change: (change.kind, change.name, change.namespace) == (kind, name, namespace)
        )

    def by(self, actor: str) -> History:
        """Return the changes of one actor: `SUBJECT`, or the first part of a User-Agent."""
        return self._narrow(lambda change: change.actor == actor)

    def after(self, revision: int) -> History:
        """Return the changes after a revision."""
        return self._narrow(lambda change: change.revision > revision)

    def until(self, revision: int) -> History:
        """Return the changes up to a revision."""
        return self._narrow(lambda change: change.revision <= revision)

    @property
    def last_revision(self) -> int:
        """The revision of the newest change, 0 when there is none."""
        return max((change.revision for change in self), default=0)

    def _narrow(self, keep: Callable[[Change], bool]) -> History:
        outer = self._keep
        return History(self._recorder, lambda change: outer(change) and keep(change))
