"""The table of options: command line `--x`, pytest `--kueue-x`, environment KUEUE_CONFORMANCE_X (harness
§10.1, PY-04).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from . import capability, dialect, expectations, resources
from .cluster_options import KEEP, ClusterOptions, cluster_options
from .errors import Problems, UsageError, unknown
from .expectations import Expectations
from .numbers import real, whole
from .outcome import Level
from .programs.remedies import remedy
from .scenario import normal
from .subject import FORMS
from .subject.declaration import Declaration, declare

ENVIRONMENT = "KUEUE_CONFORMANCE_"
API_SERVER = "API-SERVER"
SHIPPED = resources.PACKAGE / "data" / "upstream.yaml"
"""The shipped expectations for real Kueues."""
NO_EXPECTATIONS = "none"
EVIDENCE = ("all", "failed", "none")
CASES = ("all", "each", "shared")
"""How cases are chosen for the older of several dialects."""
_SCALES = (0.01, 100.0)
_TURNS = 10_000


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its key, default, whether it is a switch, and what it means."""

    key: str
    default: str
    help: str
    switch: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return ENVIRONMENT + self.key.replace("-", "_").upper()


OPTIONS = (
    Option(
        "backend",
        "fake",
        "the API server: fake, envtest, kind, or kubeconfig:PATH[@context]",
    ),
    Option(
        "control-plane",
        "",
        "the control plane: reference, reference:deployed, scripted, upstream, upstream:COMMAND or upstream:manifests=FILE[,images=ARCHIVE]; default by profile and backend",
    ),
    Option(
        "metrics-address",
        "",
        "where the metrics of a real Kueue are read, such as http://127.0.0.1:8080/metrics; without it scenarios about them are unsupported",
    ),
    Option(
        "autoscaler",
        "reference",
        "the autoscaler: reference, process:COMMAND (a program with cluster-autoscaler's flags), found (the one that runs in the cluster) or none",
    ),
    Option("subject", "", f"the check controller that is judged: {', '.join(FORMS)}"),
    Option(
        "subject-file",
        "",
        "a subject file (YAML): connection, controller name, whose it is, capabilities",
    ),
    Option("controller-name", "", "the spec.controllerName that the subject acts for"),
    Option(
        "profile",
        "",
        "profiles to judge, separated by commas; default ADMISSION, or CHECK-CONTROLLER with a subject",
    ),
    Option(
        "dialect",
        "",
        f"names, versions, a comma list, or all; of several the newest is judged by all cases, the others as --cases says; default {dialect.default()}, or that of the real Kueue that is judged",
    ),
    Option(
        "cases",
        "shared",
        "by which cases the older of several dialects are judged: all; each (every value of every dimension in each dialect); shared (in each dialect a case of every scenario, and every value in one of them; of a table every fourth line)",
    ),
    Option("level", "", "only scenarios of these levels, separated by commas: must, should, may"),
    Option("select", "", "scenario ids, globs or requirement ids, separated by commas"),
    Option("exclude", "", "scenario ids or globs that are left out"),
    Option(
        "expectations",
        "",
        "files of known failures, separated by commas; `none` leaves out the shipped ones about real Kueues too",
    ),
    Option(
        "at-rest",
        "",
        "end every wait only when the cluster is quiet, as on backend fake: for stories to compare; slow in real time",
        switch=True,
    ),
    Option("strict", "", "rules at level should count as well", switch=True),
    Option("timeout-scale", "1.0", f"multiplies every named wait, by {_SCALES[0]:g} to {_SCALES[1]:g}"),
    Option("seed", "", "seed of generated names and texts; default random and printed"),
    Option(
        "evidence",
        "",
        "cases whose story is kept beside the report: all, failed or none; default failed, or all with a subject",
    ),
    Option("repeat", "1", "how often each case is run; a case with different outcomes is flaky"),
    Option("report-dir", "", "where the reports are written; empty writes none"),
    Option(
        "kind-image",
        "",
        f"the node image of the kind cluster; default {remedy('default node image')}",
    ),
    Option("kind-config", "", "a configuration file of the kind cluster"),
    Option("kind-reuse", "", "the name of a kind cluster to use; it is not deleted"),
    Option("kind-load", "", "images or image archives to load into the nodes, separated by commas"),
    Option("keep", "", f"when the kind cluster is kept: {', '.join(KEEP)}; default never"),
    Option(
        "allow-neighbours",
        "",
        "use a cluster that has a Kueue, or queues and checks of others (kubeconfig, --kind-reuse)",
        switch=True,
    ),
    Option(
        "allow-fake-assets", "", "allow programs for backend envtest that are not the real ones", switch=True
    ),
)
BY_KEY = {option.key: option for option in OPTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a run, from command line, environment and defaults."""

    backend: str
    control_plane: str
    autoscaler: str
    subject: Declaration | None
    profiles: tuple[str, ...]
    dialects: tuple[dialect.Dialect, ...]
    select: tuple[str, ...]
    exclude: tuple[str, ...]
    strict: bool
    timeout_scale: float
    seed: int
    report_dir: Path | None
    levels: frozenset[Level] = frozenset(Level)
    """The levels of the scenarios that are judged."""
    repeat: int = 1
    cases: str = "shared"
    allow_fake_assets: bool = False
    allow_neighbours: bool = False
    at_rest: bool = False
    evidence: str = "none"
    cluster_options: ClusterOptions = field(default_factory=ClusterOptions)
    """Options of the cluster that the backend makes."""
    expectations: Expectations = field(default_factory=Expectations)
    metrics_address: str = ""
    """The address of the control plane's metrics; empty where this process reads them directly, or cannot."""
    given: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The options that differ from their defaults, as given."""

    @property
    def judges_server(self) -> bool:
        """Whether the API server itself is judged, without a control plane."""
        return self.profiles == (API_SERVER,)

    @property
    def starts_autoscalers(self) -> bool:
        """Only autoscalers are judged, and each case starts its own."""
        judged = all(capability.PROFILES[one].judges_autoscaler for one in self.profiles)
        return judged and self.autoscaler not in ("found", "none")


def read(given: Mapping[str, str | None], *, seed: int) -> Settings:
    """Return the settings for the given options; `seed` is used when none is given. Raises UsageError with
    all problems.
    """
    raw, found = effective(given), Problems()
    subject = found.of(lambda: declare(raw["subject"], raw["subject-file"], raw["controller-name"]), None)
    named = bool(raw["subject"] or raw["subject-file"])
    wanted = raw["profile"] or ("CHECK-CONTROLLER" if named else "ADMISSION")
    none: tuple[str, ...] = ()
    profiles = found.of(lambda: _profiles(wanted), none)
    no_dialect: tuple[dialect.Dialect, ...] = ()
    dialects = found.of(lambda: _dialects(raw["dialect"], profiles), no_dialect)
    for check in (
        lambda: _check_subject(named, profiles),
        lambda: _check_api_server(profiles, raw, dialects),
        lambda: _check_dialects(raw["dialect"], raw["backend"], dialects),
        lambda: _check_upstream(raw["control-plane"], raw["backend"]),
    ):
        found.of(check, None)
    backend = found.of(lambda: _backend(raw["backend"]), "")
    folder = Path(raw["report-dir"]).absolute() if raw["report-dir"] else None
    settings = Settings(
        backend=backend,
        control_plane=raw["control-plane"] or _default_control_plane(raw["backend"], profiles),
        autoscaler=raw["autoscaler"],
        subject=subject,
        profiles=profiles,
        dialects=dialects,
        select=patterns_of(raw["select"]),
        exclude=patterns_of(raw["exclude"]),
        strict=bool(raw["strict"]),
        levels=found.of(lambda: _levels(raw["level"]), frozenset(Level)),
        timeout_scale=found.of(lambda: _scale(raw["timeout-scale"]), 1.0),
        repeat=found.of(lambda: _repeat(raw["repeat"]), 1),
        cases=found.of(lambda: _one_of("cases", raw["cases"], CASES), "shared"),
        seed=found.of(lambda: _seed(raw["seed"]), seed) if raw["seed"] else seed,
        report_dir=folder,
        evidence=found.of(
            lambda: _one_of("evidence", raw["evidence"] or ("all" if subject else "failed"), EVIDENCE), ""
        ),
        cluster_options=found.of(lambda: cluster_options(raw, folder), ClusterOptions()),
        allow_fake_assets=bool(raw["allow-fake-assets"]),
        allow_neighbours=bool(raw["allow-neighbours"]),
        at_rest=bool(raw["at-rest"]),
        expectations=found.of(lambda: expectations.read(_expectation_files(raw)), Expectations()),
        metrics_address=raw["metrics-address"],
        given={key: value for key, value in raw.items() if value and value != BY_KEY[key].default},
    )
    found.end()
    return settings


def _expectation_files(raw: Mapping[str, str]) -> list[Path]:
    """Return the named files, followed by the shipped expectations where a real Kueue is judged."""
    known = [SHIPPED] if raw["control-plane"].startswith("upstream") else []
    words = words_of(raw["expectations"])
    return [*map(Path, words), *known] if words != (NO_EXPECTATIONS,) else []


def effective(given: Mapping[str, str | None]) -> Mapping[str, str]:
    """Return the value of every option: given, from the environment, or the default."""
    return {option.key: _value(option, given.get(option.key)) for option in OPTIONS}


def _value(option: Option, given: str | None) -> str:
    if given is not None:
        return str(given)
    return os.environ.get(option.variable, option.default)


def words_of(text: str) -> tuple[str, ...]:
    """Split a comma-separated list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def patterns_of(text: str) -> tuple[str, ...]:
    """Split a comma-separated list of patterns, normalised to the form of ids."""
    return tuple(map(normal, words_of(text)))


def _profiles(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(word.upper() for word in words_of(text)))
    for name in names:
        if name not in capability.PROFILES:
            raise unknown("profile", name, capability.PROFILES)
    return names


def _levels(text: str) -> frozenset[Level]:
    """Return the named levels, by default all."""
    words = tuple(word.lower() for word in words_of(text))
    for word in words:
        if word not in set(Level):
            raise unknown("level", word, list(map(str, Level)))
    return frozenset(map(Level, words or Level))


def _dialects(text: str, profiles: Sequence[str]) -> tuple[dialect.Dialect, ...]:
    """Return the dialects that were named, and the default of each family that a profile speaks and of which
    none was.
    """
    families = tuple(dict.fromkeys(capability.PROFILES[name].speaks for name in profiles)) or ("Kueue",)
    chosen = dialect.select(text, families) if text else ()
    return tuple(dialect.completed(chosen, sorted(families)))


def _backend(text: str) -> str:
    kind = text.partition(":")[0]
    if kind not in ("fake", "envtest", "kind", "kubeconfig"):
        raise unknown("backend", text, ["fake", "envtest", "kind", "kubeconfig:PATH"])
    return text


def _one_of(key: str, word: str, words: Sequence[str]) -> str:
    if word not in words:
        raise unknown(f"value of --{key}", word, words)
    return word


def _default_control_plane(backend: str, profiles: tuple[str, ...]) -> str:
    if profiles == ("CHECK-CONTROLLER",):
        return "scripted"
    if profiles == (API_SERVER,) or all(capability.PROFILES[one].judges_autoscaler for one in profiles):
        return "none"
    return "reference" if backend in ("fake", "envtest", "kind") else ""


def _check_subject(named: bool, profiles: tuple[str, ...]) -> None:
    judged = [name for name in profiles if not capability.PROFILES[name].takes_subject]
    if named and judged:
        raise UsageError(
            f"--subject names a check controller, but {', '.join(judged)} judges {_with_article(capability.PROFILES[judged[0]].judges)}",
            hint="leave --subject out, or use --profile CHECK-CONTROLLER",
        )
    if not named and any(capability.PROFILES[name].needs_subject for name in profiles):
        raise UsageError(
            "profile CHECK-CONTROLLER judges a check controller, and no subject is given",
            hint='add --subject "process:./my-controller" --controller-name acme.io/budget',
        )


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "AEIOU" else f"a {noun}"


def _check_api_server(
    profiles: tuple[str, ...], raw: Mapping[str, str], dialects: Sequence[dialect.Dialect]
) -> None:
    if API_SERVER in profiles and len(profiles) > 1:
        raise UsageError(
            f"profile {API_SERVER} judges a cluster without Kueue, the other profiles one with it",
            hint=f"run it alone: --profile {API_SERVER}",
        )
    if profiles == (API_SERVER,) and raw["control-plane"] not in ("", "none"):
        raise UsageError(
            f"--control-plane {raw['control-plane']} is a control plane, and profile {API_SERVER} judges a cluster without it",
            hint="leave --control-plane out",
        )
    if profiles == (API_SERVER,) and len(dialects) > 1:
        raise UsageError(
            f"--dialect {raw['dialect']!r} names dialects of Kueue, and profile {API_SERVER} judges a cluster without it",
            hint="leave --dialect out",
        )


def _check_dialects(dialects: str, backend: str, selected: Sequence[dialect.Dialect]) -> None:
    families = [one.family for one in selected]
    if backend != "fake" and len(families) > len(set(families)):
        raise UsageError(
            f"--dialect {dialects!r} names several dialects, but backend {backend!r} is one cluster with one of them",
            hint="name one dialect, such as --dialect v0.19",
        )


def _check_upstream(control_plane: str, backend: str) -> None:
    if control_plane.startswith("upstream") and backend == "fake":
        raise UsageError(
            f"--control-plane {control_plane} works in real time, and backend 'fake' gives each case a cluster and a clock of its own",
            hint="use --backend envtest, kind or kubeconfig:PATH",
        )


def _repeat(text: str) -> int:
    turns = whole(text)
    if turns is None or not 1 <= turns <= _TURNS:
        raise UsageError(
            f"--repeat is {text!r}, expected a number of turns from 1 to {_TURNS}",
            hint="for example --repeat 20",
        )
    return turns


def _seed(text: str) -> int:
    seed = whole(text)
    if seed is None:
        raise UsageError(f"--seed is {text!r}, expected a whole number", hint="for example --seed 2")
    return seed


def _scale(text: str) -> float:
    least, most = _SCALES
    scale = real(text)
    if scale is None or not least <= scale <= most:
        raise UsageError(
            f"--timeout-scale is {text!r}, expected a number from {least:g} to {most:g}",
            hint="for example --timeout-scale 2 for a slow machine",
        )
    return scale


def describe(settings: Settings) -> dict[str, Any]:
    """Return the effective options as the report shows them."""
    return {
        **dict(settings.given),
        "dialect": ",".join(one.name for one in settings.dialects),
        "seed": settings.seed,
    }


def told(settings: Settings) -> str:
    """Return the header line about the options of a run."""
    return f"kueue-conformance: {', '.join(f'{key}={value}' for key, value in describe(settings).items())}"
