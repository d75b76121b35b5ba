"""One run: a fork of the cluster, the operator, the acts one after another, and what there is at the end."""

from __future__ import annotations

import inspect
import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from ..cluster.fake_cluster import FakeCluster
from .disturbance import Disturbance
from .end_state import EndState, differences, end_state
from .operators import USERS, Operator
from .perturbations import Perturbation
from .rest import Activity
from .supervision import MOST_CRASHES, OperatorEndedError, Supervisor
from .trace import Trace, trace_of

Drive: TypeAlias = Callable[[FakeCluster], object]
"""Acts on a cluster; where it yields, the operator comes to rest before it goes on."""
Check: TypeAlias = Callable[[FakeCluster], object]
"""Raises AssertionError when the end is not as it has to be."""
START_SECONDS = 60.0
"""Seconds that an operator has from its start to its first request."""
REST_SECONDS = 60.0
"""Seconds in which an operator has to come to rest."""
UNPERTURBED_SECONDS = 60.0
"""Seconds in which it has to pass without a perturbation."""
SHOWN_REQUESTS = 5
"""Requests that are shown of an operator that does not come to rest."""


class Exploration(Struct, frozen=True, kw_only=True):
    """What is played again and again."""

    cluster: FakeCluster
    operator: Operator
    drive: Drive
    check: Check | None
    may_differ: Sequence[str]
    patience_seconds: float
    calm_seconds: float
    most_writes: float = math.inf
    """How many writes of the operator are too many for one run."""


class RunResult(Struct, frozen=True, kw_only=True):
    """What a run has shown."""

    end: EndState
    trace: Trace
    failure: Sequence[str] = ()
    """Why the end is not as it has to be, in lines; none when it is."""
    is_down: bool = False
    """Whether the operator did not go on: it ended, or asked for nothing after a start."""
    was_met: bool = True
    requests_before: int = 0
    """How many requests of the trace came before the perturbation."""
    crashes: Sequence[str] = ()


class RunFailure(Exception):
    """A run that cannot be played to its end; the text says why."""


class NoRequestError(Exception):
    """The operator was started, and asked for nothing."""


class Run:
    """A run that goes on."""

    def __init__(
        self, exploration: Exploration, cluster: FakeCluster, folder: Path, perturbation: Perturbation | None
    ) -> None:
        self._exploration = exploration
        self._cluster = cluster
        self._before = cluster.snapshot()
        self._activity = Activity(cluster)
        # Without a perturbation there is no reason to end.
        most_crashes = MOST_CRASHES if perturbation else 0
        self._operator = Supervisor(exploration.operator, cluster, folder, self._activity, most_crashes)
        self._disturbance = Disturbance(perturbation, cluster, self._operator)
        self._act_ends: list[int] = []

    def play(self, expected: EndState | None) -> RunResult:
        """Play the acts and look at the end."""
        failure: Sequence[str] = ()
        is_down = False
        try:
            self._operator.start()
            self._come_to_rest("after its start")
            self._play_acts()
            failure = self._await_end(expected)
        except OperatorEndedError as death:
            failure = ["the operator ended by itself:", *str(death).splitlines()]
            is_down = True
        except NoRequestError as problem:
            failure, is_down = [str(problem)], True
        except RunFailure as problem:
            failure = str(problem).splitlines()
        finally:
            self._disturbance.end()
            self._operator.stop()
            self._activity.close()
        return self._result(failure, is_down)

    def _play_acts(self) -> None:
        acts = _acts(self._exploration.drive, self._cluster)
        for number in count(1):
            self._act_ends.append(self._cluster.journal.last)
            self._disturbance.before_act(number)
            if not self._play_act(acts, number):
                self._act_ends.pop()
                break
            self._disturbance.after_act(number)
            self._come_to_rest(f"after act {number}")
            if self._disturbance.after_rest(number):
                self._come_to_rest(f"after act {number}")
        if self._disturbance.end():
            self._come_to_rest("at the end")

    def _play_act(self, acts: Iterator[object], number: int) -> bool:
        """Play an act; return whether there was one more."""
        try:
            next(acts)
        except StopIteration:
            return False
        except Exception as error:
            raise RunFailure(f"the drive failed in act {number}: {_text(error)}") from error
        return True

    def _come_to_rest(self, when: str) -> None:
        # What was just done is on its way to the operator.
        self._activity.touch()
        deadline = time.monotonic() + START_SECONDS
        if not self._activity.wait(self._is_up, deadline):
            raise NoRequestError(f"the operator asked for nothing within {START_SECONDS:g} s {when}")
        deadline = time.monotonic() + REST_SECONDS
        if self._activity.wait(lambda: self._is_at_rest() or self._is_hot(), deadline) and not self._is_hot():
            return
        requests = map(str, self._trace().requests[-SHOWN_REQUESTS:])
        raise RunFailure(
            "\n".join([f"the operator did not come to rest {when}; its last requests:", *requests])
        )

    def _await_end(self, expected: EndState | None) -> Sequence[str]:
        """Wait until the end is as it has to be; return what is not."""
        patience_seconds = self._exploration.patience_seconds if expected is not None else UNPERTURBED_SECONDS
        deadline = time.monotonic() + patience_seconds
        while failure := self._judge(expected):
            if time.monotonic() > deadline:
                break
            self._come_to_rest("at the end")
        return failure

    def _judge(self, expected: EndState | None) -> Sequence[str]:
        lines: list[str] = []
        try:
            if self._exploration.check is not None:
                self._exploration.check(self._cluster)
        # What is not there can end a check in another error than an AssertionError.
        except Exception as error:  # noqa: BLE001
            lines.append(f"the check fails: {_text(error)}")
        if expected is not None:
            lines.extend(differences(expected, self._end()))
        return lines

    def _is_hot(self) -> bool:
        return self._activity.writes > self._exploration.most_writes

    def _is_up(self) -> bool:
        self._operator.tend()
        return self._operator.is_up

    def _is_at_rest(self) -> bool:
        return self._is_up() and self._activity.is_at_rest(self._exploration.calm_seconds)

    def _end(self) -> EndState:
        return end_state(self._before, self._cluster.snapshot(), self._exploration.may_differ)

    def _trace(self) -> Trace:
        return trace_of(self._cluster.journal, [*self._act_ends, self._cluster.journal.last], USERS)

    def _result(self, failure: Sequence[str], is_down: bool) -> RunResult:
        trace, met_at = self._trace(), self._disturbance.met_at
        return RunResult(
            end=self._end(),
            trace=trace,
            failure=failure,
            is_down=is_down,
            was_met=met_at is not None,
            requests_before=sum(request.seq <= (met_at or 0) for request in trace.requests),
            crashes=tuple(self._operator.crashes),
        )


def play(
    exploration: Exploration,
    perturbation: Perturbation | None = None,
    expected: EndState | None = None,
) -> RunResult:
    """Play a test once on a fork of its cluster."""
    with tempfile.TemporaryDirectory(prefix="perturb-") as folder, exploration.cluster.fork() as cluster:
        return Run(exploration, cluster, Path(folder), perturbation).play(expected)


def _acts(drive: Drive, cluster: FakeCluster) -> Iterator[object]:
    """Yield after each act of a drive, also after the last."""
    acts = drive(cluster)
    if inspect.isgenerator(acts):
        yield from acts
    yield None


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip().removesuffix(":")
