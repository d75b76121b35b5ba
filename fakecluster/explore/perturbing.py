"""`perturb`: the test of an operator, again and again with one perturbation at a time."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..base.clock import WallClock
from ..base.validators import is_number, is_whole
from ..cluster.fake_cluster import FakeCluster
from .end_state import differences, first_lines
from .errors import ExploreError, Finding
from .finding_text import finding_text
from .operators import OperatorFunction, operator_of
from .perturbations import Kind, Perturbation
from .plan import plan
from .run import Check, Drive, Exploration, RunResult, play

LOG = logging.getLogger("fakecluster.explore")
RUNS, SECONDS = 50, 120.0
PATIENCE_SECONDS, CALM_SECONDS = 10.0, 0.25
SPARE_WRITES, WRITES_FACTOR = 50, 5
"""An operator that writes this much more than without a perturbation goes in a circle."""
REPETITIONS = 2
"""How often a run that failed is repeated, so that its rate is known."""


class Summary(Struct, frozen=True, kw_only=True):
    """What was tried without a finding."""

    tried: Sequence[str]
    """Names of the perturbations that happened."""
    not_met: Sequence[str]
    """Of those that did not: the operator did not send that write again, or got no such event."""
    not_tried: Sequence[str]
    """Of those for which runs or seconds were lacking."""


def perturb(
    cluster: FakeCluster,
    operator: Sequence[str | PathLike[str]] | OperatorFunction,
    drive: Drive,
    check: Check | None = None,
    *,
    runs: int = RUNS,
    seconds: float = SECONDS,
    seed: int = 0,
    only: str = "",
    may_differ: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    folder: str | PathLike[str] = ".",
    patience: float = PATIENCE_SECONDS,
    calm: float = CALM_SECONDS,
) -> Summary:
    """Play a test of an operator without perturbations, then with one at a time, and compare the ends.

    Each run is on a fork of `cluster`, on the wall clock. `operator` is a command, started in `folder` with
    KUBECONFIG and `environment`, or a function of a kubeconfig's path and an Event that is set when it has to
    end. `drive` acts on the cluster; where it yields, the operator comes to rest. `check` raises
    AssertionError when the end is wrong. At most `runs` perturbations are tried, and none after `seconds`;
    `only` is the name of one, or a pattern. `may_differ` has further `resource:path` patterns of what may
    differ at the end. The operator has `patience` seconds to bring the end about, and is at rest when it has
    asked for nothing new for `calm` seconds.

    Raises Finding when the end is another one under a perturbation, ExploreError for what makes that
    impossible.
    """
    _check_arguments(cluster, drive, check, only, may_differ)
    _check_numbers(runs=runs, seconds=seconds, patience=patience, calm=calm)
    deadline = time.monotonic() + seconds
    exploration = Exploration(
        cluster=cluster,
        operator=operator_of(operator, environment or {}, Path(folder).absolute()),
        drive=drive,
        check=check,
        may_differ=tuple(may_differ),
        patience_seconds=patience,
        calm_seconds=calm,
    )
    unperturbed = _play_unperturbed(exploration)
    perturbations = plan(unperturbed.trace, seed, only)
    summary = _try_perturbations(exploration, unperturbed, perturbations, runs, deadline)
    if only and not summary.tried:
        raise ExploreError(
            f"only={only!r}: it did not happen in {len(summary.not_met)} runs: the operator did not send that "
            "write again, or got no such event"
        )
    return summary


def _try_perturbations(
    exploration: Exploration,
    unperturbed: RunResult,
    perturbations: Sequence[Perturbation],
    runs: int,
    deadline: float,
) -> Summary:
    """Try what runs and time allow. Raises Finding at the first perturbation that makes a difference."""
    most_writes = SPARE_WRITES + WRITES_FACTOR * len(unperturbed.trace.writes)
    exploration = replace(exploration, most_writes=most_writes)
    was_met: dict[str, bool] = {}
    for number, perturbation in enumerate(perturbations[:runs], 1):
        if time.monotonic() > deadline:
            break
        result = play(exploration, perturbation, unperturbed.end)
        was_met[perturbation.name] = result.was_met
        outcome = "finding" if result.failure else "ok" if result.was_met else "not met"
        LOG.info("%d of %d: %s: %s", number, len(perturbations), perturbation.name, outcome)
        if perturbation.kind is Kind.RESTART and result.is_down:
            _require("the operator cannot be started again after it was killed", result.failure)
        if result.failure:
            raise Finding(_repeat_finding(exploration, perturbation, result, unperturbed))
    names = [perturbation.name for perturbation in perturbations]
    summary = Summary(
        tried=[name for name in names if was_met.get(name) is True],
        not_met=[name for name in names if was_met.get(name) is False],
        not_tried=[name for name in names if name not in was_met],
    )
    counts = len(summary.tried), len(summary.not_met), len(summary.not_tried)
    LOG.info("%d tried, %d not met, %d not tried", *counts)
    return summary


def _play_unperturbed(exploration: Exploration) -> RunResult:
    """Return the run without perturbations. Raises ExploreError when a second one ends otherwise."""
    first = play(exploration)
    _require("the operator does not pass without a perturbation", first.failure)
    if not first.trace.writes:
        raise ExploreError("the operator writes nothing while it is driven: there is nothing to perturb")
    second = play(exploration)
    _require("the operator does not pass a second time without a perturbation", second.failure)
    unlike = differences(first.end, second.end)
    _require(
        "two runs without a perturbation end otherwise; name what may differ in may_differ, as "
        "'configmaps:data.attempts'",
        unlike,
    )
    return first


def _require(problem: str, failure: Sequence[str]) -> None:
    if failure:
        raise ExploreError("\n".join([f"{problem}:", *(f"  {line}" for line in first_lines(failure))]))


def _repeat_finding(
    exploration: Exploration, perturbation: Perturbation, result: RunResult, unperturbed: RunResult
) -> str:
    """Return the text of a finding, with how often it shows."""
    repetitions = [play(exploration, perturbation, unperturbed.end) for _ in range(REPETITIONS)]
    failures = 1 + sum(bool(later.failure) for later in repetitions)
    return finding_text(perturbation, result, unperturbed.trace, failures, 1 + REPETITIONS)


def _check_arguments(
    cluster: FakeCluster, drive: object, check: object, only: object, may_differ: object
) -> None:
    if not isinstance(cluster, FakeCluster):
        raise ExploreError(f"cluster is {cluster!r}: expected a started FakeCluster")
    if not isinstance(cluster.clock, WallClock):
        raise ExploreError(
            "the cluster's time is virtual, and an operator lives in real time: use FakeCluster(clock='wall'), "
            "or the marker fakecluster(clock='wall')"
        )
    if not callable(drive):
        raise ExploreError(f"drive is {drive!r}: expected a function of the cluster")
    if check is not None and not callable(check):
        raise ExploreError(f"check is {check!r}: expected a function of the cluster, or None")
    if not isinstance(only, str):
        raise ExploreError(f"only is {only!r}: expected the name of a perturbation, or a pattern")
    # A text is a sequence too, of letters that each match nothing.
    if isinstance(may_differ, str) or not isinstance(may_differ, Sequence):
        raise ExploreError(
            f"may_differ is {may_differ!r}: expected a list such as ['configmaps:data.attempts']"
        )


def _check_numbers(*, runs: object, **durations: object) -> None:
    if not is_whole(runs, 1):
        raise ExploreError(f"runs is {runs!r}: expected a whole number from 1")
    for name, value in durations.items():
        if not is_number(value, 0, above=True):
            raise ExploreError(f"{name} is {value!r}: expected seconds above 0")
