"""The table of options: command line `--x`, pytest `--kueue-x`,
environment KUEUE_CONFORMANCE_X (harness §10.1, PY-04).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from ..base.cluster_options import KEEP
from ..programs.remedies import remedy
from ..scenarios import dialect
from ..subject import FORMS
from .values import SCALES

ENVIRONMENT = "KUEUE_CONFORMANCE_"
REPORT_FOLDER = "conformance-report"
"""Where `run` writes its reports unless --report-dir says otherwise."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its key, default, what it means, and whether it is a switch or a list."""

    key: str
    default: str
    help: str
    switch: bool = False
    is_list: bool = False
    """Whether its value has commas; the values of several add up on a command line."""

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
        "feature-gates",
        "",
        "feature gates of Kueue, as NAME=true,NAME=false: the reference and upstream:COMMAND are started with them; of a Kueue that runs already they are read from its metrics, its Configuration or its arguments, and must not differ",
        is_list=True,
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
        is_list=True,
    ),
    Option(
        "dialect",
        "",
        f"names, versions, a comma list, or all; of several the newest is judged by all cases, the others as --cases says; default {dialect.default()}, or that of the real Kueue that is judged",
        is_list=True,
    ),
    Option(
        "upgrade-from",
        "",
        "the release whose control plane the one of --dialect replaces in the middle of each story of profile UPGRADE, or UPGRADE-CHECK-CONTROLLER with a subject, which is the default profile then; or a real Kueue, upstream:manifests=FILE,command=COMMAND, as in --control-plane; a newer one is a downgrade; default the line before",
    ),
    Option(
        "cases",
        "shared",
        "by which cases the older of several dialects are judged: all; each (every value of every dimension in each dialect); shared (in each dialect a case of every scenario, and every value in one of them; of a table every fourth line)",
    ),
    Option(
        "level", "", "only scenarios of these levels, separated by commas: must, should, may", is_list=True
    ),
    Option("select", "", "scenario ids, globs or requirement ids, separated by commas", is_list=True),
    Option("exclude", "", "scenario ids or globs that are left out", is_list=True),
    Option(
        "expectations",
        "",
        "files of known failures, separated by commas; `none` leaves out the shipped ones about real Kueues too",
        is_list=True,
    ),
    Option(
        "at-rest",
        "",
        "end every wait only when the cluster is quiet, as on backend fake: for stories to compare; slow in real time",
        switch=True,
    ),
    Option("strict", "", "rules at level should count as well", switch=True),
    Option("timeout-scale", "1.0", f"multiplies every named wait, by {SCALES[0]:g} to {SCALES[1]:g}"),
    Option("seed", "", "seed of generated names and texts; default random and printed"),
    Option(
        "evidence",
        "",
        "cases whose story is kept beside the report: all, failed or none; default failed, or all with a subject",
    ),
    Option(
        "stories",
        "failed",
        "whose story report.html shows: failed, or all: one passed case of each scenario too, and a page ten times as large",
    ),
    Option(
        "watch-delays",
        "",
        "a seed: each watch of the harness delivers its changes up to 0.3 s late, so that kinds come out of step (on backend fake in virtual time); tries the harness, not what is judged",
    ),
    Option("repeat", "1", "how often each case is run; a case with different outcomes is flaky"),
    Option(
        "shard",
        "",
        "K/N: only shard K of N of the selected cases, divided by cost; all N, run with the same options, are put together by `report merge`; the seed is 1 where none is given",
    ),
    Option(
        "shard-costs",
        "",
        "a file with the seconds of a case by scenario, as `report costs` writes it; default the one of this version",
    ),
    Option("report-dir", "", "where the reports are written; empty writes none"),
    Option(
        "kind-image",
        "",
        f"the node image of the kind cluster; default {remedy('default node image')}",
    ),
    Option("kind-config", "", "a configuration file of the kind cluster"),
    Option("kind-reuse", "", "the name of a kind cluster to use; it is not deleted"),
    Option(
        "kind-load", "", "images or image archives to load into the nodes, separated by commas", is_list=True
    ),
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


def effective(option_values: Mapping[str, str | None]) -> Mapping[str, str]:
    """Return the value of every option: given, from the environment, or the default."""
    return {option.key: _value(option, option_values.get(option.key)) for option in OPTIONS}


def _value(option: Option, value: str | None) -> str:
    if value is not None:
        return str(value)
    return os.environ.get(option.variable, option.default)
