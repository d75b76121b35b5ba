"""Checks options, files and servers before a run, and reports all problems at once (harness/H-06)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import backends, control_planes, options
from ..base import resources
from ..base.cluster_options import ClusterOptions
from ..base.errors import Problems, UsageError
from ..base.numbers import whole
from ..catalogue.patterns import check_patterns
from ..catalogue.patterns import match_scenarios as chosen_by
from ..options import REPORT_FOLDER, Settings
from ..scenarios.capability import PROFILES

_MOST_WORKERS = 128


def preflight(
    words: Mapping[str, Any], *, reports: bool = False, workers: str = "auto", allure: bool = False
) -> Settings:
    """Return the settings for a command's options.

    Raises one error with every problem, each with its hint.
    """
    texts = {key: "1" if value is True else str(value) for key, value in words.items()}
    raw, problems = options.effective(texts), Problems()
    settings = problems.of(lambda: options.read(texts, seed=random.SystemRandom().randrange(10**6)), None)
    for pattern in (*options.patterns_of(raw["select"]), *options.patterns_of(raw["exclude"])):
        problems.of(partial(check_patterns, [pattern]), None)
    if settings is not None:
        chosen = settings
        problems.of(lambda: _has_scenarios(chosen), None)
        for pattern in chosen.select:
            problems.of(partial(_is_judged, pattern, chosen), None)
        problems.of(lambda: control_planes.choose(chosen.control_plane, chosen.backend), None)
        if chosen.former_control_plane:
            problems.of(lambda: control_planes.choose(chosen.former_control_plane, chosen.backend), None)
    if reports and settings is not None and settings.subject is not None:
        problems.of(settings.subject.connector().look, None)
    cluster_options = settings.cluster_options if settings is not None else ClusterOptions()
    if raw["backend"].partition(":")[0] in backends.KINDS:
        imitation = bool(raw["allow-fake-assets"])
        problems.of(
            lambda: backends.look(raw["backend"], allow_imitation=imitation, cluster_options=cluster_options),
            None,
        )
    problems.of(lambda: _workers(workers), None)
    if allure:
        problems.of(_has_allure, None)
    if reports and texts.get("report-dir", REPORT_FOLDER):
        problems.of(lambda: _writable(report_folder(raw["report-dir"])), None)
    problems.end()
    assert settings is not None, "what is wrong with it was raised"
    return settings


def report_folder(word: str) -> Path:
    """Return the folder for reports."""
    return Path(word or REPORT_FOLDER).absolute()


def _is_judged(pattern: str, settings: Settings) -> None:
    """Raise UsageError when a pattern selects only scenarios of profiles that the run does not judge."""
    profiles = {scenario.profile.name: scenario.profile for scenario in chosen_by([pattern])}
    if not profiles or profiles.keys() & set(settings.profiles):
        return
    name, profile = next(iter(profiles.items()))
    if profile.needs_subject and settings.subject is None:
        raise UsageError(
            f"{pattern} judges a check controller, and no subject is given",
            hint='add --subject-file subject.yaml, or --subject "process:./my-controller" --controller-name acme.io/budget',
        )
    leave = " and leave the subject out" if settings.subject is not None and not profile.takes_subject else ""
    raise UsageError(
        f"{pattern} is of profile {name}, and the run judges {', '.join(settings.profiles)}",
        hint=f"add --profile {name}{leave}",
    )


def _workers(text: str) -> None:
    amount = whole(text)
    if text != "auto" and (amount is None or amount > _MOST_WORKERS):
        raise UsageError(
            f"--workers is {text!r}, expected auto or a number up to {_MOST_WORKERS}",
            hint="for example -n 2; -n 0 runs in one process",
        )


def _has_allure() -> None:
    if find_spec("allure_pytest") is None:
        raise UsageError(
            "--allure needs the package allure-pytest, which is not installed here",
            hint="install it (pip install allure-pytest), or this distribution with its extra 'allure'",
        )


def _has_scenarios(settings: Settings) -> None:
    missing = [
        name for name in settings.profiles if not (resources.suites() / PROFILES[name].folder).is_dir()
    ]
    if missing:
        raise UsageError(
            f"profile {missing[0]} has no scenarios yet",
            hint="see `kueue-conformance list` for those that have",
        )


def _writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise UsageError(
            f"reports cannot be written to {str(folder)!r}: {problem.strerror}",
            hint="name another folder with --report-dir",
        ) from problem
